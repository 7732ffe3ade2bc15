// `return` is done with the element at hand, and not with those that the
// work-item has to do after it.
#define return goto elementwise_done
@operation@
;
#undef return
elementwise_done:
