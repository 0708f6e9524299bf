#!/usr/bin/env python3
"""A reader of processed profiles of the Firefox Profiler: checks them, and prints their samples.

usage: gecko-dump.py [--times] FILE

Prints stacks as perf data convert --to folded has them, in byte order: weights of events that count time are
nanoseconds, others are numbers of samples, or with -F period periods. --times: a line for each sample, in the order of the file: thread,
time in nanoseconds since the first one, weight, stack. Stops with a message if a member is missing or of
another type, columns differ in length, an index leads nowhere, or times go back.
"""
import decimal
import gzip
import json
import sys

NUMBER, TEXT, BOOL, NULL = (int, decimal.Decimal), str, bool, type(None)
INDEX = "index"

TABLES = {
    "stackTable": {"frame": (INDEX, "frameTable"), "prefix": (INDEX, "stackTable", NULL)},
    "frameTable": {"address": (int,), "inlineDepth": (int,), "category": (int,), "subcategory": (int,),
                   "func": (INDEX, "funcTable"), "nativeSymbol": (NULL,), "innerWindowID": (NULL,),
                   "line": (int, NULL), "column": (NULL,)},
    "funcTable": {"name": (INDEX, "stringArray"), "isJS": (BOOL,), "relevantForJS": (BOOL,),
                  "resource": (int,), "source": (INDEX, "sources", NULL), "lineNumber": (NULL,),
                  "columnNumber": (NULL,)},
    "resourceTable": {"lib": (INDEX, "libs"), "name": (INDEX, "stringArray"), "host": (NULL,), "type": (int,)},
    "sources": {"uuid": (NULL,), "filename": (INDEX, "stringArray")},
    "nativeSymbols": {"libIndex": (), "address": (), "name": (), "functionSize": ()},
}
META = {"interval": NUMBER, "startTime": NUMBER, "processType": int, "product": TEXT, "stackwalk": int,
        "version": int, "preprocessedProfileVersion": int, "markerSchema": list, "categories": list,
        "symbolicated": BOOL, "sampleUnits": dict}
THREAD = {"processType": TEXT, "processStartupTime": int, "processShutdownTime": NULL, "registerTime": int,
          "unregisterTime": NULL, "pausedRanges": list, "name": TEXT, "isMainThread": BOOL,
          "processName": TEXT, "pid": TEXT, "tid": int, "samples": dict, "markers": dict}
LIB = {"arch": TEXT, "name": TEXT, "path": TEXT, "debugName": TEXT, "debugPath": TEXT, "breakpadId": TEXT,
       "codeId": (TEXT, NULL)}


def check(ok, *what):
    if not ok:
        sys.exit("gecko: " + " ".join(str(w) for w in what))


def is_a(v, types):
    return isinstance(v, types) and (not isinstance(v, bool) or types is bool)


def check_members(where, obj, members):
    for key, types in members.items():
        check(key in obj, where, "lacks", key)
        check(is_a(obj[key], types), where, key, "is", repr(obj[key]))


def length_of(top, table):
    if table == "libs":
        return len(top["libs"])
    t = top["shared"][table]
    return len(t) if isinstance(t, list) else t["length"]


def check_cell(top, where, v, types):
    if types[0] != INDEX:
        check(any(is_a(v, t) for t in types), where, "is", repr(v))
    elif v is None:
        check(NULL in types, where, "is null")
    else:
        check(is_a(v, int) and 0 <= v < length_of(top, types[1]), where, "is", v)


def check_tables(top):
    for name, columns in TABLES.items():
        t = top["shared"][name]
        check(set(t) == set(columns) | {"length"}, name, "has", sorted(t))
        for key, types in columns.items():
            check(len(t[key]) == t["length"], name, key, "has", len(t[key]), "not", t["length"])
            for v in t[key]:
                check_cell(top, name + "." + key, v, types)
    for i, prefix in enumerate(top["shared"]["stackTable"]["prefix"]):
        check(prefix is None or prefix < i, "stack", i, "is before its prefix", prefix)
    for i in top["shared"]["frameTable"]["category"]:
        check(0 <= i < len(top["meta"]["categories"]), "category", i)
    for i in top["shared"]["funcTable"]["resource"]:
        check(-1 <= i < length_of(top, "resourceTable"), "resource", i)
    strings = top["shared"]["stringArray"]
    check(all(is_a(s, str) for s in strings) and len(set(strings)) == len(strings), "stringArray")


def check_profile(top):
    check_members("meta", top["meta"], META)
    check(top["meta"]["preprocessedProfileVersion"] == 60, "version")
    for c in top["meta"]["categories"]:
        check(c["subcategories"][0] == "Other", "subcategories")
    check("grey" in [c["color"] for c in top["meta"]["categories"]], "no grey category")
    for lib in top["libs"]:
        check_members("lib", lib, LIB)
        check(len(lib["breakpadId"]) == 33, "breakpadId", lib["breakpadId"])
    check_tables(top)
    for t in top["threads"]:
        check_members("thread", t, THREAD)
        check(int(t["pid"]) is not None, "pid")
        check(t["markers"]["length"] == 0, "markers")


def frame_text(top, frame):
    f, shared = top["shared"]["frameTable"], top["shared"]
    func = f["func"][frame]
    name = shared["stringArray"][shared["funcTable"]["name"][func]].replace(";", ":")
    return name + (" (inlined)" if f["inlineDepth"][frame] else "")


def stack_text(top, stack, known):
    if stack is None:
        return ""
    if stack not in known:
        t = top["shared"]["stackTable"]
        before = stack_text(top, t["prefix"][stack], known) if t["prefix"][stack] is not None else None
        frame = frame_text(top, t["frame"][stack])
        known[stack] = frame if before is None else before + ";" + frame
    return known[stack]


def samples_of(top, thread, known):
    s = thread["samples"]
    weights = s["weight"] or [decimal.Decimal(1)] * s["length"]
    time = s["weightType"] == "tracing-ms"
    check(time and s["weight"] is not None or s["weightType"] == "samples", "weightType")
    for key in ["stack", "timeDeltas"] + ["threadCPUDelta"] * ("threadCPUDelta" in s):
        check(len(s[key]) == s["length"], key, "has", len(s[key]), "not", s["length"])
    check(len(weights) == s["length"], "weight has", len(weights))
    at = 0
    for i in range(s["length"]):
        check(s["timeDeltas"][i] >= 0, "time goes back")
        check(s["stack"][i] is None or 0 <= s["stack"][i] < length_of(top, "stackTable"), "stack", s["stack"][i])
        at += s["timeDeltas"][i]
        yield (int(at * 1000000), int(weights[i] * (1000000 if time else 1)),
               stack_text(top, s["stack"][i], known))


def main(args):
    path = args[-1]
    read = gzip.open if open(path, "rb").read(2) == b"\x1f\x8b" else open
    top = json.load(read(path, "rt", encoding="utf-8"), parse_float=decimal.Decimal)
    check_profile(top)
    sums, known = {}, {}
    sys.setrecursionlimit(10000)
    sys.stdout.reconfigure(encoding="utf-8")
    for t in top["threads"]:
        for time, weight, stack in samples_of(top, t, known):
            if "--times" in args:
                print("%s/%d %s%s: %d %d %s" % (t["pid"], t["tid"], t["name"], "*" * t["isMainThread"], time, weight, stack))
            key = t["name"].replace(";", ":") + (";" + stack if stack else "")
            sums[key] = sums.get(key, 0) + weight
    if "--times" not in args:
        for key in sorted(sums):
            print(key, sums[key])


main(sys.argv[1:])
