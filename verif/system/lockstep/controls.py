"""The tables of the lockstep's controls (see run), and their workloads."""
import os
import struct
import subprocess

# Kernels of kernels.c; of verif/system/faults/kernels.c with the status of a sound machine. One warp a workgroup, threads 2 and 3 fault.
KERNELS = ["all", "plain", "copy", "sum", "fenced", "published", "awaited", "released", "jumps", "late_jumps", "once", "parts", "stacked"]
FAULTS = {"zero_word": 3, "jump_outside": 3, "lb_access": 3, "lw_misaligned": 3, "sd_misaligned": 3, "branch_misaligned": 3, "divided_barrier": 3}
WRONG = {"two_barriers": 3, "ended_threads": 3}  # of kernels.c
# With address translation: host memory that comes page by page, goes again, and is disturbed; pages of other sizes.
DEMAND, FIFO, LARGE, DISTURB = "pages@demand,frames=24,order=random:3", "pages@demand,frames=12,evict=fifo", "pages@paged,page=2m", "pages@demand,frames=16,order=random:3,disturb="
DISTURBED = DISTURB + "1"  # other seeds where something must come in one cycle with a shootdown
ONE_SET = "one_set@paged,order=random:2"
BEHIND = "behind@demand"
QUICK = [LARGE, ONE_SET, "all@demand,frames=12,disturb=2"]
PAGED = [FIFO, DISTURBED, BEHIND, *QUICK]
PLACE = {"jump_outside": 0x80000000, "lb_access": 0x80000000}


def job(kernel, groups, out):
    """Range and arguments. Elsewhere a workgroup is 7 threads, two warps of `tiny`, the second not full."""
    if kernel in FAULTS:
        return ["--global", "4", "--local", "4", "--arg", f"buf:64,out={out}", "--arg", "u32:2", "--arg", "u32:4", "--arg",
                f"u64:{PLACE.get(kernel, 0x18000000):#x}"]
    if kernel == "message":
        return ["--global", "2", "--local", "1", "--arg", "buf:512", "--arg", f"buf:256,out={out}"]
    n = 7 * groups
    args = {"all": ["buf:256,rand=3", f"buf:{128 * n},out={out}", "buf:64", "u32:64", "local:64"],
            "copy": ["buf:1024,rand=1", f"buf:{128 * n},out={out}"], "sum": ["buf:512,rand=1", f"buf:{128 * n},out={out}"], "stacked": ["buf:512,rand=1", f"buf:{128 * n},out={out}"],
            "pages": ["buf:2097152,rand=7", f"buf:{128 * n},out={out}"], "one_set": ["buf:2097152,rand=7", f"buf:{128 * n},out={out}"], "behind": ["buf:2097152,rand=7", f"buf:{128 * n},out={out}"],
            "plain": [f"buf:{128 * n},out={out}"], "fenced": [f"buf:{128 * n},out={out}"],
            "published": [f"buf:{128 * n},out={out}"], "awaited": [f"buf:{128 * n},out={out}"]}
    job = ["--global", str(n), "--local", "7"]
    if kernel == "once":
        return job
    if kernel == "into_data":
        return job + ["--arg", f"buf:{128 * n},out={out}"]
    for a in args.get(kernel, [f"buf:{128 * n},out={out}", "buf:64"]):
        job += ["--arg", a]
    return job


def compile_kernels(folder):
    """Both ELFs, with the jumps through registers that vellum cc refuses put in behind their marks (lui zero, 1)."""
    for source, elf, patches in (("verif/system/lockstep/kernels.c", "kernels", {"jumps": 0x010280e7, "late_jumps": 0x010280e7, "into_data": 0x010280e7}),
                                 ("verif/system/faults/kernels.c", "faults", {"jump_outside": 0x00028067})):
        path = f"{folder}/{elf}.elf"
        subprocess.run(["build/vellum", "cc", "-w", source, "-o", path], check=True)
        names = [line.split() for line in subprocess.run(["llvm-nm-19", "-n", path], check=True, capture_output=True, text=True).stdout.splitlines()]
        starts = [(int(a, 16), n[len("__vellum_entry_"):]) for a, _, n in names if n.startswith("__vellum_entry_")]
        data = bytearray(open(path, "rb").read())
        headers = [struct.unpack_from("<IIQQQQ", data, struct.unpack_from("<Q", data, 32)[0] + 56 * k) for k in range(struct.unpack_from("<H", data, 56)[0])]
        offset, base = next((h[2], h[3]) for h in headers if h[0] == 1 and h[1] & 1)
        for start, name in starts:
            if name in patches:
                at = offset + start - base
                while struct.unpack_from("<I", data, at)[0] != 0x00001037:
                    at += 4
                struct.pack_into("<I", data, at + 4, patches[name])
        with open(path, "wb") as f:
            f.write(data)


# ---- twin: name, block that differs, source, change, kernel, field -------------------------------------------------------------------------
# One for every block that the lockstep compares, and the counters, which are compared when they are read.

C, K, T, V, L2 = "sim_c/core/", "sim_c/cache/", "sim_c/top/", "sim_c/mmu/", "sim_c/cache/l2.c"
L2_AMO = K + "l2_amo.c"
TWINS = [
    ("fetch", "fetch", C + "fetch.c", "@fetch_tick 4 - skip", "skip ? 4 - skip : 3", "all", r"push|req|ev"),
    ("l1i", "l1i", K + "l1i.c", "@allocated FREE ? 0", "FREE && !(s->s2.req.pc >> 7 & 1) ? 0", "all", r"mem_req|wake|rsp|ev"),
    ("issue", "issue", C + "issue.c", "@choose (s->last + 1) << (s->last + 1)", "s->last << s->last", "all", r"issue|pop"),
    ("simt", "simt", C + "simt.c", "@diverge hit && !", "hit &&", "all", r"redirect|ev"),
    ("regfile", "regfile", C + "regfile.c", "@regfile_tick (w->res.mask >> l & 1) r[l]", "(w->res.mask & 1) r[l]", "all", r"ops"),
    ("alu", "alu", C + "alu.c", "@results sext32(a - b)", "sext32(a + ~b)", "all", r"alu_res"),
    ("mul", "mul", C + "mul.c", "@product (uint64_t)low", "(uint64_t)low & ~4ull", "all", r"mul_res"),
    ("idiv", "idiv", C + "idiv.c", "@begin 1 + 9", "2 + 9", "all", r"div_res_valid|ev"),
    ("fpu", "fpu", C + "fpu.c", "@take ~bad", "~bad & ~1ull", "all", r"fpu_res"),
    ("fdiv", "fdiv", C + "fdiv.c", "@DYN = 13", "= 12", "all", r"fdiv_res_valid|ev"),
    ("launch", "launch", C + "launch.c", "@step_on s->step.d[0]", "s->step.d[0] + 1", "all", r"lids"),
    ("barrier", "barrier", C + "barrier.c", "@release group;", "group & -group;", "all", r"release"),
    ("lsu", "lsu", C + "lsu_front.c", "@lsu_show quiet = !s->unacked &&", "quiet =", "fenced", r"l1d_req|lsu_res|ev|idle|trace"),
    ("spad", "spad", C + "spad.c", "@modified + v;", "| v;", "all", r"spad_rsp"),
    ("l1d", "l1d", K + "l1d.c", "@load_hit e->hit,", "e->hit ^ 1,", "sum", r"l1d_rsp"),
    ("mem_arb", "mem_arb", "sim_c/noc/mem_arb.c", "@read r->line", "r->line ^ 1", "all", r"mem_req"),
    ("status", "status", C + "status.c", "@status_tick first && !", "first &&", "lb_access", r"faulted"),
    ("ctrl", "ctrl", T + "kernel_ctl.c", "@kernel_ctl_tick == 7", "== 6", "all", r"running"),
    ("cycles", "ctrl", T + "kernel_ctl.c", "@command s->cycles = 0", "s->cycles = 1", "all", r"ctl_rsp"),
    ("dispatcher", "dispatcher", T + "dispatcher.c", "@tick_source k->offset", "k->groups", "all", r"group"),
    ("counters", "perf", "build/gen/perf/perf.c", "@wide_ev_issue in->ev.issue.thread_instructions", "(in->ev.issue.thread_instructions & 1)", "all", r"rd_data"),
    ("req_net", "req_net", "sim_c/noc/req_net.c", "@req_net_tick (uint8_t)k", "(uint8_t)(k ? k : 1)", "all", r"slice_req"),
    ("rsp_net", "rsp_net", "sim_c/noc/rsp_net.c", "@rsp_net_tick (*s, ~(xbar_set_t)0)", "(*s, ~(xbar_set_t)0), s->out[0].data.w[5] ^= s->out[0].id >> 9", "all", r"rsp"),
    ("l2", "l2", L2_AMO, "@l2_amo_perform !stores", "stores", "all", r"net_rsp"),
    ("mem_quota", "mem_quota", "sim_c/mem/mem_quota.c", "@mem_quota_out == IDLE", "!= IDLE", "all", r"idle"),
    ("mem_sched", "mem_sched", "sim_c/mem/mem_sched.c", "@go s->choice.late", "!s->choice.late", "all", r"ev"),
    ("dram_ctrl", "dram_ctrl", "sim_c/mem/dram_ctrl.c", "@column_command != s->dir;", "== s->dir;", "all", r"ev"),
    ("perf_slice", "perf_slice", "build/gen/perf/perf_slice.c", "@rest in->taken", "2 * in->taken", "all", r"rd_data"),
    ("perf_channel", "perf_channel", "build/gen/perf/perf_channel.c", "@rest in->ticks", "(in->ticks & 1)", "all", r"rd_data"),
    ("policy", "issue", C + "issue.c", "@choose sched ==", "sched !=", "all", r"issue|pop"),
    ("tlb", "tlb", V + "tlb.c", "@look_up s->ev.tlb_hits++", "s->ev.tlb_hits++; found->ppn ^= 1", DEMAND, r"found"),
    ("tlb_inv", "tlb", V + "tlb.c", "@scan == SETS;", ">= SETS - 1;", DISTURBED, r"inv_done|look_ready"),
    ("itlb", "itlb", V + "itlb.c", "@look_up !e->valid", "k == 0 || !e->valid", DEMAND, r"found_valid|miss_valid|ev"),
    ("tlb_asid", "tlb", V + "tlb.c", "@forget_asid == asid", "!= asid", DISTURBED, r"found|ev"),
    ("ptw", "ptw", V + "ptw.c", "@advance pte_at(ppn, m->vpn, m->level)", "pte_at(ppn, m->vpn, m->level) ^ 16", DEMAND, r"mem_req"),
    ("ptw_inv", "ptw", V + "ptw.c", "@restart s->drop |= s->reads;", "", DISTURBED, r"rsp|closed|mem_req|ev"),
    ("tlb_mshr", "tlb_mshr", V + "tlb_mshr.c", "@misses & ~in->closed", "", DEMAND, r"walk|req_valid|ev"),
    ("tlb_mshr_inv", "tlb_mshr", V + "tlb_mshr.c", "@tlb_mshr_tick && !concerns", "", DISTURBED, r"walked_valid|ev|idle|miss_ready"),
    ("vm_ctl", "vm_ctl", V + "vm_ctl.c", "@vm_ctl_out shown(s)", "shown(s) && s->count > 1", DEMAND, r"attention"),
    ("vm_ctl_inv", "vm_ctl", V + "vm_ctl.c", "@vm_ctl_tick inv.scope", "inv.scope & 1", DEMAND, r"inv"),
    ("status_inv", "status", C + "status.c", "@status_tick in->lsu_done << 3", "8", DEMAND, r"inv_done"),
    ("look_up", "lsu", C + "lsu_lookup.c", "@pages == vpn", "== vpn && t != 1", DEMAND, r"look_valid|look|early|l1d_req|ev|sent"),
    ("early_page", "l1d", K + "l1d.c", "@frames_and_queue || !in->found.hit", "", DEMAND, r"mem_req|l1d_rsp|ev"),
    ("early_sector", "lsu", C + "lsu_front.c", "@show_early SECTOR_BYTES != at / SECTOR_BYTES", "LINE_BYTES != at / LINE_BYTES", "copy@demand,frames=24,order=random:3", r"l1d_req_valid"),
    ("look_answer", "lsu", C + "lsu_lookup.c", "@walked w->walk", "w->walk && t != 3", DEMAND, r"l1d_req|sent|ev|trace|pf|look"),
]

# ---- memory: name, source, change, kernel, groups, the judge's report --------------------------------------------------------------------------------

WRITES = r"^judge: cycle \d+, core 0, warp \d+, pc 0x\w+ \(.*, issued in cycle \d+\): thread \d+ writes x\d+ = 0x\w+, the reference 0x\w+$"
D = "sim_c/dram/device.c"
ANSWER = r"slice \d answers the \w+ requested in cycle \d+ with doubleword 0 = 0x\w+, it must be 0x\w+$"
HOLDS = r"slice \d answers the read requested in cycle \d+ with byte 0x\w+ = 0x\w\w, memory holds 0x\w\w$"
MEMORIES = [ # 64 groups write more than the L2 holds
    ("memory_read", D, "@move_data memcpy(rd, at, d->beat)", "memcpy(rd, at, d->beat), rd[0] ^= 1", "all", 4, HOLDS),
    ("memory_write", D, "@write_beat wr->data[i]", "wr->data[i] ^ 1", "plain", 64, "^judge: cycle [0-9]+, host port: " + HOLDS),
]

# ---- both: name, configuration, source, change, kernel, groups, the judge's report ----------------------------------------------------------------

AT = r"^judge: cycle \d+, core \d+, warp \d+, pc 0x\w+ \(.*, issued in cycle \d+\): "
NOWHERE = AT + r"thread \d accesses 0x\w+ at physical address 0x\w+, which no legal translation gives$"
FETCHED = r"core 0, warp \d+: instruction side: 0x\w+ \(.*\) is fetched at pc 0x\w+, page 0x\w+"
SHOT = r"the shootdown of (page 0x\w+ of address space \d+|address space \d+|everything), requested in cycle \d+ and acknowledged in \d+"
OLD_LINE = FETCHED + r", from a line last read in cycle \d+, before " + SHOT + "$"
OLD_PAGE = FETCHED + r", from frame 0x\w+ by a translation from before " + SHOT + "$"
NO_TABLE = r"core 0: a walk reads 0x\w+ as a table of level \d, to which no PTE that was read points$"


def l1i_hears(change):
    """A core with changed inputs of its L1I: (source, old, new). Wires are generated, so the planted change stands between them and the block."""
    new = ("core_self_t;\nstatic void l1i_hears(l1i_t *s, const l1i_in_t *in, const core_wires_t *w)\n{\n    l1i_in_t i = *in;\n    (void)w;\n"
           f"    {change}\n    l1i_tick(s, &i);\n}}\n#define l1i_tick(s, in) l1i_hears(s, in, w)\n")
    return C + "core.c", "@core_self_t core_self_t;", new


BOTHS = [
    ("both_alu", "tiny", C + "alu.c", "@results sext32(a - b)", "sext32(a + ~b)", "all", 4, WRITES),
    ("both_branch", "tiny", C + "alu.c", "@compare p->mask", "p->mask & 7", "all", 4, AT + r"thread 3 is executed here, the reference has it at pc 0x\w+$"),
    ("both_mul", "tiny", C + "mul.c", "@product (uint64_t)low", "(uint64_t)low & ~4ull", "all", 4, WRITES),
    ("both_idiv", "tiny", C + "idiv.c", "@divide minus_x != minus_y ? -(mx / my) : mx / my", "mx / my + 1", "all", 4, WRITES),
    ("both_fpu", "tiny", C + "fpu.c", "@EACH modes[l]", "modes[l] ^ 1", "all", 4, WRITES),
    ("both_fdiv", "tiny", C + "fdiv.c", "@compute sf_sqrt(a, mode, &flags)", "sf_sqrt(a, mode, &flags) ^ 1", "all", 4, WRITES),
    ("both_mask", "tiny", C + "simt.c", "@diverge & ~d->taken", "", "all", 4, AT + r"thread \d is executed here, the reference has it at pc 0x\w+$"),
    ("both_meet", "tiny", C + "simt.c", "@pop flush || !e->stay, e->pc", "true, e->pc + 4 * !flush", "all", 4, AT + r"thread \d is executed here, the reference has it at pc 0x\w+$"),
    ("both_identity", "tiny", C + "regfile.c", "@identity s->gbase[p->warp]", "s->gbase[0]", "all", 4, WRITES),
    ("both_bypass", "tiny", C + "regfile.c", "@read n && w &&", "n > 12 && w &&", "all", 4, WRITES[:-1] + "|accesses 0x"),
    ("both_threads", "tiny", C + "launch.c", "@launch_out s->last_mask", "s->last_mask | 8", "all", 4, "a warp begins with threads 0x"),
    ("both_store", "tiny", C + "lsu_store.c", "@scatter t->rs2[l]", "t->rs2[0]", "plain", 4, AT + r"byte 0x\w+ is 0x\w\w in the write to memory in cycle \d+, 0x\w\w in the store$"),
    ("both_lost_store", "tiny", K + "l1d.c", "@store MEM_WRITE", "r->line & 2 ? MEM_READ : MEM_WRITE", "plain", 4, r"core 0: a read with id 0x\w+, which the write requested in cycle \d+ still uses$"),
    ("both_fence", "tiny", C + "lsu_front.c", "@lsu_show quiet = !s->unacked", "quiet = (!s->unacked || s->st.warp != w)", "published", 4,
     AT + r"its store to the line at 0x\w+ \(bytes 0x\w+\) is not performed when a later fence is complete$"),
    ("both_amo", "tiny", C + "lsu_store.c", "@lsu_store_take (r->op)", "(r->op) == AMO_ADD ? AMO_OR : memop_amo(r->op)", "all", 4,
     AT + r"thread \d requests atomic 4 of 4 bytes at 0x\w+, its address is 0x\w+$"),
    ("both_fence_atomic", "tiny", C + "lsu_front.c", "@lsu_show !s->atomics &&", "", "awaited", 4, AT + r"its atomic in memory \(threads 0x\w+\) is not performed when a later fence is complete$"),
    ("both_sc", "tiny", L2_AMO, "@l2_amo_perform !stores", "stores", "all", 4, ANSWER),
    ("both_sc_anyway", "tiny", L2_AMO, "@l2_amo_perform !r->sc_fail &&", "true ||", "all", 4, ANSWER),
    ("both_sc_bit", "tiny", "sim_c/noc/mem_arb.c", "@reserve = sc", "= false", "all", 4, r"core 0: an SC of hart \d+ to 0x\w+ is marked to succeed; the last LR was "),
    ("both_cas", "tiny", L2_AMO, "@l2_amo_perform l2_amo_equal", "!l2_amo_equal", "all", 4, ANSWER),
    ("both_dirty", "tiny", L2, "@stage2 | (s->s2_fresh ? 0 : mask->w[h])", "", "fenced", 64, "^judge: cycle [0-9]+, host port: " + HOLDS),
    ("both_silent", "tiny", L2, "@l2_out (s->phase && !s->sent)", "s->phase > 1", "released", 4,
     r"pc 0x\w+ \(amoadd.w.rl .*\): no progress for 20000 cycles; live threads of this warp 0x\w+, whose instruction is not complete$"),
    ("both_slice", "small", "sim_c/noc/req_net.c", "@req_net_tick net_slice", "(k < CORES ? SLICES - 1 : 0) ^ net_slice", "plain", 4,
     r"slice \d answers a request for the line at 0x\w+, which belongs to slice \d$"),
    ("both_spad", "tiny", C + "spad.c", "@modified + v;", "| v;", "all", 4, WRITES),
    ("both_misaligned", "tiny", C + "lsu_operands.c", "@rows_gather if (a & (r->size - 1u))", "r->addr[t] = r->phys[t] = interleave(k, a & -(uint64_t)r->size); if (0)", "lw_misaligned", 4,
     AT + r"thread 2 faults in the reference \(cause 4, value 0x18000002\), the machine goes on$"),
    ("both_cause", "tiny", C + "lsu_fault.c", "@lsu_fault mis ? (load ? FAULT_LOAD_MISALIGNED : FAULT_STORE_MISALIGNED)", "mis ? FAULT_LOAD_MISALIGNED", "sd_misaligned", 4,
     r"the machine faults with cause 4, .*; the reference with cause 6, "),
    ("both_behind_fault", "tiny", C + "lsu_fault.c", "@lsu_fault s->rows.dead |= BIT(r->warp); s->stirred = true;", "", "sd_misaligned", 4,
     AT + r"goes to memory before threads 0xc of an older access of its warp \(pc 0x\w+\)$"),
    ("both_lanes", "tiny", C + "lsu_fault.c", "@lsu_fault .mask = bad", ".mask = bad & -bad", "lb_access", 4, r"threads 0x4; the reference .* threads 0xc$"),
    ("both_early_barrier", "tiny", C + "barrier.c", "@barrier_tick [g] == s->size[g]", "[g]", "all", 4, AT + "issued before its workgroup has passed the barrier$"),
    ("both_no_barrier", "tiny", C + "barrier.c", "@barrier_tick s->arrived[g] ==", "s->arrived[g] >", "all", 4, "no progress for 20000 cycles; live threads of this warp 0xf$"),
    ("both_barrier_stores", "tiny", C + "barrier.c", "@barrier_tick in->unsent", "0", BEHIND, 4, AT + "goes to memory after its workgroup has passed the next barrier and accessed memory behind it$"),
    ("both_left_out", "tiny", C + "issue.c", "@classify c.joins | (rest & ~c.pipe);", "(c.joins | (rest & ~c.pipe)) & ~2ull;", "all", 4,
     "no progress for 20000 cycles; live threads of this warp 0xf, which wait at a barrier$"),
    ("both_divided", "tiny", C + "simt.c", "@control q->tmask != v->running", "!q->tmask", "divided_barrier", 4, AT + r"thread 2 is executed here, the reference has it at pc 0x\w+$"),
    ("both_barrier_fault", "tiny", C + "simt.c", "@control v->left ||", "v->left || q->tmask != v->running ||", "parts", 4,
     r"the machine faults with cause 9, value 0x0, pc 0x\w+, threads 0x\w; the reference with cause 0, "),
    ("both_other_barrier", "tiny", C + "simt.c", "@control (waits && q->pc != v->bar_pc)", "false", "two_barriers", 1,
     AT + r"thread \d is executed here, the reference has it at pc 0x\w+$|no progress|threads 0x\w fault at pc 0x\w+ \(cause 9, value 0x0\)$"),
    ("both_end_waits", "tiny", C + "simt.c", "@control (v->running != v->live)", "(false)", "divided_barrier", 4, r"threads 0xc fault at pc 0x\w+ \(cause 9, value 0x0\)$|the reference with cause 9"),
    ("both_left", "tiny", C + "simt.c", "@control v->left = true;", "", "ended_threads", 1, r"fault at pc 0x\w+ \(cause 9, value 0x0\)$|the reference with cause 9"),
    ("both_groups", "tiny", T + "dispatcher.c", "@count_on ++g->grp[d]", "++g->grp[d] + !d", "plain", 4, "the kernel has ended after 3 of 4 workgroups$"),
    ("both_no_end", "tiny", T + "dispatcher.c", "@tick_source s->done |= finished;", "", "plain", 4, "no progress for 20000 cycles; no thread is alive, and the kernel has not ended$"),
    ("both_cycle", "tiny", C + "barrier.c", "@release group;", "group & -group;", "all", 4, r"no progress for 20000 cycles; live threads of this warp 0x\w+, which wait at a barrier$"),
    # Translation: the bug classes of docs/bug-classes.md, where a whole machine shows them.
    ("both_tlb_stale", "tiny", V + "tlb.c", "@scan forget_page(&s->main[(inv->vpn & (SETS - 1)) * TLB_WAYS], TLB_WAYS, inv->vpn, inv->asid);", "", FIFO, 4, NOWHERE),
    ("both_tlb_stale_all", "tiny", V + "tlb.c", "@invalidate forget(s->main, TLB_ENTRIES);", "", DISTURBED, 4, NOWHERE),
    ("both_tlb_fill", "tiny", V + "tlb.c", "@tlb_tick if (fills) keep(s, &fill, in->fill.warp)",
     "static const tlb_t *first; /* of the two seats */ static fill_t of[2]; first = first ? first : s; fill_t *last = &of[s != first]; if (fills) *last = fill, keep(s, &fill, in->fill.warp); if (s->done && last->in) keep(s, last, 0)", DISTURBED, 4, NOWHERE),
    ("both_tlb_rights", "tiny", V + "tlb.c", "@look_up || !(look->store ? e->w : e->r)", "", DEMAND, 4, NOWHERE),
    ("both_tlb_splice", "tiny", V + "tlb.c", "@look_up (e->ppn & ~low) | (look->vpn & low);", "e->ppn;", LARGE, 4, NOWHERE),
    ("both_tlb_tag", "tiny", V + "tlb.c", "@same_page 9 * level", "(9 * level + 6)", DEMAND, 4, NOWHERE),
    ("both_look_rights", "tiny", C + "lsu_lookup.c", "@answer || !(r->write ? leaf->w : leaf->r)", "", DEMAND, 4, NOWHERE),
    ("both_look_splice", "tiny", C + "lsu_lookup.c", "@answer (leaf->ppn & ~low) | (VPN(r->addr[t]) & low)", "leaf->ppn", LARGE, 4, NOWHERE),
    ("both_look_neighbour", "tiny", C + "lsu_lookup.c", "@pages == vpn", ">> 6 == vpn >> 6", DEMAND, 4, NOWHERE),
    ("both_look_again", "tiny", C + "lsu_lookup.c", "@lookup_invalidate r->ok = r->ans = 0", "r->ans = 0; if (r->ok) continue", DISTURBED, 4, NOWHERE),
    ("both_ptw_entry", "tiny", V + "ptw.c", "@pte_at & 511", "& (level ? 511 : 15)", DEMAND, 4, AT + r"threads 0x\w+ wait for the page of 0x\w+ \(page fault\), but the tables permit the access$"),
    ("both_ptw_line", "tiny", V + "ptw.c", "@same_pte == at", "/ PTES == at / PTES", DEMAND, 4, NOWHERE),
    ("both_ptw_dirty", "tiny", V + "ptw.c", "@advance && pte & PTE_D", "", DEMAND, 4, NOWHERE),
    ("both_ptw_accessed", "tiny", V + "ptw.c", "@advance || !(pte & PTE_A)", "", DISTURBED, 4, NOWHERE),
    ("both_ptw_cache", "tiny", V + "ptw.c", "@ptw_tick s->rsp_pte = in->mem_rsp.data.w[s->read_at[s->rsp_read] % PTES];",
     "static const ptw_t *first; /* of the two seats */ static uint64_t seen[2][1 << 16], *old; first = first ? first : s; old = &seen[s != first][s->read_at[s->rsp_read] % (1 << 16)]; *old = *old & PTE_V ? *old : in->mem_rsp.data.w[s->read_at[s->rsp_read] % PTES]; s->rsp_pte = *old;", FIFO, 4, NOWHERE + "|" + OLD_PAGE),
    ("both_ptw_table", "tiny", V + "ptw.c", "@advance ppn, m->vpn", "ppn ^ 1, m->vpn", DEMAND, 4, NO_TABLE),
    ("both_ptw_root", "tiny", V + "ptw.c", "@begin root->ppn", "root->ppn ^ 1", DEMAND, 4, NO_TABLE),
    ("both_ptw_space", "tiny", "sim_c/noc/mem_arb.c", "@mem_arb_out s->asid", "s->asid ^ 1", DEMAND, 4, r"core 0: a walk's read of class 1 for address space \d+; the core's address space is \d+$"),
    ("both_ptw_fault", "tiny", V + "ptw.c", "@advance (pte & PTE_U)", "(pte & PTE_U) || m->vpn % 32 == 7", "pages@paged,order=random:2", 4,
     AT + r"threads 0x\w+ wait for the page of 0x\w+ \(page fault\), but the tables permit the access$"),
    ("both_ptw_window", "tiny", V + "ptw.c", "@advance ok ?", "ok && m->vpn % 32 != 7 ?", "pages@paged,order=random:2", 4,
     AT + r"threads 0x\w+ wait for the page of 0x\w+ \(access fault\), but the tables permit the access$"),
    ("both_look_fault", "tiny", C + "lsu_fault.c", "@lsu_report r->addr[t]", "(r->addr[t] ^ 8)", DEMAND, 4, AT + r"thread \d waits for the page of 0x\w+, the reference accesses 0x\w+$"),
    ("both_fault_queue", "tiny", V + "vm_ctl.c", "@read_reg threads", "threads | 16", DEMAND, 4,
     r"core 0, warp \d: threads 0x\w+ of a (load|store) at pc 0x\w+ wait for a page, but no such instruction is in flight$"),
    ("both_itlb_fault", "tiny", V + "itlb.c", "@answer !w->leaf.x", "w->leaf.r", "pages@paged", 4, r"core 0: the fetch of 0x\w+ waits for a page, but the tables permit it$"),
    ("both_l1i_fault", "tiny", K + "l1i.c", "@page_found if (found->result == WALK_OK)", "if (found->result == WALK_OK && key_line(f->key) % 2 == 0) { f->state = FAULT; f->access = false; e->wake1 = true; } else if (found->result == WALK_OK)", "pages@paged", 4,
     r"core 0, warp \d+: instruction side: a fetch page fault at pc 0x\w+, where a fetch is legal$"),
    # The instruction side of a shootdown: code of an old translation is executed. It is mostly the same code as before, so values do not differ: the judge knows which lines were read for it, and when.
    ("both_l1i_page", "tiny", *l1i_hears("i.inv_valid = i.inv_valid && w->inv->scope != INV_PAGE;"), FIFO, 4, OLD_LINE),
    ("both_l1i_asid", "tiny", *l1i_hears("i.inv_valid = i.inv_valid && w->inv->scope != INV_ASID;"), DISTURBED, 4, OLD_LINE),
    ("both_l1i_all", "tiny", *l1i_hears("i.inv_valid = i.inv_valid && w->inv->scope != INV_ALL;"), DISTURBED, 4, OLD_LINE),
    ("both_l1i_asked", "tiny", K + "l1i.c", "@forget_all killed = true", "killed = before[f] != ASKED", DISTURB + "4", 4, OLD_PAGE),
    ("both_l1i_send", "tiny", K + "l1i.c", "@forget_all killed = true", "killed = before[f] != SEND", DISTURB + "3", 4, OLD_PAGE),
    ("both_l1i_wait", "tiny", K + "l1i.c", "@forget_all killed = true", "killed = before[f] != WAIT", DISTURBED, 4, OLD_LINE),
    ("both_l1i_have", "tiny", K + "l1i.c", "@l1i_tick if (e.forget) forget_all(s, &e, in->inval);",
     "const unsigned have = e.before[0] == HAVE ? 0 : e.before[1] == HAVE ? 1 : NONE; const bool keeps = e.forget && have != NONE && !s->fill[have].killed; if (e.forget) forget_all(s, &e, in->inval); if (keeps) s->valid[s->fill[have].key % SETS][s->wr_way] = true;", DISTURB + "1", 4, OLD_LINE),
    ("both_itlb_page", "tiny", V + "itlb.c", "@covers return (i->asid == asid || leaf->glob)", "return false", FIFO, 4, OLD_PAGE),
    ("both_itlb_asid", "tiny", V + "itlb.c", "@covers i->asid == asid && !leaf->glob", "false", DISTURBED, 4, OLD_PAGE),
    ("both_itlb_all", "tiny", V + "itlb.c", "@covers true", "false", DISTURBED, 4, OLD_PAGE),
    ("both_itlb_fill", "tiny", V + "itlb.c", "@itlb_tick s->done = in->inv_valid",
     "s->done = in->inv_valid; static const itlb_t *first; /* of the two seats */ static entry_t last[2]; first = first ? first : s; entry_t *mine = &last[s != first]; for (unsigned k = 0; in->inv_valid && mine->valid && k < ITLB_ENTRIES; k++) if (!s->entry[k].valid) s->entry[k] = *mine, mine->valid = false; if (fills) *mine = (entry_t){.valid = true, .vpn = w->vpn, .asid = w->asid, .leaf = w->leaf}", FIFO, 4, OLD_PAGE),
    ("both_itlb_rights", "tiny", V + "itlb.c", "@answer != WALK_PAGE && !w->leaf.x ? WALK_PAGE : w->result", "", "into_data@paged", 1,
     FETCHED + r", which may not be executed \(the page was never shot down\)$"),
    # Private memory: another thread's doubleword, or a place that is no stack's.
    ("both_private_thread", "tiny", C + "lsu_operands.c", "@interleave a >> s", "(a >> s ^ a >> (s + t))", "stacked", 4, AT + r"thread \d accesses 0x\w+, the reference 0x\w+$"),
    ("both_private_slot", "tiny", C + "lsu_operands.c", "@interleave slot << (t + 3)", "(slot ^ 1) << (t + 3)", "stacked", 4, AT + r"thread \d accesses 0x\w+, the reference 0x\w+$"),
    ("both_resume", "tiny", V + "vm_ctl.c", "@write_reg r.warp", "~r.warp", DEMAND, 4, r"no progress for 20000 cycles"),
    ("both_stale", "small", K + "l1d.c", "@inval e->invalidate = true;", "", "message", 2, WRITES.replace("core 0", r"core \d")),
    # A counter that is wrong in both, and nothing else is: the reference has its value.
    *(("both_count_" + name, "tiny", source, text, wrong, kernel, 4, rf"^judge: cycle \d+, core 0: the counter {name} is \d+, in the reference \d+$") for name, source, text, wrong, kernel in (
        ("thread_instructions", C + "issue.c", "@decide_head (uint8_t)__builtin_popcountll(tmask);", "THREADS;", "all"),
        ("branches_divergent", C + "alu.c", "@alu_tick taken &&", "", "all"),
        ("jumps_indirect", C + "alu.c", "@alu_tick jumps_indirect = jalr", "jumps_indirect = jalr && taken == p->tmask", "jumps"),
        ("simt_divergences", C + "simt.c", "@diverge parts && !s->alone;", "both;", "all"),
        ("mul_beats", C + "mul.c", "@mul_tick s->ev.mul_beats = take", "s->ev.mul_beats = take && s->oldest", "all"),
        ("fpu_lanes", C + "fpu.c", "@fpu_tick __builtin_popcountll(p->mask)", "LANES", "all"),
        ("groups_started", C + "launch.c", "@launch_tick = transfer", "= transfer && s->nfree < WARPS", "all"),
        ("barriers", C + "barrier.c", "@release s->ev.barriers = true", "true; s->ev.barriers = g == 0", "all"),
        ("spad_atomics", C + "spad.c", "@spad_tick s->ev.spad_atomics = true", "s->ev.spad_atomics = !(served & 1)", "all"),
        ("l1d_atomics", K + "l1d.c", "@atomic e->moved;", "true;", "all"),
        ("lsu_loads", C + "lsu_front.c", "@start && !r->traced", "", "pages@paged,order=random:2"),
        ("lsu_fences", C + "lsu_front.c", "@fence_result s->ev.lsu_fences = true", "s->ev.lsu_fences = r->kind != MEMOP_FENCE", "fenced"),
    )),
]

# ---- spaces: name, source, change, the judge's report (None: no report, the kernel faults) ---------------------------------------------------------

SPACES = [
    ("spaces_sound", V + "tlb.c", "@look_up s->ev.tlb_lookups++", "s->ev.tlb_lookups += 1", None),
    ("spaces_l1i", *l1i_hears("i.inval = false;"), FETCHED + r", from a line last read in cycle \d+, before the kernel began$"),
    ("spaces_tlb", V + "tlb.c", "@matches && (e->glob || e->asid == asid)", "", NOWHERE[1:]),
    ("spaces_port", V + "tlb.c", "@look_up in->asid", "1", NOWHERE[1:]),
]

# ---- told: plant, kernel, groups, the judge's report ------------------------------------------------------------------------------------------------

TOLD = [
    ("none", "all", 4, None),
    ("address", "all", 4, AT + r"thread \d accesses 0x\w+, the reference 0x\w+$"),
    ("address_outside", "all", 4, AT + r"thread \d accesses 0x8 at physical address 0x\w+, which no legal translation gives$"),
    ("address_misaligned", "all", 4, AT + r"thread \d accesses 0x\w+, which is misaligned or not its memory$"),
    ("sent_elsewhere", "all", 4, AT + r"thread \d accesses 0x\w+ at physical address 0x\w+, which no legal translation gives$"),
    ("sent_inactive", "all", 4, AT + r"thread \d goes to memory but is not active$"),
    ("sent_unknown", "all", 4, r"threads 0x\w+ of sequence number \d+ go to memory, which is no memory instruction in flight$"),
    ("sent_twice", "all", 4, AT + r"thread \d goes to memory twice$"),
    ("datum", "all", 4, AT + r"thread \d stores 0x\w+, the reference 0x\w+$"),
    ("datum_spad", "all", 4, AT + r"thread \d stores 0x\w+, the reference 0x\w+$"),
    ("operand_spad", "all", 4, AT + r"thread \d's operand is 0x\w+, the reference's 0x\w+$"),
    ("access_inactive", "all", 4, AT + r"thread \d accesses memory but is not active$"),
    ("access_unknown", "all", 4, r"a memory access of sequence number \d+, which is no memory instruction in flight$"),
    ("access_twice", "all", 4, AT + r"thread \d accesses memory twice$"),
    ("access_good", "lb_access", 4, AT + r"thread 2 faults in the reference \(cause 5, value 0x80000000\), the machine goes on$"),
    ("access_lost", "copy", 4, AT + r"goes to memory before threads 0xf of an older access of its warp \(pc 0x\w+\)$"),
    ("fence_lost", "fenced", 4, AT + "the warp has ended, but this instruction is not complete$"),
    ("fence_lost", "fenced", 2, r"the kernel has ended, but threads 0x\w+ of this warp have not$"),
    ("result_lost", "sum", 2, AT + r"not complete when its sequence number \d+ is issued again \(results written of threads 0x\w+\)$"),
    ("store_hidden", "once", 4, AT + "the kernel has ended, but this store of an ended warp was never sent to memory$"),
    ("store_lost", "plain", 4, AT + r"its store to the line at 0x\w+ \(bytes 0x\w+\) was never performed in memory$"),
    ("store_lost", "fenced", 4, AT + r"its store to the line at 0x\w+ \(bytes 0x\w+\) is not performed when a later fence is complete$"),
    ("store_lost", "released", 4, AT + r"its store to the line at 0x\w+ \(bytes 0x\w+\) is not performed when a later release is requested$"),
    ("store_invented", "plain", 4, r"in cycle \d+ memory was written at 0x\w+ \(bytes 0x\w+\), which no instruction has stored$"),
    ("store_byte", "plain", 4, AT + r"byte 0x\w+ is 0x\w\w in the write to memory in cycle \d+, 0x\w\w in the store$"),
    ("store_enable", "plain", 4, AT + r"byte 0x\w+ is not in the write to memory in cycle \d+, 0x\w\w in the store$"),
    ("line_outside", "all", 4, "a request for the line at 0x0, which is outside of memory$"),
    ("amo_lost", "all", 4, AT + r"the atomic of thread \d was never performed in memory$"),
    ("amo_operation", "all", 4, AT + r"thread \d requests atomic 2 of 4 bytes at 0x\w+, its address is 0x\w+$"),
    ("amo_address", "all", 4, AT + r"thread \d requests atomic 1 of 4 bytes at 0x\w+8, its address is 0x\w+0$"),
    ("amo_operand", "all", 4, AT + r"thread \d requests an atomic with operand 0x\w+, it has 0x\w+$"),
    ("amo_comparand", "all", 4, AT + r"thread \d compares with 0x\w+, the reference with 0x\w+$"),
    ("amo_unknown", "all", 4, r"core 0: a request that does not exist: kind 2 \(atomic 15, byte \d+\)$"),
    ("amo_stranger", "all", 4, r"core 0: atomic 1 of hart \d+ at 0x\w+, which no instruction in flight requests$"),
    ("sc_bit", "all", 4, r"core 0: an SC of hart \d+ to 0x\w+ is marked to (fail|succeed); the last LR was hart \d+'s, of the line at 0x\w+(, and its reservation has ended)?$"),
    ("request_kind", "plain", 4, r"core 0: a request that does not exist: kind 3 \(atomic 0, byte 0\)$"),
    ("request_lost", "plain", 4, r"core 0: slice \d answers source 0's request 0x\w+ for the line at 0x\w+, which is not outstanding$"),
    ("request_twice", "copy", 4, r"core 0: a read with id 0x\w+, which the read requested in cycle \d+ still uses$"),
    ("read_byte", "copy", 4, r"core 0: slice \d answers the read requested in cycle \d+ with byte 0x\w+[7f]f = 0x\w\w, memory holds 0x\w\w$"),
    ("fetch_byte", "plain", 4, r"core 0: slice \d answers the read requested in cycle \d+ with byte 0x\w+ = 0x\w\w, memory holds 0x\w\w$"),
    ("write_answer", "plain", 4, r"core 0: slice \d answers the write requested in cycle \d+ with doubleword 3 = 0x1, it must be 0x0$"),
    ("amo_answer", "all", 4, r"core 0: slice \d answers the atomic requested in cycle \d+ with doubleword 0 = 0x\w+, it must be 0x\w+$"),
    ("answer_lost", "copy", 4, r"core 0: a read with id 0x\w+, which the read requested in cycle \d+ still uses$"),
    ("answer_lost_late", "copy", 2, r"core 0: the kernel has ended, but the read of the line at 0x\w+ requested in cycle \d+ has not been answered$"),
    ("answer_late", "all", 4, r"core 0: slice \d answers the atomic of the line at 0x\w+ requested in cycle \d+ before the atomic of cycle \d+$"),
    ("answer_id", "plain", 4, r"core 0: slice \d answers source 0's request 0x\w+ for the line at 0x\w+, which is not outstanding$"),
    ("answer_line", "plain", 4, r"core 0: slice \d answers source 0's request 0x\w+ for the line at 0x\w+, which is not outstanding$"),
    ("answer_source", "plain", 4, r"host port: slice \d answers source 1's request 0x\w+ for the line at 0x\w+, which is not outstanding$"),
    ("answer_twice", "copy", 4, r"core 0: slice \d answers source 0's request 0x\w+ for the line at 0x\w+, which is not outstanding$"),
    ("host_read", "plain", 4, r"host port: slice \d answers the read requested in cycle \d+ with byte 0x1800007\w = 0xff, memory holds 0x00$"),
    ("result", "all", 4, WRITES),
    ("result_high", "all", 4, WRITES),
    ("result_register", "all", 4, AT + r"x\d+ is written instead of x\d+$"),
    ("result_unknown", "all", 4, r"a result for sequence number \d+, which is not in flight$"),
    ("result_inactive", "all", 4, AT + r"thread \d's result is written though it is not active$"),
    ("result_twice", "all", 4, AT + r"thread \d's result is written twice$"),
    ("result_lost", "plain", 4, AT + r"the warp has ended, but this instruction is not complete \(results written of threads 0x0\)$"),
    ("result_lost", "plain", 2, AT + r"the kernel has ended, but this instruction is not complete \(executed in the reference, results written of threads 0x0\)$"),
    ("result_jump", "jumps", 4, AT + r"thread \d writes a result, the reference does not$"),
    ("result_jump", "late_jumps", 4, AT + r"a result is written that the reference does not write \(threads 0x\w+\)$"),
    ("threads_elsewhere", "all", 4, AT + r"thread \d is executed here, the reference has it at pc 0x\w+$"),
    ("threads_ended", "all", 4, AT + r"thread 3 is executed after its end, the reference has it at pc 0x\w+$"),
    ("threads_none", "all", 4, AT + "issued for no thread$"),
    ("push_word", "all", 4, FETCHED + r"; the line that was read has 0x\w+ there \(the page was never shot down\)$"),
    ("push_many", "all", 4, r"core 0, warp \d: instruction side: a push of \d words from pc 0x\w+ on into a buffer with \d words is not legal$"),
    ("push_lost", "all", 4, AT + "issued before it was fetched$"),
    ("instruction", "all", 4, AT + r"issued, but the word fetched there is 0x\w+$"),
    ("pc", "all", 4, AT + r"issued instead of the instruction at pc 0x\w+$"),
    ("operation", "all", 4, AT + r"decoded as operation \d+, expected \d+$"),
    ("sequence", "all", 4, AT + r"sequence number \d+, expected \d+$"),
    ("illegal", "all", 4, AT + "issued as illegal, but it is a legal instruction$"),
    ("fetch_fault", "zero_word", 4, AT + "issued as a fetch fault, but its fetch did not fault$"),
    ("fetch_fault", "jump_outside", 4, AT + "issued as an instruction, but its fetch faulted$"),
    ("push_fault", "zero_word", 4, "instruction side: a fetch access fault at pc 0x\\w+, where a fetch is legal$"),
    ("walk_table", DEMAND, 4, NO_TABLE),
    ("walk_space", DEMAND, 4, r"core 0: a walk's read of class \d for address space \d+; the core's address space is \d+$"),
    ("waits_elsewhere", DEMAND, 4, AT + r"thread \d waits for the page of 0x\w+, the reference accesses 0x\w+$"),
    ("waits_unknown", DEMAND, 4, r"core 0, warp \d: threads 0x\w+ of a (load|store) at pc 0x\w+ wait for a page, but no such instruction is in flight$"),
    ("start_lost", "zero_word", 4, AT + "issued by a warp that has not begun$"),
    ("start_again", "all", 4, r"a warp begins in a slot whose threads 0x\w+ have not ended$"),
    ("start_early", "plain", 4, r"a warp begins in a slot whose threads 0x\w+ have not ended$"),
    ("start_threads", "all", 4, r"a warp begins with threads 0x\w+, which is wrong for thread \d+$"),
    ("group_beyond", "all", 4, "workgroup 1000,0,0 begins, which the kernel does not have$"),
    ("group_twice", "all", 4, "workgroup 0,0,0 begins a second time$"),
    ("group_warps", "all", 4, "a workgroup of 3 warps begins, it should have 2$"),
    ("group_mixed", "all", 4, r"a warp of workgroup 1,0,0 \(scratchpad from \d+ on\) begins among those of 0,0,0 \(from \d+ on\)$"),
    ("group_base", "all", 4, "workgroup 0,0,0 begins with base 1 in dimension 0, expected 0$"),
    ("slot_busy", "all", 4, r"a workgroup begins in slot 0, where only 0 of 2 warps have ended$"),
    ("spad_end", "all", 4, r"a workgroup's scratchpad of \d+ bytes at \d+ exceeds the core's \d+ bytes$"),
    ("spad_overlap", "all", 4, r"its workgroup's scratchpad \(from \d+ on\) overlaps that of warp \d+ \(from \d+ on\)$"),
    ("fault_value", "zero_word", 4, r"the machine faults with cause 1, value 0x1, .*; the reference with cause 1, value 0x0, "),
    ("fault_threads", "lb_access", 4, r"threads 0xd; the reference with .*, threads 0xc$"),
    ("fault_nowhere", "zero_word", 4, "the machine reports a fault of core 1, warp 0, threads 0xc, which do not exist$"),
]

# ---- homes: name, configuration, seat, source, change, workloads and their options, the report -----------------------------------------------------------
# Machines with home = directory. Seat: `both`, the twin in both seats; `machine`, what drives the host port of a sound one; `driver`, the driver of libvellum over a sound one.
# The error is named by the judge, or by the host that looks at the results.

O = "sim_c/coherence/"
READ = r"judge: cycle \d+, (core \d|host port): slice \d answers the read requested in cycle \d+ with byte 0x\w+ = 0x\w\w, memory holds 0x\w\w"
SLICE_GIVES = r"judge: cycle \d+, block at 0x\w+, device \d: its slice gives bytes 0x\w+ of line \d+, held in N, with others; it has stored 0x\w+ of it"
DEVICE_READ, HOST_READ = READ.replace(r"(core \d|host port)", r"core \d"), READ.replace(r"(core \d|host port)", "host port")
RESULT, STUCK = r"FAILED .*, the host has |is not reversed", r"no progress for \d+ cycles"
TABLE = r"judge: cycle \d+, (block at 0x\w+, )?(device \d|the host): "
EVICTED = ["--memory", "demand,frames=10,order=random:3,disturb=1"]
# The policy of directories under which lines are in host memory.
ZEROCOPY = ["--set", "memory=zerocopy"]
HOMES = [
    ("home_cache", "umh1", "both", O + "hmd_transact.c", "@plan x->lkind = PROBE_CLEAN", "x->lkind = PROBE_CLEAN, asks = false", ["vecadd"], DEVICE_READ + "|" + TABLE),
    ("home_exclusive", "umh1", "both", O + "hmd_table.c", "@hmd_after && !x->lheld", "", ["saxpy", "list"], TABLE + r"holds lines, but the home's entry has no llc"),
    ("home_atomics", "umh2", "both", O + "hmd_transact.c", "@plan !t->sharers; x->probes = t->sharers", "!t->sharers; x->probes = 0", ["vecadd"], r"judge: "),
    ("home_wide", "umh2", "both", O + "hmd_transact.c", "@wide x->bytes && holders & me && (holders & ~me || t->llc);", "false;", ["saxpy", "list"], TABLE + r"holds the block, but bytes of another device have come home: "),
    ("home_marks", "umh1", "both", O + "stack_port.c", "@mark mask_put", "if (b->line % 2) mask_put", ["vecadd"], TABLE + r"gives bytes 0x\w+ of line \d+ to the home; 0x\w+ were stored"),
    ("home_bytes", "umh1", "both", O + "smd_job.c", "@emit .mask = j->mask", ".mask = {{j->mask.w[0]}}", ["vecadd"], TABLE + r"gives bytes 0x\w+ of line \d+ to the home; 0x\w+ were stored"),
    ("home_mask", "umh1", "both", O + "l2c.c", "@stage2 mask_mark(mask, &r->be)", "*mask = mask_of(&r->be)", ["vecadd", "transpose"], SLICE_GIVES),
    ("home_flush", "umh1", "both", O + "smd.c", "@all L2_FLUSH_ALL || s->mreq.op ==", "", ["vecadd"], HOST_READ),
    ("home_owner", "umh1", "both", O + "smd_job.c", "@smd_job_table t->owner;", "(smd_lines_t){0};", ["list", *EVICTED], TABLE + r"goes from \w to \w, but has not probed its slice for all lines"),
    ("home_own", "umh1", "both", O + "hmd_transact.c", "@plan asks &= first || t->sharers; x->probes = t->sharers", "asks &= first || t->sharers; x->probes = 0", ["vecadd", "list", *EVICTED], r"judge: |" + RESULT),
    # Errors found by the judge's table of legal transitions (judge_coherence.h).
    ("home_state", "umh1", "both", O + "hmd_transact.c", "@hmd_grant .state =", ".state = x->op == HMD_READ ? NMOESI_M :", ["vecadd"], TABLE + r"is granted M for a request of another kind: "),
    ("home_beside", "umh2", "both", O + "hmd_table.c", "@hmd_after NMOESI_S;", "NMOESI_E;", ["histogram"], TABLE + r"is granted E, but the home's entry does not name it as holder"),
    ("home_read", "umh2", "both", O + "smd_job.c", "@smd_job_table nmoesi_next(st, NM_READ_REQUEST)", "st == NMOESI_I ? st : NMOESI_S", ["histogram"], TABLE + r"answers PROBE_WRITE in S; it was in O"),
    ("home_kept", "umh1", "both", O + "smd_job.c", "@smd_job_table place, NMOESI_I", "place, NMOESI_S", ["vecadd"], TABLE + r"its SMD \d changes a block from S to I"),
    ("home_said", "umh1", "both", O + "smd_transact.c", "@acknowledge s->job.st", "s->job.st ? NMOESI_O : NMOESI_I", ["vecadd"], TABLE + r"answers PROBE_\w+ in O; it was in "),
    ("home_sent", "umh2", "both", O + "smd_transact.c", "@acknowledge .sent = smd_to_peer(s)", ".sent = false", ["histogram"], TABLE + r"answers PROBE_(READ|WRITE) in [EOM]; it was in "),
    ("home_no_bytes", "umh1", "both", O + "smd_transact.c", "@request x->bytes", "false", ["list", *EVICTED], TABLE + r"requests EVICT without bytes in "),
    ("home_left", "umh1", "both", O + "hmd_transact.c", "@plan (uint8_t)self", "x->op == HMD_FLUSH ? (uint8_t)self : 0", ["list", *EVICTED], TABLE + r"holds the block, but the home's entry does not name it: "),
    ("home_peer", "umh2", "both", O + "smd_job.c", "@emit p->kind == PROBE_READ ? (line_mask_t){0} :", "", ["histogram"], TABLE + r"sends line \d+ with marks to a peer that only reads"),
    ("home_early", "umh2", "both", O + "smd_transact.c", "@grant e->far || !s->x[x].missing", "true", ["histogram"], TABLE + r"sends ARRIVED with \d+ of \d+ lines"),
    ("home_unmarked", "umh1", "both", O + "smd_job.c", "@emit smd_to_home", "if (j->off % 8 == 0) smd_to_home", ["vecadd"], TABLE + r"gives bytes 0x0+ of line \d+ to the home; 0x\w+ were stored"),
    ("home_clean", "umh2", "both", O + "smd_job.c", "@smd_job_table NMOESI_E", "NMOESI_E : smd_alone(st) ? NMOESI_O", ["histogram", "vecadd", "--set", "peers=off"], TABLE + r"its SMD \d changes a block from [EM] to O"),
    # A directory's record of the holders of a block, entry by entry.
    ("home_known", "umh2", "both", O + "hmd_table.c", "@hmd_after t.sharers |= me & 15", "", ["histogram"], TABLE + r"is granted S, but the home's entry does not name it as holder"),
    ("home_forgets", "umh2", "both", O + "hmd_table.c", "@share t->sharers |= 1u << (t->owner - 1) & 15", "", ["histogram"], TABLE + r"holds the block, but the home's entry does not name it: "),
    ("home_thinks", "umh1", "both", O + "hmd_table.c", "@hmd_after if (mine) t.owner = 0", "", ["list", *EVICTED], TABLE + r"holds nothing of the block, but the home's entry names it: "),
    ("home_owns", "umh2", "both", O + "hmd_table.c", "@hmd_after if (x->first.kind != PROBE_READ || (x->ostate != NMOESI_O && x->ostate != NMOESI_M))", "", ["histogram"], TABLE + r"owns the block, but the home's entry does not name it as owner: "),
    ("home_disowned", "umh2", "both", O + "hmd_table.c", "@hmd_after x->first.kind != PROBE_READ ||", "", ["histogram", "--set", "peers=off"], TABLE + r"does not own the block, but the home's entry names it as owner: "),
    ("home_llc", "umh1", "both", O + "hmd_table.c", "@hmd_after x->lheld;", "0;", ["saxpy", "list"], TABLE + r"holds lines, but the home's entry has no llc"),
    ("home_untold", "umh1", "both", O + "hmd_transact.c", "@hmd_stage1 true", "x->op != HMD_EVICT", ["list", *EVICTED], TABLE + r"is granted I, but the home's entry has not been written"),
    # memory = zerocopy
    ("zero_bytes", "umh1", "both", O + "smd.c", "@write_bytes smd_to_home", "if (line % 8) smd_to_home", ["vecadd", *ZEROCOPY], TABLE + r"gives bytes 0x0+ of line \d+ to the home; 0x\w+ were stored"),
    ("zero_line", "umh2", "both", O + "hmd_lines.c", "@hmd_get line", "line ^ 1", ["vecadd", *ZEROCOPY], TABLE + r"gets a line that it has not requested"),
    ("zero_asks", "umh1", "both", O + "smd.c", "@read_line .line = w->line", ".line = w->line ^ 1", ["vecadd", *ZEROCOPY], STUCK),
    ("zero_arrived", "umh2", "both", O + "smd_transact.c", "@request smd_move(s, k, SMD_T_ASK, SMD_T_WAIT)", "smd_move(s, k, SMD_T_ASK, SMD_T_WAIT); if (r.thin) s->whole |= (uint16_t)(1u << k)", ["vecadd", *ZEROCOPY], TABLE + r"sends ARRIVED with 0 of \d+ lines"),
    ("home_plain", "umh1", "machine", "sim_c/top/machine.c", "@drive HOME == HOME_FLAT ? MEM_WRITE : MEM_STORE", "MEM_WRITE", ["memcached"], RESULT),
    ("home_unflushed", "umh1", "driver", "sw/runtime/driver_memory.c", "@driver_flush if (!d->facts->block_bytes)", "", ["list"], RESULT),
    ("home_unsynchronised", "umh1", "driver", "sw/runtime/driver_memory.c", "@driver_sync d->clocked && d->host.ops->sync", "false", ["list", *EVICTED], RESULT),
]
# Policies under which lines are in stacks from the beginning, on `umh2m`: by turns, or all in device 0's.
MEMCPY, MANAGED = ["--set", "memory=memcpy"], ["--set", "memory=managed"]
HOMES += [
    ("stack_device", "umh2m", "both", O + "hmd_lines.c", "@hmd_to_memory (uint8_t)home_device(e->memory, r->line)", "0", ["stream", *MEMCPY], TABLE + r"sends the stack of device 0 a request for line \d+, which is not at home there"),
    ("stack_id", "umh2m", "both", O + "smd_job.c", "@answer j->id", "j->id ^ 1", ["vecadd", *MANAGED], TABLE + r"sends line \d+ to the home, which has not requested it"),
    ("stack_asks", "umh2m", "both", O + "smd.c", "@read_line && !e->ev.smd_near", "", ["vecadd", *MANAGED], TABLE + r"sends GET for line \d+, which is at home there, in "),
    ("stack_zerocopy", "umh2m", "both", O + "hmd.c", "@hmd_tick in_stacks(in->memory);", "in->memory >= MEMORY_ZEROCOPY;", ["vecadd", *ZEROCOPY], TABLE + r"sends the stack of device \d a request for line \d+, but memory is not in stacks"),
    ("stack_data", "umh2m", "both", O + "hmd_net.c", "@hmd_net_out , .data = p->data.data", "", ["vecadd", *MEMCPY], TABLE + r"gets a line of a stack with id \d, with other bytes than were sent"),
    ("stack_marks", "umh2m", "both", O + "smd.c", "@write_bytes e->far ? (line_mask_t){0} :", "", ["vecadd", *MANAGED], TABLE + r"marks bytes of line 0x\w+ of its stack, which is home memory"),
    ("stack_gives", "umh2m", "both", O + "smd.c", "@write_bytes && !smd_near(e, line)", "", ["vecadd", *MEMCPY], TABLE + r"gives bytes 0x\w+ of line \d+ to the home; 0x0+ were stored"),
]
# translation = shared: entries kept and walks pending when a page is taken away. An instruction of eight threads may need twelve frames.
SHARED_EVICTED = ["--memory", "demand,frames=14,order=random:3,disturb=1"]
FLUSHED = "paged,flush=300"
SHARED = [
    ("shared_entry", "mask2", "both", "sim_c/mmu/l2_tlb.c", "@scan forget_page(&s->main[(inv->vpn & (SETS - 1)) * L2_TLB_WAYS], L2_TLB_WAYS, inv)", "", ["list", *SHARED_EVICTED], r"by a translation from before the shootdown"),
    ("shared_walk", "mask2", "both", "sim_c/mmu/walker.c", "@walker_tick in->inv_valid ? concerned(s, &in->inv) :", "", ["list", *SHARED_EVICTED], STUCK),
    ("shared_space", "mask2", "both", "sim_c/mmu/walk_cache.c", "@send r->asid, .line", "r->asid ^ 8, .line", ["vecadd", "--memory", "paged"], r"a walk's read of class \d+ for address space \d+, which no core has"),
    ("flush_missed", "mask2", "both", "sim_c/mmu/vm_ctl.c", "@shoot s->cores", "s->cores & ~1ull", ["list", "--memory", FLUSHED], r"core 0, .*before the shootdown of address space 1"),
    ("flush_space", "mask2", "both", "sim_c/mmu/vm_ctl.c", "@vm_ctl_tick inv.asid", "inv.asid ^ 1", ["list", "--memory", FLUSHED], r"before the shootdown of address space 1"),
    ("shared_failure", "mask2", "both", "sim_c/mmu/walk_cache.c", "@serves false", "r->access != ACC_FETCH", ["list", "--memory", "demand", "--set", "walk_cache=on"], r"wait for the page of 0x\w+ \(page fault\), but the tables permit the access"),
    ("shared_answer", "mask2", "both", "sim_c/mmu/seam_port.c", "@seam_port_tick s->old |= s->sent", "", ["bfs", "sgemm_naive", *SHARED_EVICTED], r"which no legal translation gives"),
]
# compaction = block: the judge finds errors of the compactor of both machines by the reports of the warps that are formed.
TBC, PAGES = ["--set", "compaction=tbc"], ["--set", "compaction=tlb"]
COMPACTOR = C + "compactor.c"
COMPACTED = [
    ("formed_unsaid", "tbc", "both", COMPACTOR, "@show_formed .mask = mask", ".mask = mask & (mask - 1) ? mask & (mask - 1) : mask", ["bfs", *TBC], r"issued for threads 0x\w+, which are not in this warp"),
    ("formed_early", "tbc", "both", COMPACTOR, "@ready (rows | s->flying) & warps ? STIRS :", "", ["bfs", *TBC, *SHARED_EVICTED], r"a (warp is formed|thread leaves its warp) while this instruction is not complete"),
    ("formed_home", "tbc", "both", COMPACTOR, "@show_formed s->home[w][t];", "(uint8_t)(s->home[w][t] ^ 7);", ["bfs", *TBC], r"a warp is formed with thread \d of warp \d, which is of another group"),
    ("formed_waits", "tbc", "both", COMPACTOR, "@pop !q->level", "!q->level || s->waits & warps", ["around", *TBC], r"threads 0x\w+ leave a barrier that other threads of their group have not reached"),
    ("formed_of_none", "tbc", "both", COMPACTOR, "@show_formed .mask = mask, .", ".", ["bfs", *TBC], r"a warp is formed of no thread, or before it has begun"),
]
# Pointers that each core's walker keeps (`odd` has three places).
DISTURBED_40 = ["--memory", "demand,frames=40,order=random:3,disturb=1"]
POINTERS = ["--set", "walk_cache=on"]
WALKED = r"core \d: a walk reads 0x\w+ as a table of level \d, to which no PTE that was read points"
KEPT = [
    ("kept_inv", "odd", "both", V + "ptw.c", "@ptw_tick in->inv_valid ||", "", ["list", "memcached", *DISTURBED_40, *POINTERS], WALKED + r"|which no legal translation gives|before the shootdown"),
    ("kept_place", "odd", "both", V + "ptw.c", "@pointer_find p->entry[e].at == at", "(p->entry[e].at ^ at) % 512 == 0", ["list", "memcached", "--memory", "paged", *POINTERS], WALKED + r"|which no legal translation gives"),
    ("kept_fault", "odd", "both", V + "ptw.c", "@is_pointer == PTE_V", "!= 1u << 30", ["list", "kmeans", "--memory", "demand", *POINTERS], r"fetch page fault"),
]
KEPT_SOUND = [["bfs", "list", *DISTURBED_40, *POINTERS], ["kmeans", "memcached", "--memory", "paged", *POINTERS, "--set", "walks=naive2"]]
KEPT_REGRESS = [[*memory, *POINTERS, "--set", f"walks={walks}"] for memory in (["--memory", "paged"], ["--memory", "demand"], DISTURBED_40) for walks in ("coalesced", "naive2")]
TBC_SOUND = [["bfs", "list", "blackscholes", *TBC], ["bfs", "list", "histogram", *TBC, *SHARED_EVICTED], ["around", *TBC], ["flow-0", *TBC], ["calls-0", *TBC], ["barriers-0", *TBC], ["flow-1", *TBC, "--memory", "demand,frames=24,order=random:3"],
             ["barriers-1", *TBC, "--memory", "paged,disturb=4", "--set", "warp_sched=gto"],
             ["bfs", "list", *PAGES, "--memory", "paged"], ["flow-0", *PAGES, "--set", "cpm_bits=1", "--memory", "demand,frames=24,order=random:3"], ["barriers-1", *PAGES, "--memory", "paged", "--set", "cpm_period=40"],
             # a warp issues before the last of its group is formed
             ["flow-2", *PAGES],
             ["reduce", "scan", "nw", *PAGES, *SHARED_EVICTED]]
# Sound machines: workloads and options of make test; VELLUM_REGRESS=1: all of them.
# Each page that goes and comes is five thousand cycles of flushes and copies: sizes with a few dozen of them show as much as the quick ones with hundreds.
FEW = ["--size", "83"]
HOME_SOUND = [["vecadd", "reduce", "histogram", "list"], ["vecadd", "list", *EVICTED, *FEW], ["reduce", "list", *EVICTED, *ZEROCOPY, *FEW]]
STACKS_SOUND = [["histogram", "list", *MEMCPY], ["reduce", "list", *EVICTED, *MANAGED]]
STACKS_REGRESS = [MEMCPY, MANAGED, [*EVICTED, *MEMCPY], [*EVICTED, *MANAGED]]
SHARED_SOUND = [["bfs", "--memory", "paged"], ["reduce", "kmeans", "list", *SHARED_EVICTED], ["list", *SHARED_EVICTED, "--set", "walks=naive1"], ["list", "--memory", SHARED_EVICTED[1] + ",flush=700"]]
SHARED_REGRESS = [[], ["--memory", "paged"], ["--memory", "demand"], SHARED_EVICTED, [*SHARED_EVICTED, "--set", "walks=naive1"]]
# `odd`, which has victim tags: each policy, with others than the defaults so that warps are held back and become due.
HELD = [x for p in ("gain=255", "decay=0", "hold=1") for x in ("--set", f"locality_{p}")]
LOCALITY_SOUND = [["mummergpu", "--set", "locality=ccws", *HELD], ["kmeans", "list", "reduce", *SHARED_EVICTED, "--set", "locality=tcws", *HELD]]
LOCALITY_REGRESS = [[*memory, "--set", f"locality={mode}", *more] for mode in ("ccws", "tcws") for memory in ([], ["--memory", "paged"], SHARED_EVICTED) for more in ([], HELD)]
# The usual configurations with victim tags and a compactor, VELLUM_REGRESS=1: every workload. Its results are the host's, so those without these structures.
VARIED = ["tiny+compaction=block+cpm_bits=3+locality_entries=4", "odd+compaction=block+cpm_bits=2", "small+compaction=block+cpm_bits=3+locality_entries=16", "warp32+compaction=block+cpm_bits=1+locality_entries=8"]
TCWS, CCWS = ([*HELD, "--set", f"locality={mode}"] for mode in ("tcws", "ccws"))
VARIED_REGRESS = [TBC, [*PAGES, *DISTURBED_40], [*TCWS, *DISTURBED_40], [*TBC, *DISTURBED_40], [*PAGES, "--memory", "paged"], [*PAGES, *TCWS, "--memory", "paged"], CCWS, ["barriers-1", *TBC, *TCWS], ["flow-0", *PAGES, *TCWS, *DISTURBED_40]]
HOME_REGRESS = [[], ["--memory", "paged"], ["--memory", "demand"], EVICTED, ZEROCOPY, [*EVICTED, *ZEROCOPY]]

# Checks that a machine cannot fail: they guard the judge against itself. There it compares with a value that it has computed itself, or the check
# before it fails first.
UNREACHABLE = {
    "a warp has ended, but its threads 0x%\0 have not",         # counted down by the same instructions that ended it
    "thread %u has requested an atomic at 0x%\0 with operand 0x%\0, its beat has 0x%\0 and 0x%",    # only where beats are slower than requests; verif/ref/judge has it
    "a workgroup begins on a core that belongs to no kernel",          # only with kernels that leave cores out: the controls run one on all
}
# Words put into a message, not messages.
PARTS = {"executed", "not executed", "executed here", "executed after its end", "twice", "but is not active", "though it is not active",
         "page", "access", "are not in this warp", "wait at a barrier", "has ended", "is of another group"}
