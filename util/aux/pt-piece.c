/* The packets of a piece of an Intel PT trace, one after another: what steps (pt-steps.h) they mean. */
#include "pt-steps.h"

enum { MODE_IF = 4 };	/* in MODE.Exec packets */
enum { PIP_GUEST = 1 };	/* NR in PIP packets: VMX non-root operation */

static __attribute__((noinline)) void tell_time(struct pt_walk *w)
{
	if (w->history)
		pt_emit_history(w, pt_walk_ns(w, w->time.tsc));
	if (w->logs)
		pt_log_time(w);
}

/* known: a time was known before */
static void time_has_changed(struct pt_walk *w, bool known)
{
	w->timed_insns = w->insns;
	if (unlikely(w->history || w->logs))
		tell_time(w);
	if (known)
		pt_emit_time(w);
	else if (w->setup->ticks)
		pt_emit_start(w);
}

static void set_time(struct pt_walk *w, const struct pt_packet *p)
{
	u64 before = w->time.tsc;
	bool known = w->time.known;

	w->fresh |= p->type == (w->time.counts_cycles ? PT_CYC : PT_MTC);
	if (pt_time_packet(&w->time, p) && w->time.tsc != before)
		time_has_changed(w, known);
}

static void count_cycles(struct pt_walk *w, u64 cycles)
{
	u64 before = w->time.tsc;

	w->fresh = w->time.counts_cycles;
	pt_time_cycles(&w->time, cycles);
	if (w->time.tsc != before)
		time_has_changed(w, w->time.known);
}

/* packets from PSB to PSBEND say how things are at this place; returns their length */
static size_t walk_psb(struct pt_walk *w, const u8 *p, size_t len)
{
	bool logs = w->logs && p < w->piece->b.p + w->piece->b.len;	/* else the next piece does */
	/* pieces before this one may not be known */
	bool guest = false, tell = w->piece->starts || p != w->piece->b.p;
	u64 ip = 0, last = 0;
	struct pt_packet pk;
	u8 group = PT_NO_GROUP;
	size_t at = PT_PSB_SIZE;

	if (logs)
		pt_log_packet(w, w->off, p, PT_PSB_SIZE, &(struct pt_packet){ .type = PT_PSB });
	for (bool done = false; at < len && !done;) {
		size_t size = pt_packet_read(p + at, len - at, &group, &pk);

		if (logs)
			pt_log_packet(w, w->off + at, p + at, size, &pk);
		at += size;
		switch (pk.type) {
		case PT_FUP:
			last = ip = pk.nr ? pt_packet_ip(&pk, last) : 0;
			break;
		case PT_MODE_EXEC:
			w->is64 = pk.payload & 1;
			w->irqs_off = w->next_off = w->setup->tells_irqs && !(pk.payload & MODE_IF);
			break;
		case PT_MODE_TSX:
			w->in_tx = pk.payload & 1;
			break;
		case PT_PIP:
			guest = pk.payload & PIP_GUEST;
			break;
		case PT_PSBEND: case PT_OVF: case PT_BAD: case PT_PSB:
			done = true;
			break;
		default:
			set_time(w, &pk);
		}
	}
	pt_time_look_ahead(&w->time, p + at, len - at, group);
	w->last_ip = last;
	w->overflow = w->async = w->told_missing = false;
	w->bound = w->pebs_has = 0;
	if (ip && (w->at || w->at_ip))
		pt_walk_to(w, ip);
	else
		pt_stop(w);
	w->top = w->depth = 0;
	if (w->at_ip != ip || !ip)
		pt_stop(w);
	else if (!w->time.counts_cycles) {	/* else cycles are of the CYC packet before */
		w->exact_insns = w->insns + 1;
		w->seen = w->time.all_cycles;
	}
	pt_set_task(w);
	w->tsc = w->time.tsc;
	if (ip) {
		pt_error_end(w);
		pt_traced(w, true);
	}
	w->guest = w->next_guest = guest;
	if (ip)
		pt_go_to(w, ip);
	if (tell) {	/* else the piece before it did */
		pt_emit_made(w, PT_EV_PSB, ip, w->off, false);
		pt_emit_ratio(w, ip);
		if (ip)
			pt_meet(w, ip, 0, 0);
	}
	w->ratio = w->time.ratio;
	return at;
}

/* a branch gives it addresses, if the program is traced and no FUP of its own follows */
static void see_cfe(struct pt_walk *w, u16 payload)
{
	bool own = payload & 0x80;

	w->cfe = payload;
	w->cfe_waits = !own && (w->at || w->at_ip);
	if (own)
		w->bound |= 1ull << PT_CFE;
	else if (!w->cfe_waits)
		pt_emit_evt(w, 0, 0, 0);
}

static void see_evd(struct pt_walk *w, const struct pt_packet *p)
{
	if (w->nr_evd == PT_EVD_MAX)
		return;
	w->evd_type[w->nr_evd] = p->nr;
	w->evd[w->nr_evd++] = p->payload;
}

/* by the Intel SDM: groups "basic" and "memory" of a PEBS record; others are not used */
static void see_item(struct pt_walk *w, const struct pt_packet *p)
{
	static const struct { u8 group, id, is; } rows[] = {
		{ 4, 0, PT_PEBS_IP }, { 4, 1, PT_PEBS_COUNTERS }, { 4, 2, PT_PEBS_TSC },
		{ 5, 0, PT_PEBS_ADDR }, { 5, 2, PT_PEBS_LATENCY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].group != w->pebs_group || rows[i].id != p->nr)
			continue;
		w->pebs[rows[i].is] = p->payload;
		w->pebs_has |= 1 << rows[i].is;
	}
}

/* packets of events: some get their address from an FUP that follows */
static void walk_event(struct pt_walk *w, const struct pt_packet *p)
{
	static const u8 event[] = { [PT_MWAIT] = PT_EV_MWAIT, [PT_PWRE] = PT_EV_PWRE, [PT_PWRX] = PT_EV_PWRX,
				    [PT_PTW] = PT_EV_PTWRITE, [PT_EXSTOP] = PT_EV_EXSTOP };

	switch (p->type) {
	case PT_BBP:
		w->pebs_group = p->payload & 0x1f;
		break;
	case PT_BIP:
		return see_item(w, p);
	case PT_BEP:
		if (p->nr)
			w->bound |= 1ull << p->type;
		else
			pt_emit_pebs(w, w->at_ip);
		break;
	case PT_PTW: case PT_EXSTOP:
		w->ptwrite = p->type == PT_PTW ? p->payload : w->ptwrite;
		if (p->nr)
			w->bound |= 1ull << p->type;
		else
			pt_emit_made(w, event[p->type], w->at_ip, p->payload, false);
		break;
	case PT_MWAIT: case PT_PWRE: case PT_PWRX:
		pt_emit_made(w, event[p->type], w->at_ip, p->payload, false);
		break;
	case PT_MODE_TSX:
		w->in_tx = p->payload & 1;
		w->aborted = p->payload & 2;
		w->bound |= 1ull << p->type;
		break;
	case PT_CFE:
		return see_cfe(w, p->payload);
	case PT_EVD:
		return see_evd(w, p);
	}
}

/* the next FUP or branch changes that */
static void see_irqs(struct pt_walk *w, u64 mode)
{
	w->next_off = w->setup->tells_irqs && !(mode & MODE_IF);
	w->bound &= ~(1ull << PT_MODE_EXEC);
	if (w->next_off != w->irqs_off)
		w->bound |= 1ull << PT_MODE_EXEC;
}

static void walk_packet(struct pt_walk *w, const struct pt_packet *p)
{
	switch (p->type) {
	case PT_TNT:
		return pt_walk_tnt(w, p->payload, p->nr);
	case PT_TIP: case PT_TIP_PGE: case PT_TIP_PGD: case PT_FUP:
		return pt_walk_address(w, p);
	case PT_TSC: case PT_TMA: case PT_MTC: case PT_CYC:
		return set_time(w, p);
	case PT_CBR:
		set_time(w, p);
		return pt_emit_ratio(w, w->at_ip);
	case PT_MODE_EXEC:
		w->is64 = p->payload & 1;
		see_irqs(w, p->payload);
		return pt_set_task(w);
	case PT_PIP:
		w->next_guest = p->payload & PIP_GUEST;
		break;
	case PT_OVF:
		pt_fail(w, PT_ERR_OVERFLOW);
		w->overflow = true;
		break;
	default:
		walk_event(w, p);
	}
}

/* a damaged place: what comes before the next PSB cannot be trusted */
static size_t skip_damage(struct pt_walk *w, const u8 *p, size_t len)
{
	const u8 *psb = pt_find_psb(p, len);

	pt_fail(w, PT_ERR_BAD_PACKET);
	return psb ? (size_t)(psb - p) : len;
}

u64 pt_first_tsc(const u8 *p, size_t len)
{
	const u8 *end = p + len;
	u8 group = PT_NO_GROUP;
	struct pt_packet pk = { .type = PT_PAD };

	while (p < end && pk.type != PT_BAD && pk.type != PT_PSBEND) {
		p += pt_packet_read(p, end - p, &group, &pk);
		if (pk.type == PT_TSC)
			return pk.payload;
	}
	return 0;
}

/* the next piece begins with the address that this one leads to */
static void walk_ahead(struct pt_walk *w)
{
	const struct aux_bytes *b = &w->piece->b;

	w->off = b->off + b->len;
	if (w->piece->ahead >= PT_PSB_SIZE && pt_find_psb(b->p + b->len, PT_PSB_SIZE) == b->p + b->len)
		walk_psb(w, b->p + b->len, w->piece->ahead);
	pt_traced(w, false);
}

/* nothing but the packets from PSB to PSBEND */
static void walk_psbs(struct pt_walk *w)
{
	const struct aux_bytes *b = &w->piece->b;
	const u8 *end = b->p + b->len, *p = pt_find_psb(b->p, b->len);

	while (p) {
		w->off = b->off + (p - b->p);
		p += walk_psb(w, p, end + w->piece->ahead - p);
		p = p < end ? pt_find_psb(p, end - p) : NULL;
	}
	walk_ahead(w);
}

void pt_walk_begin(struct pt_walk *w)
{
	const struct aux_bytes *b = &w->piece->b;
	const u8 *psb = pt_find_psb(b->p, b->len);

	w->next = psb ? (size_t)(psb - b->p) : b->len;
	w->group = PT_NO_GROUP;
	w->drops = pt_code_drops(w->code);
	w->walk = pt_code_new_walk(w->code);
	w->time.limit = pt_first_tsc(b->p + b->len, w->piece->ahead);
	pt_emit_start(w);
}

/* the packet at w->next */
static inline __attribute__((always_inline)) void walk_next(struct pt_walk *w)
{
	const struct aux_bytes *b = &w->piece->b;
	const u8 *p = b->p + w->next;
	size_t left = b->len - w->next, size;
	struct pt_packet pk;

	w->off = b->off + w->next;
	if (pt_is_short_tnt(*p) && !w->group) {
		u32 bits = *p >> 1, nr = 31 - __builtin_clz(bits);

		w->next++;
		return pt_walk_tnt(w, (u64)bits << (64 - nr), nr);
	}
	if (pt_is_short_cyc(*p)) {
		w->next++;
		return count_cycles(w, *p >> 3);
	}
	size = pt_packet_read(p, left, &w->group, &pk);
	if (pk.type == PT_PSB)
		size = walk_psb(w, p, left + w->piece->ahead);
	else if (pk.type == PT_BAD)
		size = skip_damage(w, p, left);
	else
		walk_packet(w, &pk);
	w->next += size;
	if (pk.type == PT_MTC || pk.type == PT_TMA || pk.type == PT_CBR)
		pt_time_look_ahead(&w->time, p + size, left - size + w->piece->ahead, w->group);
}

/* the same with a log of the packets; walk_psb() logs its own ones */
static __attribute__((noinline)) void walk_logged(struct pt_walk *w)
{
	const struct aux_bytes *b = &w->piece->b;
	u8 group = w->group;
	struct pt_packet pk;
	size_t size = pt_packet_read(b->p + w->next, b->len - w->next, &group, &pk);

	if (pk.type != PT_PSB)
		pt_log_packet(w, b->off + w->next, b->p + w->next, size, &pk);
	walk_next(w);
}

/* after a rest: other walks have asked for code of other tasks, and blocks may have been dropped */
static void resume(struct pt_walk *w)
{
	w->rests = false;
	pt_code_set(w->code, &w->ctx, w->is64);
	if (w->at && w->rest_drops != *w->drops)
		w->at = pt_code_block(w->code, w->at_ip);
}

bool pt_walk_more(struct pt_walk *w, size_t enough)
{
	if (w->setup->quick == PT_QUICKEST) {
		walk_psbs(w);
		return false;
	}
	if (w->rests)
		resume(w);
	while (unlikely(w->logs) && w->next < w->piece->b.len && w->out->rec.len < enough)
		walk_logged(w);
	while (w->next < w->piece->b.len && w->out->rec.len < enough)
		walk_next(w);
	if (w->next < w->piece->b.len) {
		w->rest_drops = *w->drops;
		return w->rests = true;
	}
	walk_ahead(w);
	return false;
}

void pt_walk_piece(struct pt_walk *w)
{
	pt_walk_begin(w);
	pt_walk_more(w, SIZE_MAX);
}
