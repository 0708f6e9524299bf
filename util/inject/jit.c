/*
 * Jit: the functions of jitdump files become ELF files, and maps of them at the times when their code was
 * made. The files are written beside the output (for a pipe, into the current folder): paths in a recording
 * are only read, never written to.
 */
#include "inject-private.h"
#include "new-addresses.h"
#include "../base/fs.h"
#include "../base/log.h"
#include "../base/strtab.h"
#include "../base/timesort.h"
#include "../data/features-write.h"
#include "../event/record-put.h"
#include "../obj/jit-elf.h"
#include "../session/jit-maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* a map to be written: code of a file, at an address from a time on */
struct jit_place {
	s32 pid, tid;
	u64 addr, len;
	u32 file;
};

struct jit_file {
	const char *path;
	u64 mapped;		/* bytes in memory */
	u8 id[JIT_ELF_ID_LEN];
};

struct jit_state {
	char *folder;
	struct strtab paths;
	struct { VEC(struct jit_file); } file;
	struct { VEC(struct jit_place); } place;
	struct { VEC(struct time_ref); } order;		/* time -> place */
	size_t next;					/* position in order */
};

/* an absolute path, because the recording may be read from elsewhere */
static int find_folder(struct jit_state *st, const char *output, struct err *err)
{
	const char *slash = strrchr(output, '/');
	char *folder = !strcmp(output, "-") || !slash ? xstrdup(".") :
		       xstrndup(output, MAX(slash - output, 1));

	st->folder = realpath(folder, NULL);
	if (!st->folder)
		err_sys(err, errno, "cannot write into %s", folder);
	free(folder);
	return st->folder ? 0 : -ENOENT;
}

static int write_file(const char *path, const struct strbuf *bytes, struct err *err)
{
	char *tmp = xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(tmp, O_CLOEXEC), ret = fd < 0 ? -errno : fd_write_all(fd, bytes->buf, bytes->len);

	if (!ret && (fchmod(fd, 0644) || rename(tmp, path)))
		ret = -errno;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && ret)
		unlink(tmp);
	free(tmp);
	return ret ? err_sys(err, -ret, "cannot write %s", path) : 0;
}

/*
 * the compiler may give one number to several functions; then the name ends with the number of the file, too
 */
static const char *name_file(struct jit_state *st, s32 pid, u64 index)
{
	struct strbuf path = STRBUF_INIT;
	const char *ret;

	strbuf_addf(&path, "%s/jitted-%d-%llu.so", st->folder, pid, (unsigned long long)index);
	if (strtab_find(&st->paths, path.buf, path.len) != HIDX_NONE) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/jitted-%d-%llu-%zu.so", st->folder, pid, (unsigned long long)index,
			    st->file.nr);
	}
	ret = strtab_get(&st->paths, strtab_add(&st->paths, path.buf));
	strbuf_release(&path);
	return ret;
}

/* makes the ELF file of code that was loaded; its position in st->file is the last */
static int add_file(struct jit_state *st, const struct jitdump *d, s32 pid, const struct jit_entry *e,
		    struct err *err)
{
	struct jit_file f = { .path = name_file(st, pid, e->index), .mapped = jit_elf_mapped(e) };
	struct strbuf elf = STRBUF_INIT;
	int ret;

	jit_elf_build(&elf, d, e, f.id);
	ret = write_file(f.path, &elf, err);
	strbuf_release(&elf);
	vec_push(&st->file, f);
	return ret;
}

static void add_place(struct jit_state *st, const struct session_jit *j, const struct jit_entry *e, u32 file,
		      u64 time)
{
	vec_push(&st->order, (struct time_ref){ time, st->place.nr });
	vec_push(&st->place, (struct jit_place){ .pid = j->pid, .tid = j->tid, .addr = e->addr, .file = file,
		 .len = st->file.v[file].mapped });
}

static int read_dump(struct inject *in, const struct session_jit *j, struct jitdump *d, struct err *err)
{
	struct jit_state *st = in->jit;
	struct jit_codes codes = { 0 };
	struct jit_entry e;
	u64 file;
	int ret = 0;

	while (!ret && jitdump_next(d, &e)) {
		file = st->file.nr;
		if (e.kind == JIT_LOAD)
			ret = add_file(st, d, j->pid, &e, err);
		else if (!jit_codes_get(&codes, e.old_addr, &file))
			continue;
		jit_codes_set(&codes, e.addr, file);
		add_place(st, j, &e, file, session_jit_time(in->session, j, d, &e));
	}
	if (d->damaged)
		log_warn("%s is damaged after %llu bytes: functions after them are left out", j->path,
			 (unsigned long long)d->off);
	jit_codes_release(&codes);
	return ret;
}

static int open_dump(struct inject *in, const struct session_jit *j, struct err *err)
{
	const struct session *s = in->session;
	struct jitdump d;
	struct err why = ERR_INIT;
	int ret = 0;

	if (jitdump_open_of(&d, j->path, j->pid, s->is_local, &why)) {
		log_warn_err(&why);
		return 0;
	}
	if (d.swap || !jit_elf_supports(d.e_machine))
		log_warn("%s is of a machine (ELF number %u%s) for which no ELF files are made", j->path,
			 d.e_machine, d.swap ? ", other byte order" : "");
	else
		ret = read_dump(in, j, &d, err);
	if (d.cpu_clock || !session_jit_clock(s))
		log_warn("%s has times of another clock than the recording: code that replaced other code "
			 "at its address may have the wrong name; record with --clockid mono", j->path);
	jitdump_close(&d);
	return ret;
}

int jit_start(struct inject *in, struct err *err)
{
	struct { VEC(struct time_ref); } tmp = { 0 };
	struct jit_state *st = in->jit = xcalloc(1, sizeof(*st));
	int ret = find_folder(st, in->opts->output, err);

	vec_foreach(&in->session->jit, j)
		if (!ret)
			ret = open_dump(in, j, err);
	vec_reserve(&tmp, st->order.nr + 1);
	if (st->order.nr)
		time_sort(st->order.v, st->order.nr, tmp.v);
	vec_release(&tmp);
	if (!ret && !in->session->jit.nr)
		log_note("the recording has no jitdump file");
	return ret;
}

void jit_add_ranges(const struct inject *in, struct new_addresses *n)
{
	if (in->jit)
		vec_foreach(&in->jit->place, p)
			new_addresses_add(n, p->addr, p->len);
}

static void put_map(struct inject *in, const struct jit_place *p, u64 time)
{
	const struct jit_file *f = &in->jit->file.v[p->file];
	struct strbuf trailer = STRBUF_INIT;

	inject_put_trailer(in, &trailer, p->pid, p->tid, time);
	record_put(&in->buf, &(struct record_view){
		.type = REC_MMAP2, .misc = CPUMODE_USER | MISC_MMAP_BUILD_ID,
		.mmap2 = { .pid = p->pid, .tid = p->tid, .addr = p->addr, .len = p->len,
			   .pgoff = JIT_ELF_TEXT, .file = { .id_len = JIT_ELF_ID_LEN, .id = f->id },
			   .prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE, .filename = f->path } },
		trailer.buf, trailer.len);
	strbuf_release(&trailer);
}

/* maps come before the first record that is not older */
int jit_record(struct inject *in, const struct rec *rec UNUSED, u64 time)
{
	struct jit_state *st = in->jit;

	while (time && st->next < st->order.nr && st->order.v[st->next].time <= time) {
		const struct time_ref *o = &st->order.v[st->next++];
		int ret;

		put_map(in, &st->place.v[o->ref], o->time);
		ret = inject_flush(in);
		if (ret)
			return ret;
	}
	return 1;
}

void jit_end(struct inject *in)
{
	struct jit_state *st = in->jit;

	if (!st)
		return;
	free(st->folder);
	strtab_release(&st->paths);
	vec_release(&st->file);
	vec_release(&st->place);
	vec_release(&st->order);
	free(st);
	in->jit = NULL;
}
