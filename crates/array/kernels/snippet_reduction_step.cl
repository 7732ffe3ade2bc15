const reduction_t reduction_mapped = (@map@);
{
    const reduction_t a = reduction_value;
    const reduction_t b = reduction_mapped;
    reduction_value = (@reduce@);
}
