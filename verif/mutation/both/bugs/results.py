"""Results."""
from .words import PAGE

BUGS = [
    ("alu", "a beat late is a beat lost", "core/alu", "s->o.ev.jumps_indirect = jalr;", "s->o.ev.jumps_indirect = jalr && taken == p->tmask;", PAGE),
    ("idiv", "remainders have the sign of the divisor", "core/idiv", "r = minus_x ? -(mx % my) : mx % my;", "r = minus_y ? -(mx % my) : mx % my;", PAGE),
    ("fdiv", "a root is that of the magnitude", "core/fdiv", "r = sf_sqrt(a, mode, &flags);", "r = sf_sqrt(a & ~SF_SIGN, mode, &flags);", PAGE),
]
