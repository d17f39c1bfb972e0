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
    (CHECK, "@dram_legal need(d, DRAM_RULE_TRFC, d->ref, s->trfc, c->op < DRAM_CMD_PREA ? bank : 0);", GONE),
    (CHECK, "@check_act need(d, DRAM_RULE_TRP, d->bank[bank].pre, s->trp, bank);", GONE),
    (CHECK, "@check_act need(d, DRAM_RULE_TRC, d->bank[bank].act, s->trc, bank);", GONE),
    (CHECK, "@check_act need(d, DRAM_RULE_TRRD_L, d->group[g].act, s->trrd_l, bank);", GONE),
    (CHECK, "@check_act need(d, DRAM_RULE_TRRD_S, d->group[g].act, s->trrd_s, bank);", GONE),
    (CHECK, "@check_act need(d, DRAM_RULE_TFAW, d->acts[d->acts_next], s->tfaw, bank);", GONE),
    (CHECK, "@check_bus (start < d->bus_free)", "(0)"),
    (CHECK, "@check_bus write && !d->bus_write", "0"),
    (CHECK, "@check_rd need(d, DRAM_RULE_TRCD_RD, d->bank[bank].act, s->trcd_rd, bank);", GONE),
    (CHECK, "@check_rd need(d, DRAM_RULE_TCCD_L, d->group[g].rd, s->tccd_l, bank);", GONE),
    (CHECK, "@check_rd need(d, DRAM_RULE_TWTR_L, d->group[g].wr, written + s->twtr_l, bank);", GONE),
    (CHECK, "@check_rd need(d, DRAM_RULE_TCCD_S, d->group[g].rd, s->tccd_s, bank);", GONE),
    (CHECK, "@check_rd need(d, DRAM_RULE_TWTR_S, d->group[g].wr, written + s->twtr_s, bank);", GONE),
    (CHECK, "@check_wr need(d, DRAM_RULE_TRCD_WR, d->bank[bank].act, s->trcd_wr, bank);", GONE),
    (CHECK, "@check_wr need(d, DRAM_RULE_TCCD_L, d->group[g].wr, s->tccd_l, bank);", GONE),
    (CHECK, "@check_wr need(d, DRAM_RULE_TCCD_S, d->group[g].wr, s->tccd_s, bank);", GONE),
    (CHECK, "@check_pre need(d, DRAM_RULE_TRAS, d->bank[bank].act, s->tras, bank);", GONE),
    (CHECK, "@check_pre need(d, DRAM_RULE_TRTP, d->bank[bank].rd, s->trtp, bank);", GONE),
    (CHECK, "@check_pre need(d, DRAM_RULE_TWR, d->bank[bank].wr, s->tcwl + s->burst_clocks + s->twr, bank);", GONE),
    (CHECK, "@check_ref need(d, DRAM_RULE_TRP, d->bank[b].pre, s->trp, b);", GONE),
    (CHECK, "@check_ref need(d, DRAM_RULE_TRC, d->bank[b].act, s->trc, b);", GONE),
    (CHECK, "@check_ref need(d, DRAM_RULE_REF_BURST, d->refs[d->refs_next], 2 * (int64_t)s->trefi, 0);", GONE),
    (CHECK, "@check_protocol if (!s->trefi) return DRAM_RULE_REF_NONE;", GONE),
    (CHECK, "@check_protocol (d->bank[bank].open)", "(0)"),
    (CHECK, "@check_protocol DRAM_RULE_COMMAND", "DRAM_RULE_NONE"),
    (CHECK, "@check_protocol c->group >= s->bank_groups ||", ""),
    (CHECK, "@check_protocol || c->bank >= s->banks", ""),
    (CHECK, "@check_protocol c->row >= s->rows ? DRAM_RULE_ADDRESS :", ""),
    (CHECK, "@check_protocol d->bank[bank].open ? DRAM_RULE_ACT_OPEN :", ""),
    (CHECK, "@check_protocol >= s->columns || c->col", ""),
    (CHECK, "@check_protocol || c->col % s->burst", ""),
    (CHECK, "@check_protocol d->bank[bank].open ? DRAM_RULE_NONE : DRAM_RULE_CLOSED", "DRAM_RULE_NONE"),
    (DEVICE, "@dram_tick (dram_overdue(d, c))", "(0)"),
    (DEVICE, "@dram_tick !write_pins_right", "wr == NULL && !write_pins_right"),
    (DEVICE, "@dram_tick !write_pins_right", "wr != NULL && !write_pins_right"),
    # limits and times off by one, wrong scopes
    (CHECK, "@need clocks, 0", "clocks - 1, 0"),
    (CHECK, "@need since <", "since <="),
    (CHECK, "@dram_overdue d->now <=", "d->now <"),
    (CHECK, "@dram_overdue d->now <= d->ref_deadline", "d->now <= d->ref_deadline + 1"),
    (CHECK, "@check_bus (start < d->bus_free)", "(start <= d->bus_free)"),
    (CHECK, "@check_bus (start < d->bus_free)", "(start < d->bus_free - 1)"),
    (CHECK, "@check_bus start < d->bus_free + d->set.turnaround", "start < d->bus_free + d->set.turnaround - 1"),
    (CHECK, "@check_bus < d->bus_free +", "<= d->bus_free +"),
    (CHECK, "@check_bus !d->bus_write &&", ""),
    (CHECK, "@check_bus write &&", ""),
    (CHECK, "@check_rd + s->burst_clocks", ""),
    (CHECK, "@check_pre s->burst_clocks +", ""),
    (CHECK, "@check_rd s->tcl", "s->tcwl"),
    (CHECK, "@check_wr s->tcwl", "s->tcl"),
    (CHECK, "@dram_legal d, b", "d, 0"),
    (CHECK, "@check_ref , 2 *", ","),
    (CHECK, "@broken clocks <=", "clocks >="),
    (CHECK, "@dram_legal d->violation.broken = 0;", ""),
    # state after commands
    (DEVICE, "@precharge b->pre = d->now;", ""),
    (DEVICE, "@precharge b->pre", "if (b->act > b->pre) b->pre"),
    (DEVICE, "@precharge b->open = false;", ""),
    (DEVICE, "@perform b->used = false;", GONE),
    (DEVICE, "@column b->used = true;", GONE),
    (DEVICE, "@perform d->group[c->group].act =", ""),
    (DEVICE, "@perform d->acts[d->acts_next] =", ""),
    (DEVICE, "@perform b->act =", ""),
    (DEVICE, "@perform 4", "3"),
    (DEVICE, "@perform b->row = c->row;", GONE),
    (DEVICE, "@column d->group[c->group].wr =", ""),
    (DEVICE, "@column b->wr =", ""),
    (DEVICE, "@column d->group[c->group].rd =", ""),
    (DEVICE, "@column b->rd =", ""),
    (DEVICE, "@column d->bus_write = write;", ""),
    (DEVICE, "@column + s->burst_clocks", ""),
    (DEVICE, "@perform d->bank[i]", "d->bank[0]"),
    # refresh
    (DEVICE, "@refresh d->ref = d->now;", ""),
    (DEVICE, "@refresh late > -most", "1"),
    (DEVICE, "@refresh > -most", ">= -most"),
    (DEVICE, "@refresh -most", "1 - most"),
    (DEVICE, "@refresh + most + 1", "+ most"),
    (DEVICE, "@refresh d->now + (most + 1) * interval", "INT64_MAX"),
    (DEVICE, "@refresh postponed < apart ? postponed :", ""),
    (DEVICE, "@refresh s->refresh_burst;", "(s->refresh_burst + 1);"),
    (DEVICE, "@dram_create (set->refresh_postpone + 1)", "set->refresh_postpone"),
    (DEVICE, "@dram_create d->ref = LONG_AGO", "d->ref = 0"),
    # data and pins
    (DEVICE, "@column (write ? s->tcwl : s->tcl);", "s->tcl;"),
    (DEVICE, "@column c->col * (s->bus_bits / 8);", "0;"),
    (DEVICE, "@move_data (uint32_t)(d->now - t->start) * d->beat", "0"),
    (DEVICE, "@move_data + d->set.burst_clocks - 1", ""),
    (DEVICE, "@write_beat (wr->mask & all) == all", "1"),
    (DEVICE, "@write_beat wr->mask & all;", "wr->mask;"),
    (DEVICE, "@write_pins_right c->op == DRAM_CMD_WR && !d->set.tcwl", "false"),
    (DEVICE, "@move_data rd, 0", "rd, 1"),
    (DEVICE, "@dram_tick perform(d, c)", "perform(d, c), d->now += 0; *rd_valid = false; return 0"),
    (STORE, "@place_of d->set.rows", "(d->set.rows - 1)"),
    (STORE, "@back_door bytes > d->row_bytes - offset", "offset + bytes > d->row_bytes"),
    (STORE, "@back_door d->flight_count ? SIM_ESTATE :", ""),
    (STORE, "@back_door group >= s->bank_groups ||", ""),
    # skipping
    (DEVICE, "@dram_skip clocks > dram_due(d) ||", ""),
    (DEVICE, "@dram_skip > dram_due(d)", ">= dram_due(d)"),
    (DEVICE, "@dram_skip clocks - 1", "clocks"),
    (DEVICE, "@dram_skip + 1", ""),
    (DEVICE, "@dram_skip clocks;", "clocks - (clocks > 40);"),
    (DEVICE, "@dram_due : 0;", "- 1 : 0;"),
    # statistics, reports, sets, traces
    (DEVICE, "@column += b->used;", "++;"),
    (DEVICE, "@column d->stats.write_clocks += s->burst_clocks;", GONE),
    (DEVICE, "@perform d->stats.commands[c->op]++;", ""),
    (DEVICE, "@dram_stats_clear d->stats_from = d->now;", ""),
    (REPORT, "@say_history (only_bank && !concerns(&p->cmd, v->group, v->bank))", "(0)"),
    (REPORT, "@say_history i % HISTORY", "(i + 1) % HISTORY"),
    (REPORT, "@format n > 0 ? (size_t)n : 0", "(size_t)n < left ? (size_t)n : left"),
    (SET, "@dram_set_check < field[i].least || v", ""),
    (SET, "@dram_set_check || v > field[i].most", ""),
    (SET, "@assign (seen[i])", "(0)"),
    (SET, "@dram_set_parse (!seen[i])", "(0)"),
    (SET, "@dram_set_check s->tccd_s > s->tccd_l || s->trrd_s > s->trrd_l ||", ""),
    (SET, "@assign (uint32_t)v", "(uint32_t)v + (i == 9)"),
    (TRACE, "@dram_trace_add if (cycle < t->cycle) return SIM_EINVAL;", ""),
    (TRACE, '@dram_trace_add "WRITE" : "READ"', '"READ" : "WRITE"'),
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
