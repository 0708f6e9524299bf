#!/usr/bin/env python3
"""Checks documents of report, diff and top --json against their documented layout (perf-report(1), JSON).

json-tables.py [FILE...]: prints how many documents and rows were right; the first wrong value is an error.
A key that the layout does not know is wrong, too: it is documented first, then added here.
"""
import json
import sys

NUMBER = (int, float)
NODE = {"name": str, "period": NUMBER, "samples": NUMBER, "self-period": NUMBER, "self-samples": NUMBER,
        "note": str, "children": list}
COLUMN = {"key": str, "title": str, "type": str, "unit": str}
EVENT = {"names": list, "samples": NUMBER, "event-count": NUMBER, "total-weight": NUMBER, "columns": list,
         "rows": list}
DOCUMENT = {"perf": str, "version": int, "header": dict, "notes": list}
SECTIONS = {"events": None, "attributes": ("events",), "stats": ("records", "samples"),
            "tasks": ("threads", "maps"), "threads": ("counts",)}
NAMED = {"name": str, "entries": int, "columns": list, "rows": list}
TYPES = ("text", "number", "share", "time", "address", "bool")


def fail(where, what):
    sys.exit(f"{where}: {what}")


def members(where, got, known, wanted):
    """got is an object with the wanted keys and known ones alone, each of its type"""
    if not isinstance(got, dict):
        fail(where, f"{got!r} is not an object")
    for key in wanted:
        if key not in got:
            fail(where, f"has no '{key}'")
    for key, value in got.items():
        if key not in known:
            fail(where, f"has the unknown key '{key}'")
        if not isinstance(value, known[key]) or (isinstance(value, bool) and known[key] is not bool):
            fail(where, f"'{key}' is {value!r}")


def value_is(kind, value):
    if kind == "text":
        return isinstance(value, str)
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "address":
        return isinstance(value, str) and value.startswith("0x") and int(value, 16) >= 0
    return isinstance(value, NUMBER) and not isinstance(value, bool)


def check_value(where, row, column, nr_events):
    value = row[column["key"]]
    several = isinstance(value, list)
    if several and len(value) != nr_events:
        fail(where, f"'{column['key']}' has {len(value)} values for {nr_events} events")
    for one in value if several else [value]:
        if one is None:
            reason = row.get(column["key"] + "-reason")
            if not several and not isinstance(reason, str):
                fail(where, f"'{column['key']}' is null without a reason")
        elif not value_is(column["type"], one):
            fail(where, f"'{column['key']}' is {one!r}, which is not a {column['type']}")


def check_nodes(where, nodes):
    for node in nodes:
        members(where, node, NODE, ("name", "period", "samples"))
        below = node.get("children", [])
        check_nodes(where + " > " + node["name"], below)
        if sum(n["period"] for n in below) + node.get("self-period", 0) > node["period"]:
            fail(where, f"'{node['name']}' has a smaller period than its children")


def check_rows(where, rows, columns, nr_events, tree):
    nr = 0
    for i, row in enumerate(rows):
        at = f"{where}, row {i}"
        keys = {c["key"] for c in columns}
        if not isinstance(row, dict) or not row:
            fail(at, f"{row!r} is not an object with values")
        for key in row:
            if key not in keys and key not in ("rows", "callgraph") and key[:-len("-reason")] not in keys:
                fail(at, f"has '{key}', which is not a column")
        for column in columns:
            if column["key"] in row:
                check_value(at, row, column, nr_events)
            elif not tree:
                fail(at, f"has no '{column['key']}'")
        check_nodes(at, row.get("callgraph", []))
        nr += 1 + check_rows(at, row.get("rows", []), columns, nr_events, True)
    return nr


def check_table(at, table, names):
    """names: of the tables of a section; None: its tables have the names of events"""
    if names:
        members(at, table, NAMED, NAMED)
        if table["name"] not in names or table["entries"] != len(table["rows"]):
            fail(at, f"is '{table['name']}' with {table['entries']} entries")
    else:
        members(at, table, EVENT, ("names", "columns", "rows"))
    for column in table["columns"]:
        members(at + ", columns", column, COLUMN, ("key", "title", "type"))
        if column["type"] not in TYPES:
            fail(at, f"column '{column['key']}' is a {column['type']}")
    if len({c["key"] for c in table["columns"]}) != len(table["columns"]):
        fail(at, "has two columns of one key")
    tree = any("rows" in row for row in table["rows"])
    return check_rows(at, table["rows"], table["columns"], len(table.get("names", [0])), tree)


def check(where, doc):
    members(where, doc, {**DOCUMENT, **{key: list for key in SECTIONS}}, DOCUMENT)
    if doc["perf"] not in ("report", "diff", "top") or doc["version"] != 1:
        fail(where, f"is {doc['perf']}, version {doc['version']}")
    if not any(key in doc for key in SECTIONS):
        fail(where, "has no tables")
    nr = 0
    for section, names in SECTIONS.items():
        for i, table in enumerate(doc.get(section, [])):
            nr += check_table(f"{where}, {section}, table {i}", table, names)
    for note in doc["notes"]:
        if not isinstance(note, str):
            fail(where, f"the note {note!r} is not a text")
    return nr


def main():
    docs = rows = 0
    for name in sys.argv[1:]:
        text = open(name, encoding="utf-8").read().strip()
        while text:
            doc, end = json.JSONDecoder(parse_constant=lambda c: fail(name, f"has {c}")).raw_decode(text)
            text = text[end:].lstrip()
            docs += 1
            rows += check(f"{name}, document {docs}", doc)
    print(f"{docs} documents, {rows} rows")


main()
