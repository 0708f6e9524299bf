#!/usr/bin/env python3
"""Sums of what perf data convert has written: a line "EVENT NUMBER-OF-SAMPLES PERIOD WEIGHT" for each event, sorted.

usage: data-sums.py rows|sqlite|pprof|speedscope|callgrind|ctf FILE [FORMAT FILE]...

Further files must have the sums of the first one, else theirs are printed and the status is 1. The files of formats are read by the dumps beside this one, which check them. Weights that do not exist are 0.
"""
import contextlib
import io
import json
import os
import runpy
import sys


def dump(tool, path):
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), tool + "-dump.py")
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.argv = [tool, path]
    with contextlib.redirect_stdout(out):
        runpy.run_path(tool, run_name="__main__")
    out.flush()
    return out.buffer.getvalue().decode().split("\n")[:-1]


def rows(path):
    def lines(table):
        with open(os.path.join(path, table + ".tsv"), encoding="utf-8") as f:
            return [line.split("\t") for line in f.read().split("\n")[1:-1]]
    event = {r[0]: r[5] for r in lines("profile")}
    for r in lines("sample"):
        yield event[r[0]], int(r[4])
        if not event[r[0]].endswith("-weight"):
            yield event[r[0]] + "-samples", int(r[3])


def sqlite(path):
    import sqlite3
    query = "SELECT p.event, s.value, s.count FROM sample s JOIN profile p ON p.id = s.profile"
    for event, value, count in sqlite3.connect(path).execute(query):
        yield event, value
        if not event.endswith("-weight"):
            yield event + "-samples", count


def pprof(path):
    types = []
    for line in dump("pprof", path):
        words = line.split(" ")
        if words[0] == "type":
            types.append(" ".join(words[1:-1]))
        elif words[0] == "sample":
            for name, value in zip(types, words[1].split(",")):
                yield types[1] + "-samples" if name == "samples" else name, int(value)


def speedscope(path):
    dump("speedscope", path)
    for p in json.load(open(path, encoding="utf-8"))["profiles"]:
        yield p["name"], p["endValue"]


def callgrind(path):
    dump("callgrind", path)
    names = []
    for line in open(path, encoding="utf-8", newline="\n"):
        if line.startswith("event: "):
            names.append(line.split(" : ", 1)[1].rsplit(" ", 1)[0])
        if line.startswith("summary:"):
            yield from zip(names, map(int, line.split()[1:]))
            return


def ctf(path):
    for line in dump("ctf", path):
        words = line.split(" ")
        fields = dict(w.split("=", 1) for w in words[3:] if "=" in w)
        yield words[2] + "-samples", 1
        yield words[2], int(fields["perf_period"])
        yield words[2] + "-weight", int(fields.get("perf_weight", 0))


def sums_of(kind, path):
    sums = {}
    for name, value in {"rows": rows, "sqlite": sqlite, "pprof": pprof, "speedscope": speedscope, "callgrind": callgrind,
                        "ctf": ctf}[kind](path):
        sums[name] = sums.get(name, 0) + value
    for event in sorted(e for e in sums if not e.endswith("-samples") and not e.endswith("-weight")):
        numbers = [sums.get(event + more, 0) for more in ("-samples", "", "-weight")]
        if any(numbers):
            yield " ".join(map(str, [event, *numbers]))


def main(*words):
    first = list(sums_of(*words[:2]))
    print(*first, sep="\n")
    for kind, path in zip(words[2::2], words[3::2]):
        other = list(sums_of(kind, path))
        if other != first:
            sys.exit("\n".join([f"{kind} {path}:", *other, "instead of:", *first]))


main(*sys.argv[1:])
