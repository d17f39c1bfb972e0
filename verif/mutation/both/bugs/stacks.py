"""Memory in stacks (memcpy, managed)."""
from .words import PAGE

BUGS = [
    ("smd", "stacks: a write of the HMD writes the whole line", "coherence/smd_transact", "@serve mask_none(&d->mask) ? be_all() : mask_bytes(&d->mask)", "be_all()", PAGE),
    ("smd", "stacks: bytes that are home are marked", "coherence/smd", "@write_bytes e->far ? (line_mask_t){0} :", "", PAGE),
    ("smd", "stacks: an answer to the HMD has the slot's number", "coherence/smd_job", "@answer j->id", "(uint8_t)k", PAGE),
    ("smd", "stacks: the HMD's read is answered twice", "coherence/smd_job", "@answer leave(s, k)", "if (s->valid || s->count[SMD_EQ] > 1) leave(s, k)", PAGE),
    ("smd", "stacks: an acknowledgement near passes older write-backs", "coherence/smd", "@slice_ack || s->older[0]", "|| (s->older[0] && !smd_near(e, a->line))", PAGE),
    ("smd", "stacks: idle with a read of the HMD under way", "coherence/smd", "@smd_out !s->reads && !s->here &&", "", PAGE),
    ("smd", "stacks: a write-back near leaves the block as it is", "coherence/smd", "@write_line touches ?", "touches && !e->ev.smd_near ?", PAGE),
    ("smd", "stacks: what the HMD asks for waits for the probe that is answered", "coherence/smd_transact", "@smd_takes_data (s->reads | s->here) == (1u << SMD_SLOTS) - 1", "((s->reads | s->here) == (1u << SMD_SLOTS) - 1 || s->job.phase == SMD_J_ASK)", PAGE),
    ("smd", "stacks: a read near leaves no owner bit", "coherence/smd", "@read_line , true", ", !e->ev.smd_near", PAGE),
    ("hmd", "stacks: a grant goes ahead of a write that waits", "coherence/hmd_transact", "@hmd_grant e->ev.hmd_grant", "const hmd_data_t passed = s->dq[0]; if (s->count[HMD_DQ] == 2 && passed.data.mem == SMD_MEM_WRITE) { s->dq[0] = s->dq[1]; s->dq[1] = passed; } e->ev.hmd_grant", PAGE),
    ("hmd", "stacks: a request of a stack beside a grant", "coherence/hmd_lines", "@hmd_speaks s->at[HMD_T_GRANT] ||", "", PAGE),
    ("hmd", "stacks: a whole line has a mask", "coherence/hmd_lines", "@hmd_to_memory be_whole(&r->be) ? (line_mask_t){0} :", "", PAGE),
    ("hmd", "stacks: half a line is a whole one", "coherence/hmd_lines", "@hmd_to_memory be_whole(&r->be)", "!~r->be.w[0]", PAGE),
    ("hmd_net", "an answer of a stack goes to the first HMD", "coherence/hmd_net", "@hmd_net_tick + host_channel_of(p->data.line)", "", PAGE),
    ("hmd_net", "an answer of a stack waits until a wire takes", "coherence/hmd_net", "@hmd_net_tick ~((1ull << WIRES) - 1)", "(in->down_data_ready & 1 ? ~((1ull << WIRES) - 1) : 0)", PAGE),
    ("smd_net", "an answer of a stack has no id", "coherence/smd_net", "@smd_net_tick , .id = p->id", "", PAGE),
    ("smd_net", "idle with a message in the acknowledge crossbar", "coherence/smd_net", "@smd_net_out xbar_idle(&s->ack.x) &&", "", PAGE),
    ("link", "a read of a stack is as long as a line", "coherence/link", "@carry && s->data_in[0].data.mem != SMD_MEM_READ", "", ""),
]
