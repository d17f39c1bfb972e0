"""Results."""
from .words import PAGE

BUGS = [
    ("alu", "a beat late is a beat lost", "core/alu", "@alu_tick jumps_indirect = jalr", "jumps_indirect = jalr && taken == p->tmask", PAGE),
    ("idiv", "remainders have the sign of the divisor", "core/idiv", "@divide minus_x ? -(mx % my)", "minus_y ? -(mx % my)", PAGE),
    ("fdiv", "a root is that of the magnitude", "core/fdiv", "@compute a, mode", "a & ~SF_SIGN, mode", PAGE),
]
