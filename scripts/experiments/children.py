"""Programs that a script runs: they end with it, whichever signal ends it.

Each program leads a process group of its own, so that a signal of the terminal reaches the script alone and `end` reaches the program's own children.
"""
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

GRACE = 5  # seconds that a program has to clean up
_lock, _running, _ended = threading.Lock(), set(), False


class Ended(KeyboardInterrupt):
    """SIGINT, SIGTERM or SIGHUP."""
    def __init__(self, number):
        super().__init__()
        self.number = number


_asked = []  # signals


def _raise(number, _):
    _asked.append(number)
    raise Ended(number)


def check():
    """Raises the signal that has come. Python drops an exception that a handler raises in a destructor, and a wait that begins as the signal comes does not end: a loop that waits calls this."""
    if _asked:
        raise Ended(_asked[0])


def catch_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _raise)


@contextlib.contextmanager
def started(words, **how):
    """A program while it runs, as subprocess.Popen; none begins after `end`."""
    with _lock:
        if _ended:
            raise KeyboardInterrupt
        p = subprocess.Popen(words, stdin=subprocess.DEVNULL, process_group=0, **how)
        _running.add(p)
    try:
        yield p
    finally:
        with _lock:
            _running.discard(p)


def run(words, **how):
    """As subprocess.run with the texts of both outputs."""
    with started(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **how) as p:
        out, err = p.communicate()
    return subprocess.CompletedProcess(words, p.returncode, out, err)


def _signal_all(number):
    with _lock:
        for p in _running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, number)
        return bool(_running)


def end():
    """Ends all programs that run, those that ignore SIGTERM after some seconds."""
    global _ended
    _ended = True
    give_up = time.monotonic() + GRACE
    left = _signal_all(signal.SIGTERM)
    while left and time.monotonic() < give_up:
        time.sleep(0.02)
        left = _signal_all(0)
    _signal_all(signal.SIGKILL)


def main(name, function):
    """The exit status of a command that `function` is: its own, or that of the signal or the full disk that ended it, after one line."""
    catch_signals()
    try:
        status = function()
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # of `| head`
        os._exit(141)
    except KeyboardInterrupt as e:
        end()
        number = e.number if isinstance(e, Ended) else signal.SIGINT
        print(f"{name}: {'interrupted' if number == signal.SIGINT else f'ended by {signal.Signals(number).name}'}; finished runs are kept, and the same command continues there", file=sys.stderr)
        return 128 + number
    except OSError as e:
        end()
        print(f"{name}: {e.filename or 'a file'}: {e.strerror}", file=sys.stderr)
        return 1


def write_whole(path, data):
    """A file of this text or these bytes, whole or not there."""
    part = f"{path}.part"
    try:
        with open(part, "wb") as f:
            f.write(data.encode() if isinstance(data, str) else data)
        os.replace(part, path)
    except OSError as e:
        with contextlib.suppress(OSError):
            os.remove(part)
        raise OSError(e.errno, e.strerror, path) from e
