/* Event tables: see event-table-json.h. */
#include "event-table-json.h"
#include "event-table-formula.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "../base/log.h"
#include "../base/strbuf.h"
#include "../base/units.h"

/* the members that are used */
#define KEYS \
	KEY(EventName) KEY(ArchStdEvent) KEY(EventCode) KEY(ConfigCode) KEY(UMask) KEY(UMaskExt) \
			KEY(SampleAfterValue) KEY(CounterMask) KEY(Invert) KEY(EdgeDetect) KEY(AnyThread) \
			KEY(PortMask) KEY(FCMask) KEY(MSRIndex) KEY(MSRValue) KEY(BriefDescription) \
			KEY(PublicDescription) KEY(Topic) KEY(Unit) KEY(ScaleUnit) KEY(PerPkg) \
			KEY(Deprecated) KEY(MetricName) KEY(MetricExpr) KEY(MetricThreshold) \
			KEY(MetricGroup) KEY(MetricConstraint) KEY(AggregationMode) KEY(Formula) KEY(Events) \
			KEY(Constants) KEY(Threshold) KEY(UnitOfMeasure) KEY(ExtSel)

enum key {
#define KEY(name) K_##name,
	KEYS
#undef KEY
	NR_KEYS
};
static const char *const key_names[NR_KEYS] = {
#define KEY(name) #name,
	KEYS
#undef KEY
};

struct object {
	struct table_reader *r;
	unsigned int line;
	const char *v[NR_KEYS];		/* NULL: missing or empty */
};

static int object_err(const struct object *o, const char *what, const char *value)
{
	struct strbuf safe = STRBUF_INIT;
	int ret;

	strbuf_add_safe(&safe, value);
	ret = err_set(o->r->err, -EBADMSG, "%s:%u: %s '%.100s'", o->r->path, o->line, what,
		      strbuf_str(&safe));
	strbuf_release(&safe);
	return ret;
}

/* "1", "true", "0x1": on; anything else is off */
static bool is_on(const char *s)
{
	u64 v;

	return s && (!strcasecmp(s, "true") || (!parse_u64(s, &v) && v));
}

/* the first number of "0xB7, 0xBB": both codes count the same, with different companions */
static int number(const struct object *o, enum key key, u64 *ret)
{
	const char *s = o->v[key];
	char buf[32];
	size_t len;

	*ret = 0;
	if (!s)
		return 0;
	s += strspn(s, " \t");
	len = strcspn(s, ", \t");
	if (len < sizeof(buf)) {
		memcpy(buf, s, len);
		buf[len] = '\0';
		if (!parse_u64(buf, ret))
			return 0;
	}
	return object_err(o, key == K_EventCode ? "an event code should be a number, not" :
			  "a number is expected, not", o->v[key]);
}

/* members that are the number of one format field; written if they are not 0 */
static const struct { enum key key; const char *term; } plain_terms[] = {
	{ K_EdgeDetect, "edge" }, { K_AnyThread, "any" }, { K_Invert, "inv" }, { K_CounterMask, "cmask" },
	{ K_PortMask, "ch_mask" }, { K_FCMask, "fc_mask" }, { K_SampleAfterValue, "period" },
};

/* the model-specific register to which a value belongs, and the kernel's format field for it */
static const struct { u64 msr; const char *term; } msr_terms[] = {
	{ 0x1a6, "offcore_rsp" }, { 0x1a7, "offcore_rsp" }, { 0x3f6, "ldlat" }, { 0x3f7, "frontend" },
};

static int add_msr_term(const struct object *o, struct strbuf *terms)
{
	u64 msr, value;
	int ret = number(o, K_MSRIndex, &msr);

	if (!ret)
		ret = number(o, K_MSRValue, &value);
	if (ret || !msr)
		return ret;
	for (size_t i = 0; i < ARRAY_SIZE(msr_terms); i++)
		if (msr_terms[i].msr == msr)
			strbuf_addf(terms, ",%s=0x%llx", msr_terms[i].term, (unsigned long long)value);
	return 0;
}

/*
 * Intel's tables describe fixed counters as event 0 with the counter's number + 1 as mask. The kernel wants
 * the first two with the codes of the same events on general counters, and the others as they are.
 */
static void fixed_counter(u64 *event, u64 *umask)
{
	static const u64 codes[] = { 0, 0xc0, 0x3c };

	if (!*event && *umask && *umask < ARRAY_SIZE(codes)) {
		*event = codes[*umask];
		*umask = 0;
	}
}

static int make_terms(const struct object *o, const char *pmu, struct strbuf *terms)
{
	u64 event, config, umask, ext, v;
	int ret = 0;

	if (number(o, K_EventCode, &event) || number(o, K_ConfigCode, &config) ||
	    number(o, K_UMask, &umask) || number(o, K_UMaskExt, &ext))
		return -EBADMSG;
	if (o->r->fixed_counters && !strncmp(pmu, "cpu", 3) && o->v[K_EventCode])
		fixed_counter(&event, &umask);
	umask |= ext << 8;
	/* the ninth bit of the event's code, at its position in the PMU's format */
	if (is_on(o->v[K_ExtSel]))
		event |= 0x100;
	if (o->v[K_ConfigCode])
		strbuf_addf(terms, "config=0x%llx", (unsigned long long)config);
	else
		strbuf_addf(terms, "event=0x%llx", (unsigned long long)event);
	if (umask)
		strbuf_addf(terms, ",umask=0x%llx", (unsigned long long)umask);
	for (size_t i = 0; i < ARRAY_SIZE(plain_terms); i++) {
		ret = number(o, plain_terms[i].key, &v);
		if (ret)
			return ret;
		if (v)
			strbuf_addf(terms, plain_terms[i].key == K_SampleAfterValue ? ",%s=%llu" :
				    ",%s=0x%llx", plain_terms[i].term, (unsigned long long)v);
	}
	return add_msr_term(o, terms);
}

/*
 * units in tables of Intel and AMD, and the kernel's names of their PMUs; other units become "uncore_" and
 * the first word
 */
static const struct { const char *unit, *pmu; } unit_pmus[] = {
	{ "CBO", "uncore_cbox" }, { "SBO", "uncore_sbox" }, { "QPI LL", "uncore_qpi" },
	{ "iMPH-U", "uncore_arb" }, { "L3PMC", "amd_l3" }, { "DFPMC", "amd_df" }, { "UMCPMC", "amd_umc" },
	{ "CPU-M-CF", "cpum_cf" }, { "CPU-M-SF", "cpum_sf" }, { "PAI-CRYPTO", "pai_crypto" },
	{ "PAI-EXT", "pai_ext" }, { "default_core", "cpu" }, { "cpu_core", "cpu_core" },
	{ "cpu_atom", "cpu_atom" }, { "cpu", "cpu" },
};

/* the name of the PMU for a vendor's unit ("CBO", "cpu_atom"); in the table's arena */
static const char *table_unit_pmu(struct table_reader *r, const char *unit)
{
	char buf[128];
	bool uncore = true;
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(unit_pmus); i++)
		if (!strcasecmp(unit, unit_pmus[i].unit))
			return unit_pmus[i].pmu;
	/* with an underscore or a comma it is a PMU's name already ("hisi_sccl,ddrc", "uncore_imc") */
	uncore = !strpbrk(unit, "_,");
	n = snprintf(buf, sizeof(buf), "%s%.*s", uncore ? "uncore_" : "", (int)strcspn(unit, " "), unit);
	if (n >= sizeof(buf))
		return r->default_pmu;
	for (char *p = buf; *p; p++)
		*p = tolower((unsigned char)*p);
	return arena_strdup(&r->t->arena, buf);
}

/* "6.1e-5MiB": a factor and a unit, of which each may be missing */
static void split_scale(struct table_reader *r, const char *s, double *ret_scale, const char **ret_unit)
{
	char *end;
	double v;

	*ret_scale = 1.0;
	*ret_unit = "";
	if (!s)
		return;
	v = strtod(s, &end);
	if (end != s && v > 0 && v < 1e30)
		*ret_scale = v;
	*ret_unit = arena_strdup(&r->t->arena, end + strspn(end, " "));
}

/* a name that can be typed as an event or a metric, in lower case if requested */
static const char *take_name(const struct object *o, const char *s, bool lower)
{
	char *name;

	for (const char *p = s; *p; p++)
		if (!isgraph((unsigned char)*p) || strchr(",/{}'\"", *p))
			return NULL;
	if (!*s || strlen(s) > 250)
		return NULL;
	name = arena_strdup(&o->r->t->arena, s);
	for (char *p = name; lower && *p; p++)
		*p = tolower((unsigned char)*p);
	return name;
}

static const char *take_text(const struct object *o, enum key key)
{
	return o->v[key] ? arena_strdup(&o->r->t->arena, o->v[key]) : "";
}

static int add_event(const struct object *o)
{
	struct table_reader *r = o->r;
	const char *typed = o->v[K_EventName] ? o->v[K_EventName] : o->v[K_ArchStdEvent];
	struct table_event ev = { .pmu = r->default_pmu };
	const struct table_event *standard = NULL;
	struct strbuf terms = STRBUF_INIT;
	int ret = 0;

	ev.name = take_name(o, typed, true);
	if (!ev.name)
		return object_err(o, "this cannot be the name of an event:", typed);
	if (o->v[K_Unit])
		ev.pmu = table_unit_pmu(r, o->v[K_Unit]);
	if (o->v[K_ArchStdEvent] && r->standards)
		standard = event_table_find(r->standards, NULL, o->v[K_ArchStdEvent]);
	if (o->v[K_EventCode] || o->v[K_ConfigCode]) {
		ret = make_terms(o, ev.pmu, &terms);
	} else if (standard) {
		strbuf_addstr(&terms, standard->terms);
	} else if (o->v[K_ArchStdEvent]) {
		log_v("%s:%u: there is no standard event %s to take the code from", r->path, o->line,
		      o->v[K_ArchStdEvent]);
		return 0;
	} else {
		ret = make_terms(o, ev.pmu, &terms);
	}
	if (!ret) {
		ev.terms = arena_strdup(&r->t->arena, terms.buf);
		ev.desc = o->v[K_BriefDescription] || !standard ? take_text(o, K_BriefDescription) :
			  arena_strdup(&r->t->arena, standard->desc);
		ev.long_desc = o->v[K_PublicDescription] || !standard ? take_text(o, K_PublicDescription) :
			       arena_strdup(&r->t->arena, standard->long_desc);
		ev.topic = o->v[K_Topic] ? take_text(o, K_Topic) : r->topic;
		split_scale(r, o->v[K_ScaleUnit], &ev.scale, &ev.unit);
		ev.per_pkg = is_on(o->v[K_PerPkg]);
		ev.deprecated = is_on(o->v[K_Deprecated]);
		vec_push(&r->t->event, ev);
	}
	strbuf_release(&terms);
	return ret;
}

/* Intel's "percent": the formula already contains the factor 100 */
static const char *measure(const struct object *o)
{
	struct strbuf sb = STRBUF_INIT;
	const char *s;

	strbuf_addf(&sb, "1%s", strcmp(o->v[K_UnitOfMeasure], "percent") ? o->v[K_UnitOfMeasure] : "%");
	s = arena_strdup(&o->r->t->arena, sb.buf);
	strbuf_release(&sb);
	return s;
}

static int add_metric(const struct object *o)
{
	struct table_reader *r = o->r;
	struct table_metric m = { .pmu = "" };

	m.name = take_name(o, o->v[K_MetricName], false);
	if (!m.name)
		return object_err(o, "this cannot be the name of a metric:", o->v[K_MetricName]);
	m.expr = o->v[K_MetricExpr] ? take_text(o, K_MetricExpr) :
		 table_formula(r, o->v[K_Formula], o->v[K_Events], o->v[K_Constants]);
	if (!*m.expr) {
		log_v("%s:%u: metric %s refers to something unknown", r->path, o->line, m.name);
		return 0;
	}
	m.threshold = o->v[K_MetricThreshold] || !o->v[K_Threshold] ? take_text(o, K_MetricThreshold) :
		      table_threshold(r, o->v[K_Threshold]);
	m.scale_unit = o->v[K_ScaleUnit] || !o->v[K_UnitOfMeasure] ? take_text(o, K_ScaleUnit) : measure(o);
	m.groups = take_text(o, K_MetricGroup);
	m.desc = take_text(o, K_BriefDescription);
	m.long_desc = take_text(o, K_PublicDescription);
	m.constraint = take_text(o, K_MetricConstraint);
	if (o->v[K_Unit])
		m.pmu = table_unit_pmu(r, o->v[K_Unit]);
	else if (strcmp(r->default_pmu, "cpu"))
		m.pmu = r->default_pmu;
	m.per_core = o->v[K_AggregationMode] && !strcmp(o->v[K_AggregationMode], "PerCore");
	vec_push(&r->t->metric, m);
	return 0;
}

int table_add_object(struct table_reader *r, unsigned int line, const struct json_member *m, size_t nr)
{
	struct object o = { .r = r, .line = line };
	int ret = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < NR_KEYS; k++)
			if (*m[i].value && !strcmp(m[i].key, key_names[k]))
				o.v[k] = m[i].value;
	if (r->t->event.nr + r->t->metric.nr >= TABLE_ROWS_MAX)
		return err_set(r->err, -EFBIG, "%s:%u: the tables below %s have more than %u events", r->path,
			       line, r->root, TABLE_ROWS_MAX);
	if (o.v[K_EventName] || o.v[K_ArchStdEvent])
		ret = add_event(&o);
	if (!ret && o.v[K_MetricName] && (o.v[K_MetricExpr] || o.v[K_Formula]) && !r->standards_only)
		ret = add_metric(&o);
	if (ret != -EBADMSG)
		return ret;
	/* one bad row does not make the others useless */
	if (!r->t->nr_bad++)
		r->t->bad = arena_strdup(&r->t->arena, r->err->msg);
	err_clear(r->err);
	return 0;
}
