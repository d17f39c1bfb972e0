#!/usr/bin/env python3
"""Breaks the device model by hand in one place after another (every check removed, every limit off by one, and more) and demands that
its tests fail each time. README.md lists them. The sound model must pass. Argument: a word; only mutants whose line has it."""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "verif/common"))
import plant  # noqa: E402
CHECK, DEVICE, STORE, REPORT, SET, TRACE = (f"sim_c/dram/{n}.c" for n in ("check", "device", "store", "report", "set", "trace"))
GONE = "(void)0;"

# file, text that occurs once, its replacement
MUTANTS = [
    # each check removed
    (CHECK, "need(d, DRAM_RULE_TRFC, d->ref, s->trfc, c->op < DRAM_CMD_PREA ? bank : 0);", GONE),
    (CHECK, "need(d, DRAM_RULE_TRP, d->bank[bank].pre, s->trp, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TRC, d->bank[bank].act, s->trc, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TRRD_L, d->group[g].act, s->trrd_l, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TRRD_S, d->group[g].act, s->trrd_s, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TFAW, d->acts[d->acts_next], s->tfaw, bank);", GONE),
    (CHECK, "if (start < d->bus_free)", "if (0)"),
    (CHECK, "if (write && !d->bus_write &&", "if (0 &&"),
    (CHECK, "need(d, DRAM_RULE_TRCD_RD, d->bank[bank].act, s->trcd_rd, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TCCD_L, d->group[g].rd, s->tccd_l, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TWTR_L, d->group[g].wr, written + s->twtr_l, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TCCD_S, d->group[g].rd, s->tccd_s, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TWTR_S, d->group[g].wr, written + s->twtr_s, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TRCD_WR, d->bank[bank].act, s->trcd_wr, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TCCD_L, d->group[g].wr, s->tccd_l, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TCCD_S, d->group[g].wr, s->tccd_s, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TRAS, d->bank[bank].act, s->tras, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TRTP, d->bank[bank].rd, s->trtp, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TWR, d->bank[bank].wr, s->tcwl + s->burst_clocks + s->twr, bank);", GONE),
    (CHECK, "need(d, DRAM_RULE_TRP, d->bank[b].pre, s->trp, b);", GONE),
    (CHECK, "need(d, DRAM_RULE_TRC, d->bank[b].act, s->trc, b);", GONE),
    (CHECK, "need(d, DRAM_RULE_REF_BURST, d->refs[d->refs_next], 2 * (int64_t)s->trefi, 0);", GONE),
    (CHECK, "if (!s->trefi)\n            return DRAM_RULE_REF_NONE;", GONE),
    (CHECK, "if (d->bank[bank].open) {", "if (0) {"),
    (CHECK, "return DRAM_RULE_COMMAND;", "return DRAM_RULE_NONE;"),
    (CHECK, "c->group >= s->bank_groups || c->bank >= s->banks", "c->bank >= s->banks"),
    (CHECK, "c->group >= s->bank_groups || c->bank >= s->banks", "c->group >= s->bank_groups"),
    (CHECK, "c->row >= s->rows ? DRAM_RULE_ADDRESS : d->bank[bank].open", "d->bank[bank].open"),
    (CHECK, "d->bank[bank].open ? DRAM_RULE_ACT_OPEN : DRAM_RULE_NONE", "DRAM_RULE_NONE"),
    (CHECK, "c->col >= s->columns || c->col % s->burst", "c->col % s->burst"),
    (CHECK, "c->col >= s->columns || c->col % s->burst", "c->col >= s->columns"),
    (CHECK, "return d->bank[bank].open ? DRAM_RULE_NONE : DRAM_RULE_CLOSED;", "return DRAM_RULE_NONE;"),
    (DEVICE, "if (dram_overdue(d, c))", "if (0)"),
    (DEVICE, "if (!write_pins_right(d, c, wr != NULL))", "if (wr == NULL && !write_pins_right(d, c, wr != NULL))"),
    (DEVICE, "if (!write_pins_right(d, c, wr != NULL))", "if (wr != NULL && !write_pins_right(d, c, wr != NULL))"),
    # limits and times off by one, wrong scopes
    (CHECK, "if (__builtin_expect(d->now - since < clocks, 0))", "if (__builtin_expect(d->now - since < clocks - 1, 0))"),
    (CHECK, "if (__builtin_expect(d->now - since < clocks, 0))", "if (__builtin_expect(d->now - since <= clocks, 0))"),
    (CHECK, "d->now <= d->ref_deadline", "d->now < d->ref_deadline"),
    (CHECK, "d->now <= d->ref_deadline", "d->now <= d->ref_deadline + 1"),
    (CHECK, "if (start < d->bus_free)", "if (start <= d->bus_free)"),
    (CHECK, "if (start < d->bus_free)", "if (start < d->bus_free - 1)"),
    (CHECK, "start < d->bus_free + d->set.turnaround)", "start < d->bus_free + d->set.turnaround - 1)"),
    (CHECK, "start < d->bus_free + d->set.turnaround)", "start <= d->bus_free + d->set.turnaround)"),
    (CHECK, "if (write && !d->bus_write &&", "if (write &&"),
    (CHECK, "if (write && !d->bus_write &&", "if (!d->bus_write &&"),
    (CHECK, "int64_t written = s->tcwl + s->burst_clocks;", "int64_t written = s->tcwl;"),
    (CHECK, "s->tcwl + s->burst_clocks + s->twr", "s->tcwl + s->twr"),
    (CHECK, "check_bus(d, false, s->tcl, bank);", "check_bus(d, false, s->tcwl, bank);"),
    (CHECK, "check_bus(d, true, s->tcwl, bank);", "check_bus(d, true, s->tcl, bank);"),
    (CHECK, "            check_pre(d, b);", "            check_pre(d, 0);"),
    (CHECK, "d->refs[d->refs_next], 2 *", "d->refs[d->refs_next],"),
    (CHECK, "since + clocks <= (int64_t)", "since + clocks >= (int64_t)"),
    (CHECK, "    d->violation.broken = 0;\n", ""),
    # state after commands
    (DEVICE, "b->pre = d->now; /*", "/*"),
    (DEVICE, "b->pre = d->now; /*", "if (b->act > b->pre) b->pre = d->now; /*"),
    (DEVICE, "    b->open = false;\n", ""),
    (DEVICE, "b->used = false;", GONE),
    (DEVICE, "b->used = true;", GONE),
    (DEVICE, "b->act = d->group[c->group].act = d->acts[d->acts_next] = d->now;", "b->act = d->acts[d->acts_next] = d->now;"),
    (DEVICE, "b->act = d->group[c->group].act = d->acts[d->acts_next] = d->now;", "b->act = d->group[c->group].act = d->now;"),
    (DEVICE, "b->act = d->group[c->group].act = d->acts[d->acts_next] = d->now;", "d->group[c->group].act = d->acts[d->acts_next] = d->now;"),
    (DEVICE, "d->acts_next = (d->acts_next + 1) % 4;", "d->acts_next = (d->acts_next + 1) % 3;"),
    (DEVICE, "b->row = c->row;", GONE),
    (DEVICE, "b->wr = d->group[c->group].wr = d->now;", "b->wr = d->now;"),
    (DEVICE, "b->wr = d->group[c->group].wr = d->now;", "d->group[c->group].wr = d->now;"),
    (DEVICE, "b->rd = d->group[c->group].rd = d->now;", "b->rd = d->now;"),
    (DEVICE, "b->rd = d->group[c->group].rd = d->now;", "d->group[c->group].rd = d->now;"),
    (DEVICE, "    d->bus_write = write;\n", ""),
    (DEVICE, "d->bus_free = t->start + s->burst_clocks;", "d->bus_free = t->start;"),
    (DEVICE, "            precharge(d, &d->bank[i]);", "            precharge(d, &d->bank[0]);"),
    # refresh
    (DEVICE, "    d->ref = d->now;\n", ""),
    (DEVICE, "if (late > -most)", "if (1)"),
    (DEVICE, "if (late > -most)", "if (late >= -most)"),
    (DEVICE, "if (late > -most)", "if (late > 1 - most)"),
    (DEVICE, "postponed = (d->refs_done + most + 1) * interval", "postponed = (d->refs_done + most) * interval"),
    (DEVICE, "apart = d->now + (most + 1) * interval", "apart = INT64_MAX"),
    (DEVICE, "d->ref_deadline = postponed < apart ? postponed : apart;", "d->ref_deadline = apart;"),
    (DEVICE, "d->refs_next = (d->refs_next + 1) % s->refresh_burst;", "d->refs_next = (d->refs_next + 1) % (s->refresh_burst + 1);"),
    (DEVICE, "(set->refresh_postpone + 1) * (int64_t)set->trefi : INT64_MAX", "set->refresh_postpone * (int64_t)set->trefi : INT64_MAX"),
    (DEVICE, "d->ref = LONG_AGO;", "d->ref = 0;"),
    # data and pins
    (DEVICE, "t->start = d->now + (write ? s->tcwl : s->tcl);", "t->start = d->now + s->tcl;"),
    (DEVICE, "t->offset = c->col * (s->bus_bits / 8);", "t->offset = 0;"),
    (DEVICE, "(uint32_t)(d->now - t->start) * d->beat", "0"),
    (DEVICE, "if (d->now == t->start + d->set.burst_clocks - 1) {", "if (d->now == t->start) {"),
    (DEVICE, "if ((wr->mask & all) == all)", "if (1)"),
    (DEVICE, "for (uint64_t m = wr->mask & all;", "for (uint64_t m = wr->mask;"),
    (DEVICE, "c->op == DRAM_CMD_WR && !d->set.tcwl;", "false;"),
    (DEVICE, "        memset(rd, 0, d->beat);", "        memset(rd, 1, d->beat);"),
    (DEVICE, "        perform(d, c);\n    *rd_valid", "        perform(d, c), d->now += 0;\n    *rd_valid = false; return 0;\n    *rd_valid"),
    (STORE, "d->rows[(size_t)bank * d->set.rows + row]", "d->rows[(size_t)bank * (d->set.rows - 1) + row]"),
    (STORE, "offset > d->row_bytes || bytes > d->row_bytes - offset", "offset > d->row_bytes || offset + bytes > d->row_bytes"),
    (STORE, "d->flight_count ? SIM_ESTATE : 0", "0"),
    (STORE, "group >= s->bank_groups ||", ""),
    # skipping
    (DEVICE, "if (clocks > dram_due(d) ||", "if ("),
    (DEVICE, "if (clocks > dram_due(d) ||", "if (clocks >= dram_due(d) ||"),
    (DEVICE, "d->now + (int64_t)clocks - 1 > d->ref_deadline", "d->now + (int64_t)clocks > d->ref_deadline"),
    (DEVICE, "d->now = d->ref_deadline + 1;", "d->now = d->ref_deadline;"),
    (DEVICE, "    d->now += (int64_t)clocks;\n", "    d->now += (int64_t)clocks - (clocks > 40);\n"),
    (DEVICE, "return start > d->now ? (uint64_t)(start - d->now) : 0;", "return start > d->now ? (uint64_t)(start - d->now) - 1 : 0;"),
    # statistics, reports, sets, traces
    (DEVICE, "d->stats.row_hits += b->used;", "d->stats.row_hits++;"),
    (DEVICE, "d->stats.write_clocks += s->burst_clocks;", GONE),
    (DEVICE, "    d->stats.commands[c->op]++;\n", ""),
    (DEVICE, "    d->stats_from = d->now;\n", ""),
    (REPORT, "if (only_bank && !concerns(&p->cmd, v->group, v->bank))", "if (0)"),
    (REPORT, "d->history[i % HISTORY]", "d->history[(i + 1) % HISTORY]"),
    (REPORT, "o->used += n > 0 ? (size_t)n : 0;", "o->used += (size_t)n < left ? (size_t)n : left;"),
    (SET, "if (v < field[i].least || v > field[i].most)", "if (v > field[i].most)"),
    (SET, "if (v < field[i].least || v > field[i].most)", "if (v < field[i].least)"),
    (SET, "        if (seen[i])\n", "        if (0)\n"),
    (SET, "        if (!seen[i])\n", "        if (0)\n"),
    (SET, "if (s->tccd_s > s->tccd_l || s->trrd_s > s->trrd_l ||", "if ("),
    (SET, "*at(set, i) = (uint32_t)v;", "*at(set, i) = (uint32_t)v + (i == 9);"),
    (TRACE, "    if (cycle < t->cycle)\n        return SIM_EINVAL;\n", ""),
    (TRACE, 'write ? "WRITE" : "READ"', 'write ? "READ" : "WRITE"'),
]


def build_and_test(folder, number, mutant):
    """'killed', 'survived', or why the mutant is none."""
    src = os.path.join(folder, f"m{number}")
    shutil.copytree(os.path.join(ROOT, "sim_c/dram"), os.path.join(src, "sim_c/dram"))
    if mutant:
        name, old, new = mutant
        path = os.path.join(src, name)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if plant.misfit(text, old):
            return plant.misfit(text, old)
        with open(path, "w", encoding="utf-8") as f:
            f.write(plant.plant(text, old, new))
    tests = os.path.join(ROOT, "verif/dram/device")
    sources = [os.path.join(src, "sim_c/dram", f) for f in sorted(os.listdir(os.path.join(src, "sim_c/dram"))) if f.endswith(".c")]
    sources += [os.path.join(tests, f) for f in sorted(os.listdir(tests)) if f.endswith(".c") and f != "speed.c"]
    program = os.path.join(src, "test")
    built = subprocess.run(["clang-19", "-fuse-ld=lld", "-std=c17", "-O1", "-w", "-D_GNU_SOURCE", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                            f"-I{src}", f"-I{ROOT}", "-o", program, *sources, "-lcmocka"], capture_output=True, text=True)
    if built.returncode:
        return "it does not compile: " + built.stderr[:300]
    try:
        status = subprocess.run([program], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60).returncode
    except subprocess.TimeoutExpired:
        status = 1
    shutil.rmtree(src)
    return "killed" if status else "survived"


def changes():
    """Planted bugs, for verif/config/planted: (file, [(text, replacement)...])."""
    return [(path, [(old, new)]) for path, old, new in MUTANTS]


def main():
    chosen = [m for m in MUTANTS if len(sys.argv) < 2 or sys.argv[1] in m[1]]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(build_and_test, folder, n, m) for n, m in enumerate([None] + chosen)]
        for job, m in zip(jobs, [None] + chosen):
            want = "killed" if m else "survived"
            if job.result() == want:
                passed += 1
            else:
                failed += 1
                print(f"FAILED: {'the sound model' if not m else m}: {job.result()}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
