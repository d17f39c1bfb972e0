"""Runs a bench and tells from what it prints whether it noticed something: it is stopped at the first sign."""
import os
import re
import subprocess
import threading
import time

BAD = re.compile(r"FAILED|check failed|: rtl |Assertion failed|%Error|never reached|_idle\(\) was true|depends on an input")


def run_bench(program, number, limit, args=(), cwd=None):
    """(how it failed or None, seconds): stops at the first sign of failure."""
    begin = time.monotonic()
    env = dict(os.environ, VL_MUTANT=str(number))
    p = subprocess.Popen([program, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=env,
                         cwd=cwd or os.path.dirname(program))
    late = threading.Event()

    def stop():
        late.set()
        p.kill()
    timer = threading.Timer(limit, stop)
    timer.start()
    why, last = None, ""
    for line in p.stdout:
        last = line.strip() or last
        if BAD.search(line):
            why = line.strip()[:160]
            p.kill()
            break
    p.stdout.close()
    p.wait()
    timer.cancel()
    if why is None and late.is_set():
        why = f"time-out after {limit:.0f} s"
    elif why is None and p.returncode:
        why = f"exit status {p.returncode}: {last[:120]}"
    elif why is None and not re.match(r"[1-9]\d* passed, 0 failed", last):
        why = f"no result: {last[:120]}"
    return why, time.monotonic() - begin
