"""Machines that differ in numbers alone which the C model takes at run time (`at_run_time` in rtl/config/schema.toml): one model is built for all of them, with the largest value of each as its
limits, and the library of each machine is a copy of it with its own values (docs/sweep.md)."""
import fcntl
import functools
import json
import os
import struct
import tempfile

import children
import machines
from tree import CASE, ROOT, case

OBJCOPY = "llvm-objcopy-19"
CONFIG = f"build/cfg/{CASE}"   # in the trees of a model and of its members
members = {}   # (configuration, fields) -> (tree of its model, the text of its configuration, the fields that differ)


@functools.cache
def may_differ():
    schema = machines.generator.load_toml(f"{ROOT}/rtl/config/schema.toml")
    return [f["name"] for f in schema["field"] if f.get("at_run_time")]


def own_build(config, fields):
    """Whether it is a configuration of rtl/config, or was once built as a machine of its own."""
    d, name = machines.tree(config, fields)
    return name != CASE or os.path.isdir(f"{d}/build/cfg/{name}/obj")


def gather(wanted):
    """Of these (configuration, fields), those that one model can be are members from now on."""
    groups = {}
    for config, fields in sorted(set(wanted)):
        if not own_build(config, fields):
            values = machines.resolved(config, fields)
            groups.setdefault(tuple((k, v) for k, v in values.items() if k not in may_differ()), []).append((config, fields))
    for group in groups.values():
        values = [machines.resolved(*m) for m in group]
        limits = {k: max(v[k] for v in values) if k in may_differ() else v for k, v in values[0].items()}
        late = [k for k in limits if len({v[k] for v in values}) > 1]
        if not late:
            continue
        try:
            machines.generator.checked(limits, "the largest values together")
        except machines.generator.ConfigError:
            continue
        text = machines.toml(limits) + f"at_run_time = {json.dumps(late)}\n"
        members.update(dict.fromkeys(group, (os.path.join(machines.OUT, "trees", machines.name_of_text(text)), text, late)))


def model_of(config, fields):
    """The tree whose model it has: its own, or that of all members of its group."""
    return members[config, fields][0] if (config, fields) in members else machines.tree(config, dict(fields))[0]


@functools.cache
def sources():
    """A hash of all that a model is made of, except the values."""
    top = [f"{ROOT}/{d}" for d in ("mk", "rtl", "sim_c", "scripts/gen")]
    return machines.hash_of(f"{ROOT}/Makefile", *sorted(os.path.join(d, n) for t in top for d, _, names in os.walk(t) for n in names if not n.endswith(".pyc")))


def put(model, late, values, to):
    """A copy of the model's library, with the values of the fields that differ."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(to)) as d:
        with open(f"{d}/values", "wb") as f:
            f.write(struct.pack(f"{len(late)}I", *(values[k] for k in late)))
        r = children.run([OBJCOPY, "--update-section", f"at_run_time={d}/values", model, f"{d}/library"])
        if r.returncode:
            raise RuntimeError(f"{to}: {r.stderr}")
        os.replace(f"{d}/library", to)


@functools.cache
def model_library(config, model, text):
    """The library of a model, made once for its members, of which several may be built at once."""
    library = f"{model}/{CONFIG}/libvlmodel.so"
    with open(f"{machines.OUT}/trees/.{os.path.basename(model)}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        case(model, text)
        machines.make(config, model, [f"{CONFIG}/libvlmodel.so"], not os.path.exists(library))
    return library


def build(config, fields):
    """As machines.build. The second value is the same whatever the limits are, so that results are kept when a sweep gets another value."""
    model, text, late = members[config, fields]
    d, _ = machines.tree(config, dict(fields))
    machines.make(config, d, [f"{CONFIG}/vl_config.json"], False)
    put(model_library(config, model, text), late, machines.resolved(config, fields), f"{d}/{CONFIG}/libvlmodel.so")
    return d, machines.hash_of(f"{d}/{CONFIG}/vl_config.json") + sources()
