/*
 * Plan: the probes to make: each spec gives points, each point a definition for the kernel under a free name.
 * Nothing changes before probe_plan_apply(), which adds all of them or none.
 */
#ifndef PERF_PROBE_PLAN_H
#define PERF_PROBE_PLAN_H

#include "../kernel/probe-events.h"
#include "names.h"
#include "point.h"

struct probe_source;
struct probe_spec;
struct strbuf;

struct probe_planned {
	const char *group, *event;
	const char *definition;	/* "p:probe_a/main /bin/a:0x1139 x=%di" */
	const char *place;	/* for people: "main in /bin/a with x" */
	u64 off;		/* user: in the file */
	bool is_user;
	bool is_inlined;	/* in a copy of an inlined function */
};

struct probe_plan {
	VEC(struct probe_planned);
	struct probe_events planned;	/* the same, to find free names */
	struct probe_numbers numbers;
	bool told_exceptions;		/* the warning about return probes was given */
	struct arena mem;
};

struct probe_plan_opts {
	const struct probe_events *live;	/* events whose names are taken */
	bool force;			/* a taken name gets a number */
};

/* adds the probes of a spec at its target */
int probe_plan_add(struct probe_plan *plan, const struct probe_plan_opts *o, struct probe_source *src,
		   const struct probe_spec *spec, struct err *err);
/*
 * adds a definition that was found earlier, under the spec's names if it has some, else its own. -EINVAL: it
 * is not a definition
 */
int probe_plan_add_text(struct probe_plan *plan, const struct probe_plan_opts *o,
			const struct probe_spec *spec, const char *definition, bool is_user, struct err *err);
/* makes the probes; if one fails, those made before are removed again */
int probe_plan_apply(const struct probe_plan *plan, struct err *err);
/* removes them; the first error counts, and the others are removed all the same */
int probe_plan_undo(const struct probe_plan *plan, struct err *err);
/*
 * Appends the definitions, a line each. boot: in the form of the kernel's boot configuration ("Boot-time
 * tracing" of its documentation), which has no probes in programs: -EINVAL with err
 */
int probe_plan_text(const struct probe_plan *plan, bool boot, struct strbuf *out, struct err *err);
void probe_plan_release(struct probe_plan *plan);

#endif
