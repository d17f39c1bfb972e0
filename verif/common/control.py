"""Negative controls of a bench: it runs with a planted bug and must report it."""
import subprocess
import threading


def run(command, words=None, limit=120):
    """A bench's output, the failed check in which it reports `words` (None: without one), and whether the bench passed. With `words` it is stopped as soon as it
    has reported them: the other seeds could only report them again. Without, it is a sound one that runs to its end."""
    bench = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    late = threading.Event()

    def stop():
        late.set()
        bench.kill()
    timer = threading.Timer(limit, stop)
    timer.start()
    lines, report = [], None
    for line in bench.stdout:
        lines.append(line)
        if words is not None and "check failed" in line and words in line:
            report = line.rstrip("\n")
            bench.kill()
            break
    bench.stdout.close()
    status = bench.wait()
    timer.cancel()
    return "".join(lines) + ("takes forever\n" if late.is_set() else ""), report, status == 0
