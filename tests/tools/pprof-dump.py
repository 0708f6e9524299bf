#!/usr/bin/env python3
"""A second reader of profile.proto: prints what a profile holds, a line each, without any package.

usage: pprof-dump.py FILE
    type NAME UNIT
    mapping FILE BUILDID
    sample VALUE,... KEY=VALUE,... FRAME;FRAME;...	from the outermost caller on; "name file:line" if known
    comment TEXT, period NAME UNIT N, default NAME

Stops with a message if an id has no object, a string has no place, or bytes are not a message.
"""
import gzip
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """(number, value) of each field: an int, or bytes"""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 2:
            length, at = varint(data, at)
            if at + length > len(data):
                sys.exit("a field is longer than its message")
            value = data[at:at + length]
            at += length
        else:
            sys.exit("wire type %d" % (tag & 7))
        yield tag >> 3, value


def packed(data):
    at, out = 0, []
    while at < len(data):
        value, at = varint(data, at)
        out.append(value)
    return out


def message(data):
    out = {}
    for number, value in fields(data):
        out.setdefault(number, []).append(value)
    return out


def one(m, number, default=0):
    return m.get(number, [default])[-1]


def main(path):
    data = open(path, "rb").read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    top = message(data)
    text = [s.decode("utf-8") for s in top[6]]
    if text[0]:
        sys.exit("the first string is not empty")
    mappings = {one(m, 1): m for m in map(message, top.get(3, []))}
    functions = {one(m, 1): m for m in map(message, top.get(5, []))}
    locations = {one(m, 1): m for m in map(message, top.get(4, []))}
    for table in (mappings, functions, locations):
        if sorted(table) != list(range(1, len(table) + 1)):
            sys.exit("ids are not 1 to %d" % len(table))
    for m in map(message, top.get(1, [])):
        print("type", text[one(m, 1)], text[one(m, 2)])
    for m in mappings.values():
        print("mapping", text[one(m, 5)], text[one(m, 6)] or "-")

    def frames(location):
        place = locations[location]
        if one(place, 2):
            mappings[one(place, 2)]
        for line in map(message, place.get(4, [])):
            f = functions[one(line, 1)]
            name = text[one(f, 2)]
            if one(f, 4):
                name += " %s:%d" % (text[one(f, 4)], one(line, 2))
            yield name

    for m in map(message, top.get(2, [])):
        values = packed(one(m, 2, b""))
        if len(values) != len(top.get(1, [])):
            sys.exit("a sample has %d values" % len(values))
        stack = [name for location in packed(one(m, 1, b"")) for name in frames(location)]
        labels = ["%s=%s" % (text[one(label, 1)], text[one(label, 2)]) for label in map(message, m.get(3, []))]
        print("sample", ",".join(map(str, values)), ",".join(labels) or "-", ";".join(reversed(stack)))
    for comment in top.get(13, []):
        print("comment", text[comment])
    if 11 in top:
        m = message(top[11][0])
        print("period", text[one(m, 1)], text[one(m, 2)], one(top, 12))
    print("default", text[one(top, 14)])


main(sys.argv[1])
