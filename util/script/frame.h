/*
 * Frame: one address as perf script shows it: hex, symbol, offset, dso, inlined callers, source line. A
 * worker keeps the text after the address, once a symbol (once an address where functions are inlined).
 */
#ifndef PERF_SCRIPT_FRAME_H
#define PERF_SCRIPT_FRAME_H

#include "../base/arena.h"
#include "../base/strbuf.h"
#include "../session/session.h"
#include "../sym/lines.h"
#include "../view/stream.h"

/* how a frame is written: bits of struct frame_style.what */
#define FRAME_IP	(1u << 0)
#define FRAME_SYM	(1u << 1)
#define FRAME_SYMOFF	(1u << 2)
#define FRAME_DSO	(1u << 3)
#define FRAME_DSOFF	(1u << 4)
#define FRAME_SRCLINE	(1u << 5)
/* a line of a call chain: begins with a tab, ends with a newline; else begins with a blank */
#define FRAME_LINE	(1u << 6)
#define FRAME_INLINE	(1u << 7)	/* inlined callers on lines of their own */
#define FRAME_CELLS	(1u << 8)	/* as cells of the cache's format: with FRAME_LINE a row each */

/* nothing but the address is shown: nothing else needs to be known */
static inline bool frame_is_bare(u32 what)
{
	return !(what & (FRAME_SYM | FRAME_DSO | FRAME_SRCLINE | FRAME_INLINE));
}

#define FRAME_TABLES 8

struct frame_opts {
	bool show_kernel_path;	/* module paths instead of [module] */
	bool full_source_path;
};

/* an address of code, when and where it was seen */
struct frame_at {
	const struct sample_ctx *ctx;
	u64 ip;
	u8 cpumode;
	bool caller;		/* ip is a return address: symbol and lines are those of the call */
};

/* an address with all that is known about it; sym NULL: no symbol, loc.dso ID_NONE: no map */
struct resolved_frame {
	u64 ip;
	struct loc loc;
	const struct symbol *sym;
	u32 sym_idx;		/* place of sym in its table; ID_NONE */
	bool caller;		/* see struct frame_at */
	u64 code;		/* in the dso: where its lines are; valid if its symbols are loaded */
};

/* a frame that is to be written at pos of the text once lines_load() has found its lines */
struct frame_hole {
	size_t pos;
	struct resolved_frame f;
	u32 what;
};

/* the text of an address that was found lately */
struct frame_known {
	u64 addr;		/* in the dso */
	u32 dso : 31, caller : 1;
	u32 text;		/* in table[0]; 0: free */
};
#define FRAMES_KNOWN 4096u	/* a power of 2 */

/*
 * One worker's. Dsos that are needed but not loaded yet are noted in want (one byte a dso) and blocked is
 * set: what was written since is to be thrown away and written again after symbols_load().
 */
struct frame_cache {
	const struct session *s;
	struct locator *locator;	/* of the same worker */
	const struct frame_opts *opts;
	const struct stream_format *format;	/* of FRAME_CELLS; else NULL */
	const u8 *loaded;	/* by dso id, shared, changes between pool_runs only */
	u8 *want;
	u32 nr_dsos;
	const struct lines *lines;
	/* frames that wait for their lines; the text goes on after them */
	struct { VEC(struct frame_hole); } hole;
	bool blocked;
	/* texts by symbol, one table a combination of FRAME_* */
	struct frame_table *table[FRAME_TABLES];
	struct frame_known known[FRAMES_KNOWN];	/* the last ones: lines of one address follow each other */
	struct arena arena;	/* texts, one of each symbol */
	struct arena names;	/* demangled names, forgotten now and then */
	struct strbuf tmp;
};

void frame_cache_init(struct frame_cache *c, const struct session *s, struct locator *locator,
		      const struct frame_opts *opts, const u8 *loaded, u32 nr_dsos,
		      const struct lines *lines);
/* the machine has grown: more dsos. The locator is reset by its owner */
void frame_cache_grow(struct frame_cache *c, const u8 *loaded, u32 nr_dsos);
void frame_cache_release(struct frame_cache *c);

/* where a code address lies (data: in any map) */
struct loc frame_locate(struct frame_cache *c, const struct sample_ctx *at, u8 cpumode, u64 ip, bool data);
/* finds the symbol of f->loc; false where its dso is not loaded yet: then blocked is set */
bool frame_find_symbol(struct frame_cache *c, struct resolved_frame *f);
/* code address (data: any map); false where its dso is not loaded yet: then blocked is set */
bool frame_resolve(struct frame_cache *c, const struct sample_ctx *at, u8 cpumode, u64 ip, bool data,
		   struct resolved_frame *out);
/* the same for an address of a call chain */
bool frame_resolve_at(struct frame_cache *c, const struct frame_at *at, struct resolved_frame *out);

/*
 * where an address leads, found ahead of writing it so that many are fetched from memory at a time;
 * text 0: not found
 */
struct frame_found {
	u64 dso_addr;
	u32 dso;
	u32 text;
};
struct frame_found frame_find(struct frame_cache *c, const struct frame_at *at, u32 what);
/* appends the text of the address; what: FRAME_* bits */
void frame_put(struct frame_cache *c, const struct frame_at *at, u32 what, struct strbuf *out);
/* the same for one that frame_find() was asked for */
void frame_put_found(struct frame_cache *c, const struct frame_at *at, u32 what, struct frame_found hit,
		     struct strbuf *out);
/* writes a frame that was left out */
void frame_put_hole(struct frame_cache *c, struct frame_hole *h, struct strbuf *out);
/* the name of f->sym, good until the next call; NULL where there is no symbol */
const char *frame_name(struct frame_cache *c, const struct resolved_frame *f);
/* the dso, as it is shown: modules by their names; NULL: in none */
const char *frame_dso_name(const struct frame_cache *c, const struct resolved_frame *f, bool offset);
/* "sym+0x1f" or "[unknown]"; " (dso)" or " (dso+0x10)" */
void frame_put_sym(struct frame_cache *c, const struct resolved_frame *f, bool offset, struct strbuf *out);
void frame_put_dso(const struct frame_cache *c, const struct resolved_frame *f, bool offset,
		   struct strbuf *out);

#endif
