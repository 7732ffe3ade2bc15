@head@
// What a snippet says to be done with the element at hand.
#define PYOPENCL_ELWISE_CONTINUE continue

@preamble@
kernel void @name@(
    @parameters@)
{
    @pointers@
    @before_loop@
    const long elementwise_count = @count@;
    @walk@
    {
        long i = @index@;
        @operation@
        ;
    }
    @after_loop@
}
