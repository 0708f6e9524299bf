#!/usr/bin/env python3
"""ctf-dump.py DIR: a strict reader of the traces that perf data convert --to ctf writes: a line for each event, in
the order of time, or an error. Written from the specification of CTF 1.8; knows the part of its language that is used."""
import os
import re
import struct
import sys

MAGIC = 0xC1FC1FC1


def fail(text):
    sys.exit("ctf-dump: " + text)


def unescape(text):
    return re.sub(r"\\(.)", r"\1", text)


class Field:
    def __init__(self, kind, name, length):
        self.name, self.length, self.text = name, length, kind.startswith("string")
        if self.text:
            return
        facts = dict(re.findall(r"(\w+) = (\w+);", kind))
        self.size = int(facts["size"])
        if self.size not in (8, 16, 32, 64) or facts["align"] != "8":
            fail("an integer of %s bits" % facts["size"])
        letter = {8: "b", 16: "h", 32: "i", 64: "q"}[self.size]
        self.code = {"le": "<", "be": ">"}[facts["byte_order"]] + (letter if facts["signed"] == "true" else letter.upper())
        self.hex = facts["base"] == "16"

    def one(self, data, at):
        if self.text:
            end = data.index(b"\0", at)
            return data[at:end].decode("utf-8"), end + 1
        v = struct.unpack_from(self.code, data, at)[0]
        return ("0x%x" % v if self.hex else v), at + self.size // 8

    def read(self, data, at, values):
        if not self.length:
            return self.one(data, at)
        got = []
        for _ in range(values[self.length]):
            v, at = self.one(data, at)
            got.append(v)
        return "[%s]" % ",".join(map(str, got)), at


def read_metadata(text):
    if not text.startswith("/* CTF 1.8 */\n") or "byte_order = le;" not in text:
        fail("metadata begins wrong")
    events = {}
    for name, nr, stream, body in re.findall(
            r'^event \{\n\tname = "((?:[^"\\]|\\.)*)";\n\tid = (\d+);\n\tstream_id = (\d+);\n'
            r"\tfields := struct \{\n(.*?)\t\};\n\};\n", text, re.S | re.M):
        fields, names = [], set()
        for line in body.splitlines():
            m = re.fullmatch(r"\t\t((?:integer|string) \{.*?\}) (_\w+)(?:\[(\w+)\])?;", line, re.A)
            if not m or m.group(2) in names or (m.group(3) and m.group(3) not in names):
                fail("field " + line)
            names.add(m.group(2))
            fields.append(Field(*m.groups()))
        if (int(stream), int(nr)) in events:
            fail("event %s twice" % nr)
        events[int(stream), int(nr)] = unescape(name), fields
    if text.count("\nevent {") != len(events):
        fail("an event was not understood")
    return events


def read_event(data, at, stream, events, cpu):
    nr, time = struct.unpack_from("<IQ", data, at)
    name, fields = events[stream, nr]
    values, at = {}, at + 12
    for f in fields:
        values[f.name], at = f.read(data, at, values)
    return (time, cpu, name + "".join(" %s=%s" % (k[1:], v) for k, v in values.items())), at


def read_stream(path, events, out):
    data, at, last, cpu = open(path, "rb").read(), 0, 0, None
    while at < len(data):
        magic, stream, begin, end, content, size = struct.unpack_from("<IIQQQQ", data, at)
        if magic != MAGIC or stream > 1 or content != size or size % 8 or at + size // 8 > len(data):
            fail("%s: packet at %d" % (path, at))
        stop, at = at + size // 8, at + 40
        if stream:
            cpu, at = struct.unpack_from("<I", data, at)[0], at + 4
            if os.path.basename(path) != "stream-%d" % cpu:
                fail("%s has CPU %d" % (path, cpu))
        if begin < last or end >= 1 << 63:
            fail("%s: times of a packet" % path)
        last = begin
        while at < stop:
            e, at = read_event(data, at, stream, events, cpu)
            if not last <= e[0] <= end:
                fail("%s: time %d" % (path, e[0]))
            last = e[0]
            out.append(e)
        if at != stop or last != end:
            fail("%s: end of a packet" % path)


def main(folder):
    events, out = read_metadata(open(folder + "/metadata", encoding="utf-8").read()), []
    for name in sorted(os.listdir(folder)):
        if name != "metadata":
            read_stream(os.path.join(folder, name), events, out)
    for time, cpu, text in sorted(out, key=lambda e: e[0]):
        print(time, "-" if cpu is None else cpu, text)


main(sys.argv[1])
