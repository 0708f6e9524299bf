#!/usr/bin/env python3
"""A reader of speedscope's JSON: prints its stacks as perf data convert --to folded has them, in byte order.

usage: speedscope-dump.py FILE [samples|weight]

The periods of each event are printed, or with a second word the other numbers that its stacks have.

Stops with a message if a frame does not exist, weights and samples differ in number, or a sum is wrong.
"""
import json
import os
import sys


def frame_text(frame):
    name = frame["name"].replace(";", ":")
    if "line" not in frame:
        return name
    plain = name.removesuffix(" (inlined)")
    return "%s %s:%d%s" % (plain, os.path.basename(frame["file"]), frame["line"], name[len(plain):])


def chosen(profiles, value):
    """The profiles with the value: (name of the event, profile)."""
    names = {p["name"] for p in profiles}
    for p in profiles:
        event, _, last = p["name"].rpartition("-")
        other = last if event in names and last in ("samples", "weight") else ""
        if other == value:
            yield event if other else p["name"], p


def main(path, value=""):
    top = json.load(open(path, encoding="utf-8"))
    several = len(list(chosen(top["profiles"], ""))) > 1
    frames = [frame_text(f) for f in top["shared"]["frames"]]
    sums = {}
    for p in top["profiles"]:
        if p["type"] != "sampled" or p["unit"] not in ("none", "nanoseconds"):
            sys.exit("profile %s has type %s and unit %s" % (p["name"], p["type"], p["unit"]))
        if len(p["samples"]) != len(p["weights"]):
            sys.exit("%d samples, %d weights" % (len(p["samples"]), len(p["weights"])))
        if (p["startValue"], p["endValue"]) != (0, sum(p["weights"])):
            sys.exit("weights are %d, not %d" % (sum(p["weights"]), p["endValue"]))
        for stack in p["samples"]:
            if min(stack, default=0) < 0:
                sys.exit("a frame has number %d" % min(stack))
    for event, p in chosen(top["profiles"], value):
        for stack, weight in zip(p["samples"], p["weights"]):
            path = ([event] if several else []) + [frames[f] for f in stack]
            path = ";".join(path)
            sums[path] = sums.get(path, 0) + weight
    sys.stdout.reconfigure(encoding="utf-8")
    for path in sorted(p for p in sums if sums[p]):
        print(path, sums[path])


main(*sys.argv[1:])
