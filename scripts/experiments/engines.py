"""Engines that run a sweep on several machines (docs/sweep.md).

`dask:ADDRESS` is a scheduler of Dask distributed. Its workers see this tree at the same path, as the nodes of a cluster do. They run this
command again, with one task (`sweep --one`), so that a worker needs Python and the package, and imports nothing of this project.
"""
import json
import os
import subprocess
import sys
import uuid

VENV = "build/venv/bin/python"


class Unreachable(Exception):
    """The text says what is missing."""


class Dask:
    def __init__(self, address, root):
        try:
            import distributed
        except ImportError as e:
            if os.path.exists(f"{root}/build/venv/.dask") and os.path.realpath(sys.prefix) != os.path.realpath(f"{root}/build/venv"):
                os.execv(f"{root}/{VENV}", [f"{root}/{VENV}", *sys.argv])
            raise Unreachable("--on dask: the Python package distributed is not here (scripts/setup dask)") from e
        try:
            self.client = distributed.Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as e:
            raise Unreachable(f"--on dask:{address}: no scheduler answers there") from e
        self.mark = uuid.uuid4().hex
        self.command = ["python3", f"{root}/scripts/experiments/sweep", "--one", self.mark]

    def slots(self):
        return sum(self.client.nthreads().values())

    def execute(self, task):
        """What the task's run says there. A worker that goes away loses nothing: the scheduler gives its tasks to another."""
        r = self.client.submit(subprocess.run, self.command, input=json.dumps(task), capture_output=True, text=True, check=False, pure=False, retries=3).result()
        return json.loads(r.stdout) if r.returncode == 0 else {"failed": (r.stderr.strip().splitlines() or ["no message"])[-1]}

    def close(self):
        """Ends the tasks that are under way as well."""
        self.client.run(subprocess.run, ["pkill", "-TERM", "-f", self.mark], nanny=False, on_error="ignore")
        self.client.close()
