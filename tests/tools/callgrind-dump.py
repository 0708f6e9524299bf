#!/usr/bin/env python3
"""A strict reader of callgrind's format: prints what functions cost, a line for each event and function.

usage: callgrind-dump.py FILE
    EVENT FUNCTION SELF TOTAL

SELF is of all activations of a function (FUNCTION and FUNCTION'2); TOTAL is the cost of the calls of FUNCTION, or
what it and its own calls cost if nobody calls it, as callgrind_annotate --inclusive=yes counts it.

Stops with a message at a line that is not of the format, at a number without a name, or if a sum is wrong.
"""
import re
import sys

NAME = re.compile(r"(c?ob|fl|fi|fe|cfi|fn|cfn)=\((\d+)\)(?: (.+))?$")
HEADER = re.compile(r"(# callgrind format|(version|creator|desc|positions|event|events|summary): ?.*|)$")
TABLE = {"fi": "fl", "fe": "fl", "cfi": "fl", "cob": "ob", "cfn": "fn"}


class Reader:
    def __init__(self):
        self.names, self.now, self.header = {}, {}, {"event": []}
        self.self_cost, self.called, self.calls = {}, {}, {}
        self.is_call = False

    def name(self, key, number, text):
        table = TABLE.get(key, key)
        if (text is None) != ((table, number) in self.names):
            sys.exit("%s=(%s) has no name, or two" % (key, number))
        self.names.setdefault((table, number), text)
        self.now[key] = number

    def add(self, sums, function, costs):
        old = sums.setdefault(function, [0] * len(costs))
        sums[function] = [a + b for a, b in zip(old, costs)]

    def cost(self, words):
        positions = self.header["positions"].split()
        if positions not in (["line"], ["instr", "line"]) or positions[:-1] and not words[0].startswith("0x"):
            sys.exit("positions are wrong")
        events = len(self.header.get("events", "").split())
        costs = [int(word) for word in words[len(positions):]]
        if not 1 <= len(costs) <= events:
            sys.exit("%d costs" % len(costs))
        costs += [0] * (events - len(costs))
        if self.is_call:
            self.add(self.called, self.now["cfn"], costs)
            self.add(self.calls, self.now["fn"], costs)
        else:
            self.add(self.self_cost, self.now["fn"], costs)
        self.is_call = False

    def line(self, text):
        match = NAME.match(text)
        if "fn" not in self.now and not match:
            if not HEADER.match(text):
                sys.exit("not a line of the header: " + text)
            key, _, value = text.partition(": ")
            if key == "event":
                self.header[key].append(value)
            else:
                self.header[key] = value
        elif match:
            self.name(*match.groups())
        elif re.match(r"calls=[1-9]\d*( 0x[0-9a-f]+)? \d+$", text):
            self.is_call = True
        elif re.match(r"(0x[0-9a-f]+ )?\d+( \d+)+$", text):
            self.cost(text.split())
        elif text:
            sys.exit("not a line of the format: " + text)

    def show(self):
        summary = [int(word) for word in self.header.get("summary", "").split()]
        costs = list(self.self_cost.values()) or [[0] * len(summary)]
        if [sum(c) for c in zip(*costs)] != summary:
            sys.exit("the summary is not the sum of all functions")
        short = [event.split(" : ", 1)[0] for event in self.header["event"]]
        if short != self.header.get("events", "").split() or not all(re.match("[A-Za-z][A-Za-z0-9]*$", e) for e in short):
            sys.exit("names of events are wrong")
        sums = {}
        for (table, number), name in self.names.items():
            if table != "fn":
                continue
            own = self.self_cost.get(number, [0] * len(short))
            total = self.called.get(number, [a + b for a, b in zip(own, self.calls.get(number, own))]
                                    if number in self.calls else own)
            inner = name.endswith("'2")
            row = sums.setdefault(name.removesuffix("'2").replace(";", ":"), [[0] * len(short), [0] * len(short)])
            row[0] = [a + b for a, b in zip(row[0], own)]
            row[1] = [a + b * (not inner) for a, b in zip(row[1], total)]
        sys.stdout.reconfigure(encoding="utf-8")
        for line in sorted("%s %s %d %d" % (event.split(" : ", 1)[1].rsplit(" ", 1)[0], name, row[0][i], row[1][i])
                           for name, row in sums.items() for i, event in enumerate(self.header["event"])):
            if not line.endswith(" 0 0"):
                print(line)


def main(path):
    reader = Reader()
    for text in open(path, encoding="utf-8", newline="\n"):
        reader.line(text.rstrip("\n"))
    reader.show()


main(sys.argv[1])
