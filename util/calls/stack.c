/* The calls of a thread, and what a branch does to them: see calls.h. */
#include "calls.h"
#include "../event/insn-flags.h"

#define NONE UINT32_MAX

/* the calls from n on end, the innermost first; cut: it is not known when */
static void close_from(struct calls *c, struct call_task *t, u32 n, u64 time, bool cut)
{
	while (t->call.nr > n) {
		const struct called *call = &t->call.v[--t->call.nr];
		enum call_kind kind = cut ? CALL_PARTIAL : call->kind;

		calls_add_span(c, t, kind, t->base + (s32)t->call.nr, call->from, time, call->label);
	}
}

static void push(struct call_task *t, const struct call_place *p, u8 kind, u64 time, u64 ret)
{
	struct called call = { .from = time, .ret = ret, .fn = p->fn, .label = p->label, .kind = kind };

	if (kind == CALL_FUNCTION && p->kernel)
		call.kind = CALL_KERNEL;
	vec_push(&t->call, call);
}

/* the innermost function below n that is not inlined; NONE: there is none */
static u32 function_below(const struct call_task *t, u32 n)
{
	while (n-- > 0)
		if (!t->call.v[n].inlined)
			return n;
	return NONE;
}

static u32 innermost(const struct call_task *t)
{
	return function_below(t, t->call.nr);
}

/* the innermost call of that function below n; NONE: there is none */
static u32 find_function(const struct call_task *t, u32 n, u32 fn)
{
	while ((n = function_below(t, n)) != NONE)
		if (t->call.v[n].fn == fn)
			return n;
	return NONE;
}

static u32 find_return(const struct call_task *t, u64 to)
{
	for (u32 n = t->call.nr; (n = function_below(t, n)) != NONE;)
		if (t->call.v[n].ret == to)
			return n;
	return NONE;
}

/* nothing is known of the callers of p */
static void restart(struct calls *c, struct call_task *t, const struct call_place *p, u64 time)
{
	close_from(c, t, 0, time, true);
	t->base = 0;
	t->first = time;
	push(t, p, p->starts ? CALL_FUNCTION : CALL_PARTIAL, time, 0);
}

/* the call with number n goes on, with the inlined functions after it; those that it called are over */
static void go_back(struct calls *c, struct call_task *t, u32 n, u64 time)
{
	n++;
	while (n < t->call.nr && t->call.v[n].inlined)
		n++;
	c->nr_unwound += n < t->call.nr;
	close_from(c, t, n, time, false);
}

/* the thread is in function p now, as one of its calls says, or it is not known how it came there */
static void go_to_function(struct calls *c, struct call_task *t, const struct call_place *p, u64 time)
{
	u32 n = find_function(t, t->call.nr, p->fn);

	if (n == NONE)
		return restart(c, t, p, time);
	go_back(c, t, n, time);
}

/* what is inlined where the thread is */
static void set_inlined(struct calls *c, struct call_task *t, const struct call_place *p, u64 time)
{
	u32 n = innermost(t), i = 0;

	if (n == NONE || t->call.v[n].fn != p->fn)
		return;
	for (n++; i < p->nr && n < t->call.nr && t->call.v[n].label == c->places.inlined.v[p->first + i]; i++)
		n++;
	close_from(c, t, n, time, false);
	for (; i < p->nr; i++)
		vec_push(&t->call, (struct called){ .from = time, .label = c->places.inlined.v[p->first + i],
						  .kind = CALL_INLINED, .inlined = true });
}

/* from the end of one function to the start of another one, which returns to its caller */
static void tail_call(struct calls *c, struct call_task *t, const struct call_branch *b, u32 n)
{
	const struct call_place *from = &b->from_place, *to = &b->to_place;
	struct called old = t->call.v[n];

	if (from->stub || !from->named) {	/* the call goes through it */
		close_from(c, t, n + 1, b->time, false);
		t->call.v[n].fn = to->fn;
		t->call.v[n].label = to->label;
		return;
	}
	close_from(c, t, n, b->time, false);
	push(t, to, CALL_TAIL, b->time, old.ret);
	strbuf_reset(&c->text);
	strbuf_addf(&c->text, "%s, tail call of ", strtab_get(&c->picture.labels, to->label));
	strbuf_addstr(&c->text, strtab_get(&c->picture.labels, from->label));
	t->call.v[n].label = strtab_add(&c->picture.labels, strbuf_str(&c->text));
}

static void jump(struct calls *c, struct call_task *t, const struct call_branch *b)
{
	u32 n = innermost(t);
	u64 ret;

	if (n == NONE)
		return restart(c, t, &b->to_place, b->time);
	if (t->call.v[n].fn == b->to_place.fn)
		return;
	if (b->to_place.starts)
		return tail_call(c, t, b, n);
	if (find_function(t, n, b->to_place.fn) != NONE)	/* longjmp */
		return go_to_function(c, t, &b->to_place, b->time);
	ret = t->call.v[n].ret;
	close_from(c, t, n, b->time, false);
	push(t, &b->to_place, CALL_PARTIAL, b->time, ret);
}

static u64 return_address(const struct call_branch *b)
{
	u64 len = b->flags >> INSN_LEN_SHIFT & 0xff;

	return b->flags & INSN_ASYNC ? b->from : len ? b->from + len : 0;
}

static void call(struct calls *c, struct call_task *t, const struct call_branch *b)
{
	u64 ret = return_address(b);

	if (b->to == ret)	/* only to know where it is */
		return;
	if (t->call.nr >= CALLS_DEPTH)
		return restart(c, t, &b->to_place, b->time);
	push(t, &b->to_place, CALL_FUNCTION, b->time, ret);
}

/*
 * The outermost function that is known returned to its caller, which has run since before the trace began.
 * Its level is the one before
 */
static void return_to_unknown(struct calls *c, struct call_task *t, const struct call_branch *b)
{
	close_from(c, t, 0, b->time, false);
	t->base--;
	push(t, &b->to_place, CALL_PARTIAL, t->first, 0);
}

static void do_return(struct calls *c, struct call_task *t, const struct call_branch *b)
{
	u32 n = find_return(t, b->to), top = innermost(t), caller;

	if (top == NONE)
		return restart(c, t, &b->to_place, b->time);
	if (n != NONE) {
		c->nr_unwound += n != top;
		return close_from(c, t, n, b->time, false);
	}
	if (b->to_place.starts)		/* a way to jump */
		return jump(c, t, b);
	caller = find_function(t, top, b->to_place.fn);
	if (caller != NONE)
		return go_back(c, t, caller, b->time);
	if (function_below(t, top) == NONE && !t->call.v[top].ret)
		return return_to_unknown(c, t, b);
	c->nr_switched++;
	restart(c, t, &b->to_place, b->time);
}

/* code is missing since the last branch: the walk noticed it when it came to the next packet */
void calls_gap(struct calls *c, struct call_task *t, u64 time, enum call_kind kind, u32 label, bool cut)
{
	time = kind == CALL_NO_CODE ? t->last : MAX(time, t->last);
	t->last = time;
	if (cut)
		close_from(c, t, 0, time, true);
	if (t->gap.kind && (t->gap.kind != CALL_UNTRACED || kind == CALL_UNTRACED))
		return;
	c->nr_gaps[kind]++;
	t->gap = (struct call_gap){ .kind = kind, .from = time, .label = label };
}

static void end_gap(struct calls *c, struct call_task *t, u64 time)
{
	if (!t->gap.kind)
		return;
	calls_add_span(c, t, t->gap.kind, t->base + (s32)t->call.nr, t->gap.from, time, t->gap.label);
	t->gap.kind = 0;
}

/* the trace begins, or goes on */
static void begin(struct calls *c, struct call_task *t, const struct call_branch *b)
{
	u32 n = find_return(t, b->to), top = innermost(t);

	end_gap(c, t, b->time);
	if (n != NONE)
		close_from(c, t, n, b->time, false);
	else if (top != NONE && t->call.v[top].fn != b->to_place.fn && b->to_place.starts)
		push(t, &b->to_place, CALL_FUNCTION, b->time, 0);	/* such as a signal handler */
	else
		go_to_function(c, t, &b->to_place, b->time);
	set_inlined(c, t, &b->to_place, b->time);
}

/* the trace ends with this branch: what is there is not traced */
static void end(struct calls *c, struct call_task *t, const struct call_branch *b)
{
	const char *why = b->flags & INSN_ASYNC ? "interrupt or exception" :
			  b->flags & INSN_SYSCALL ? "system call" : "code that is not traced";

	if (b->flags & INSN_RETURN && !(b->flags & INSN_ASYNC) && t->call.nr)
		close_from(c, t, innermost(t), b->time, false);
	strbuf_reset(&c->text);
	strbuf_addstr(&c->text, why);
	if (b->to && b->to_place.named)
		strbuf_addf(&c->text, ": %s", strtab_get(&c->picture.labels, b->to_place.label));
	calls_gap(c, t, b->time, CALL_UNTRACED, strtab_add(&c->picture.labels, strbuf_str(&c->text)), false);
}

void calls_branch(struct calls *c, struct call_task *t, const struct call_branch *b)
{
	if (!b->from || b->flags & INSN_TRACE_BEGIN) {
		if (b->to)
			begin(c, t, b);
		return;
	}
	end_gap(c, t, b->time);
	if (innermost(t) == NONE || t->call.v[innermost(t)].fn != b->from_place.fn)
		go_to_function(c, t, &b->from_place, b->time);
	set_inlined(c, t, &b->from_place, b->time);
	if (!b->to || b->flags & INSN_TRACE_END)
		return end(c, t, b);
	if (b->flags & INSN_CALL)
		call(c, t, b);
	else if (b->flags & INSN_RETURN || (!b->flags && b->from_place.kernel && !b->to_place.kernel))
		do_return(c, t, b);
	else
		jump(c, t, b);
	set_inlined(c, t, &b->to_place, b->time);
}

void calls_end_task(struct calls *c, struct call_task *t)
{
	close_from(c, t, 0, t->last, true);
}
