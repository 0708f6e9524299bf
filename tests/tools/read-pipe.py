#!/usr/bin/env python3
"""read-pipe.py [FILE]: a strict reader of the pipe format, after Documentation/dev/perf-data-format.txt and <linux/perf_event.h>.

It shares no code with perf or mkdata, knows no feature that came after perf 6.1, and ends with an error at the first byte that is
not as the page says. Prints one line "NAME SAMPLES" for each event, in the order of the stream, then "comms NR" (distinct names),
"build-ids NR", "tracing BYTES" and "packed RECORDS" where there are some."""
import struct
import sys

(IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM, RAW, BRANCH, REGS_USER, STACK_USER, WEIGHT, DATA_SRC,
 IDENTIFIER) = [1 << bit for bit in range(17)]
SAMPLE_ID_ALL = 1 << 18
STRINGS = (3, 4, 5, 6, 8, 9)		# features that are one string
LAST_FEATURE = 31			# of perf 6.1


def need(condition, what):
    if not condition:
        sys.exit("read-pipe: " + what)


class Bytes:
    """what is left of a piece of the stream"""
    def __init__(self, data):
        self.data, self.at = data, 0

    def left(self):
        return len(self.data) - self.at

    def take(self, size):
        need(size <= self.left(), "%d bytes where %d are needed" % (self.left(), size))
        self.at += size
        return self.data[self.at - size:self.at]

    def u32(self):
        return struct.unpack("<I", self.take(4))[0]

    def u64(self):
        return struct.unpack("<Q", self.take(8))[0]

    def string(self):
        text = self.take(self.u32())
        need(b"\0" in text, "a string without its end")
        return text[:text.index(b"\0")].decode("utf-8", "replace")

    def end(self, what):
        need(not self.left(), "%s: %d bytes too many" % (what, self.left()))


class Event:
    def __init__(self, attr, ids):
        self.type, self.config = struct.unpack_from("<IxxxxQ", attr)
        self.sample_type, self.read_format, self.flags = struct.unpack_from("<QQQ", attr, 24)
        self.ids, self.name, self.samples = ids, "event-%d-%d" % (self.type, self.config), 0
        self.user_regs = bin(struct.unpack_from("<Q", attr, 80)[0]).count("1") if len(attr) >= 88 else 0


class Stream:
    def __init__(self, data):
        self.all, self.events, self.comms, self.features = Bytes(data), [], set(), set()
        self.build_ids = self.tracing = self.packed = 0

    def event_of(self, ident):
        for event in self.events:
            if ident in event.ids:
                return event
        sys.exit("read-pipe: a sample of id %d, which no event has" % ident)

    def attr(self, b):
        size = struct.unpack_from("<I", b.data, 4)[0]
        attr = b.take(size)
        need(b.left() % 8 == 0, "the ids behind an attribute are cut")
        self.events.append(Event(attr, [b.u64() for _ in range(b.left() // 8)]))
        need(self.events[-1].sample_type & (ID | IDENTIFIER), "samples in a pipe need an id")

    def event_desc(self, b):
        number, size = b.u32(), b.u32()
        for i in range(number):
            b.take(size)
            ids, name = b.u32(), b.string()
            need(self.events[i].ids == [b.u64() for _ in range(ids)], "EVENT_DESC has other ids than the attribute")
            self.events[i].name = name

    def feature(self, b):
        bit = b.u64()
        need(bit <= LAST_FEATURE, "feature %d is newer than perf 6.1, which would end here" % bit)
        need(bit not in self.features, "feature %d comes twice" % bit)
        self.features.add(bit)
        if bit in STRINGS:
            b.string()
        elif bit == 7:
            b.take(8)
        elif bit == 10:
            b.take(8)
        elif bit == 11:
            for _ in range(b.u32()):
                b.string()
        elif bit == 12:
            self.event_desc(b)
        elif bit == 27:
            b.take(20)
        else:
            return
        b.end("feature %d" % bit)

    def read_value(self, b, form):
        enabled, running, ident, group, lost = [form >> bit & 1 for bit in range(5)]
        number = b.u64() if group else 1
        b.take(8 * (enabled + running) + 8 * number * (1 + ident + lost))

    def sample(self, b):
        first = self.events[0].sample_type
        if first & IDENTIFIER:
            at = 0
        else:
            need(all(event.sample_type == first for event in self.events), "ids at different places")
            at = sum(1 for bit in (IP, TID, TIME, ADDR) if first & bit)
        event = self.event_of(struct.unpack_from("<Q", b.data, at * 8)[0])
        kind = event.sample_type
        event.samples += 1
        b.take(8 * sum(1 for bit in (IDENTIFIER, IP, TID, TIME, ADDR, ID, STREAM, CPU, PERIOD) if kind & bit))
        if kind & READ:
            self.read_value(b, event.read_format)
        if kind & CALLCHAIN:
            b.take(8 * b.u64())
        if kind & RAW:
            b.take(b.u32())
        need(not kind & BRANCH, "branch records are not read here")
        if kind & REGS_USER and b.u64():
            b.take(8 * event.user_regs)
        if kind & STACK_USER:
            size = b.u64()
            b.take(size + 8 if size else 0)
        if kind & DATA_SRC:
            b.take(8)
        need(not kind >> 17, "sample_type %#x has fields that are not read here" % kind)
        b.end("sample")

    def tracing_data(self, b):
        size = b.u32()
        need(self.all.take((size + 7) // 8 * 8)[:10] == b"\x17\x08\x44tracing", "no tracing data behind their record")
        self.tracing += size

    def comm(self, b):
        name = b.data[8:]
        need(b"\0" in name, "COMM without a name's end")
        self.comms.add(name[:name.index(b"\0")])

    def build_id(self, b):
        need(b.left() > 28 and b.data[-1] == 0, "a build-id without a file name")
        self.build_ids += 1

    def pack(self, b):
        self.packed += 1

    def read(self):
        readers = {3: self.comm, 9: self.sample, 64: self.attr, 66: self.tracing_data, 67: self.build_id, 80: self.feature,
                   81: self.pack}
        need(self.all.take(8) == b"PERFILE2" and self.all.u64() == 16, "no pipe")
        while self.all.left():
            kind, _, size = struct.unpack("<IHH", self.all.take(8))
            need(size >= 8 and kind < 83, "a record of type %d and %d bytes" % (kind, size))
            body = Bytes(self.all.take(size - 8))
            if kind in readers:
                readers[kind](body)

    def show(self):
        for event in self.events:
            print(event.name, event.samples)
        print("comms", len(self.comms))
        for name, value in (("build-ids", self.build_ids), ("tracing", self.tracing), ("packed", self.packed)):
            if value:
                print(name, value)


def main():
    with open(sys.argv[1], "rb") if len(sys.argv) > 1 else sys.stdin.buffer as f:
        stream = Stream(f.read())
    stream.read()
    stream.show()


main()
