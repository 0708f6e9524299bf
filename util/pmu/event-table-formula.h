/*
 * Event tables: Intel's metrics. Their formulas contain letters, and lists beside them assign events and
 * constants to the letters: "Formula": "100 * a / b", "Events": [{"Name": "INST_RETIRED.ANY", "Alias": "a"},
 * ...], "Constants": [...]. This code replaces the letters by the names, so that the formula becomes an
 * expression of util/pmu/expr.h.
 */
#ifndef PERF_PMU_EVENT_TABLE_FORMULA_H
#define PERF_PMU_EVENT_TABLE_FORMULA_H

#include "event-table-reader.h"

/*
 * an expression for Intel's "Formula" with its lists of events and constants (JSON;
 * NULL: none), and for its "Threshold" object; "" if something in them is not known. Strings are in the
 * table's arena.
 */
const char *table_formula(struct table_reader *r, const char *formula, const char *events,
			  const char *constants);
const char *table_threshold(struct table_reader *r, const char *json);

#endif
