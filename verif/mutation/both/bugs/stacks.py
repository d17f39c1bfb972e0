"""Memory in stacks (memcpy, managed)."""
from .words import PAGE

BUGS = [
    ("smd", "stacks: a write of the HMD writes the whole line", "coherence/smd_transact", "be = mask_none(&d->mask) ? be_all() : mask_bytes(&d->mask);", "be = be_all();", PAGE),
    ("smd", "stacks: bytes that are home are marked", "coherence/smd", ".marks = e->far ? (line_mask_t){0} : mask_of(be),", ".marks = mask_of(be),", PAGE),
    ("smd", "stacks: an answer to the HMD has the slot's number", "coherence/smd_job", ".id = j->id,", ".id = (uint8_t)k,", PAGE),
    ("smd", "stacks: the HMD's read is answered twice", "coherence/smd_job", ".line = j->line, .data = j->data};\n    leave(s, k);", ".line = j->line, .data = j->data};\n    if (s->valid || s->count[SMD_EQ] > 1)\n        leave(s, k);", PAGE),
    ("smd", "stacks: an acknowledgement near passes older write-backs", "coherence/smd", "e->kq : e->sq) || s->older[0])", "e->kq : e->sq) || (s->older[0] && !smd_near(e, a->line)))", PAGE),
    ("smd", "stacks: idle with a read of the HMD under way", "coherence/smd", "&& !s->reads && !s->here && !s->valid", "&& !s->valid", PAGE),
    ("smd", "stacks: a write-back near leaves the block as it is", "coherence/smd", "touches ? smd_touched(t->state) : t->state", "touches && !e->ev.smd_near ? smd_touched(t->state) : t->state", PAGE),
    ("smd", "stacks: what the HMD asks for waits for the probe that is answered", "coherence/smd_transact", "(s->reads | s->here) == (1u << SMD_SLOTS) - 1);", "((s->reads | s->here) == (1u << SMD_SLOTS) - 1 || s->job.phase == SMD_J_ASK));", PAGE),
    ("smd", "stacks: a read near leaves no owner bit", "coherence/smd", "smd_put(&t->owner, smd_off(w->line), true);", "smd_put(&t->owner, smd_off(w->line), !e->ev.smd_near);", PAGE),
    ("hmd", "stacks: a grant goes ahead of a write that waits", "coherence/hmd_transact", "    e->ev.hmd_grant = true;", "    const hmd_data_t passed = s->dq[0];\n    if (s->count[HMD_DQ] == 2 && passed.data.mem == SMD_MEM_WRITE) {\n        s->dq[0] = s->dq[1];\n        s->dq[1] = passed;\n    }\n    e->ev.hmd_grant = true;", PAGE),
    ("hmd", "stacks: a request of a stack beside a grant", "coherence/hmd_lines", "return s->at[HMD_T_GRANT] || (j &&", "return (j &&", PAGE),
    ("hmd", "stacks: a whole line has a mask", "coherence/hmd_lines", "d->data.mask = be_whole(&r->be) ? (line_mask_t){0} : mask_of(&r->be);", "d->data.mask = mask_of(&r->be);", PAGE),
    ("hmd", "stacks: half a line is a whole one", "coherence/hmd_lines", "be_whole(&r->be) ?", "!~r->be.w[0] ?", PAGE),
    ("hmd_net", "an answer of a stack goes to the first HMD", "coherence/hmd_net", "? WIRES + host_channel_of(p->data.line)", "? WIRES", PAGE),
    ("hmd_net", "an answer of a stack waits until a wire takes", "coherence/hmd_net", "in->down_data_ready | ~((1ull << WIRES) - 1)", "in->down_data_ready | (in->down_data_ready & 1 ? ~((1ull << WIRES) - 1) : 0)", PAGE),
    ("smd_net", "an answer of a stack has no id", "coherence/smd_net", ".mem = p->mem, .id = p->id", ".mem = p->mem", PAGE),
    ("smd_net", "idle with a message in the acknowledge crossbar", "coherence/smd_net", "o->idle = xbar_idle(&s->req.x) && xbar_idle(&s->ack.x) &&", "o->idle = xbar_idle(&s->req.x) &&", PAGE),
    ("link", "a read of a stack is as long as a line", "coherence/link", "&& s->data_in[0].data.mem != SMD_MEM_READ", "", ""),
]
