/* Inlined functions that a symbol store keeps: what debug information says, without opening it again. */
#include "test.h"

#include <unistd.h>

#include "../../util/base/strbuf.h"
#include "../../util/obj/elf-obj.h"
#include "../../util/sym/lines.h"
#include "../../util/sym/store.h"

#define STEP 53		/* of the functions of this program one is asked for, then the one after it */

struct session_of_one {
	struct dso dso;
	struct dsos dsos;
	struct sym_opts opts;
	struct symbols *s;
	struct lines *lines;
	struct pool *pool;
};

static bool init(struct session_of_one *w)
{
	struct elf_obj *o = elf_obj_open("/proc/self/exe", NULL);
	char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	REQUIRE(len > 0);
	path[len] = '\0';
	REQUIRE(!symlink(path, "prog"));
	*w = (struct session_of_one){ .opts = SYM_OPTS_INIT };
	w->dso = (struct dso){ .kind = DSO_USER, .long_name = "prog", .short_name = "prog", .pid = -1,
			       .is_64bit = true };
	w->dso.buildid_len = o ? elf_obj_buildid(o, w->dso.buildid) : 0;
	elf_obj_free(o);
	w->opts.buildid_dir = "cache";
	vec_push(&w->dsos.dso, &w->dso);
	return w->dso.buildid_len;
}

static void begin(struct session_of_one *w)
{
	u32 id = 0;

	w->pool = pool_new(1);
	w->s = symbols_new(&w->dsos, &w->opts);
	symbols_load(w->s, w->pool, &id, 1);
	w->lines = lines_new(w->s, 1, false);
}

static void end(struct session_of_one *w)
{
	lines_free(w->lines);
	symbols_free(w->s);
	pool_free(w->pool);
}

/* in which part of a function the addresses are that a session asks for */
static u64 address(const struct symbol *sym, u32 part)
{
	return sym->start + (sym->end - sym->start - 1) * part / 4;
}

/* the names at one part of every STEPth function from first on */
static void add_names(struct session_of_one *w, u32 first, u32 part, struct strbuf *ret)
{
	const struct symtab *tab = symbols_table(w->s, 0);
	struct { VEC(struct line_query); } q = { 0 };

	for (u32 i = first; i < tab->nr; i += STEP)
		vec_push(&q, (struct line_query){ 0, address(&tab->sym[i], part) });
	lines_load_dso_once(w->lines, 0, q.v, q.nr);
	for (u32 i = first; i < tab->nr; i += STEP) {
		const struct line_info *info = lines_find(w->lines, 0, address(&tab->sym[i], part));

		strbuf_addf(ret, "%s:", tab->sym[i].name);
		for (u32 k = 0; info && k < info->nr_inlined; k++)
			strbuf_addf(ret, " %s", info->inlined[k].name);
		strbuf_addch(ret, '\n');
	}
	vec_release(&q);
}

TEST(a_store_needs_debug_information_of_a_function_once)
{
	struct strbuf direct = STRBUF_INIT, stored = STRBUF_INIT, other = STRBUF_INIT;
	struct session_of_one w;

	if (!init(&w))
		SKIP("no libelf, or no build-id");
	for (u32 part = 0; part <= 4; part++) {
		begin(&w);
		if (!lines_know_inlines(w.s, 0))
			SKIP("this program has no debug information");
		add_names(&w, 0, part, &direct);
		end(&w);
	}
	if (!strstr(strbuf_str(&direct), ": "))
		SKIP("nothing is inlined in this program");
	w.opts.store = sym_store_new(0);
	for (u32 part = 0; part <= 4; part++) {
		begin(&w);
		add_names(&w, 0, part, &stored);
		end(&w);
		/* neither the table nor the symbols need the file again */
		unlink("prog");
	}
	CHECK_STR(strbuf_str(&stored), strbuf_str(&direct));
	CHECK_U64(sym_store_facts(w.opts.store).nr_reused, 4);
	/* functions that no session has asked for do */
	begin(&w);
	add_names(&w, 1, 2, &other);
	end(&w);
	CHECK(!strstr(strbuf_str(&other), ": "));
	sym_store_free(w.opts.store);
	strbuf_release(&direct);
	strbuf_release(&stored);
	strbuf_release(&other);
}

TEST(symbols_go_before_inlined_functions)
{
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct session_of_one w;
	u64 all;

	if (!init(&w))
		SKIP("no libelf, or no build-id");
	w.opts.store = sym_store_new(0);
	begin(&w);
	if (!lines_know_inlines(w.s, 0))
		SKIP("this program has no debug information");
	add_names(&w, 0, 1, &before);
	end(&w);
	all = sym_store_facts(w.opts.store).bytes;
	sym_store_free(w.opts.store);
	/* the next time they do not fit together */
	w.opts.store = sym_store_new(all - 1);
	for (int i = 0; i < 2; i++) {
		begin(&w);
		strbuf_reset(&after);
		add_names(&w, 0, 1, &after);
		end(&w);
		CHECK_STR(strbuf_str(&after), strbuf_str(&before));
		/* the table is still there */
		CHECK(sym_store_facts(w.opts.store).bytes > 0 && sym_store_facts(w.opts.store).bytes < all);
	}
	CHECK_U64(sym_store_facts(w.opts.store).nr_loaded, 2);
	sym_store_free(w.opts.store);
	strbuf_release(&before);
	strbuf_release(&after);
}
