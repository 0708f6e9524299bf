/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grow: a recording as if it had taken longer, to measure how commands grow.
 *
 *	grow TIMES IN OUT
 *
 * IN is a file, not compressed, whose events have the same sample type, with time, tasks and call chains.
 * OUT has its records TIMES times, each time later and of other tasks. Call chains that IN has more than once
 * come again. A chain that IN has once differs each time, because a longer recording has more of them: in its
 * outermost address of user space if few others are near it (what a missing frame pointer left is not an
 * address of code), else in the address that was executed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../../../util/base/alloc.h"
#include "../../../util/base/types.h"

struct section {
	u64 offset, size;
};

struct header {
	char magic[8];
	u64 size, attr_size;
	struct section attrs, data, types;
	u64 features[4];
};

#define FIRST_OTHER_RECORD 64	/* from here on, records of recorders, not of the kernel */
#define FINISHED_ROUND 68
#define TASKS_APART 10000000u	/* pids of one time and of the next: above those of any kernel */
#define PAGES (1u << 22)
#define FEW 8

static const u8 *file;
static u64 file_size, sample_type, first_time = UINT64_MAX, last_time;
static u64 *chains;	/* sorted hashes */
static size_t nr_chains, room_chains;
static u8 pages[PAGES];	/* how often addresses in a page were seen, by hash; at most FEW */

static void die(const char *what)
{
	fprintf(stderr, "grow: %s\n", what);
	exit(1);
}

static u64 mix(u64 h, u64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15;
	return h ^ h >> 29;
}

static u8 *page_count(u64 address)
{
	return &pages[mix(0, address >> 12) >> 32 & (PAGES - 1)];
}

/* words of a sample before the field of this bit; 0: before its call chain */
static size_t words_before(u64 stop)
{
	static const u64 order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR,
		PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD,
	};
	size_t n = 1;	/* the header */

	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && order[i] != stop; i++)
		n += !!(sample_type & order[i]);
	return n;
}

/* in other records: words from the time to the end; the task is the word before the time */
static size_t words_from_time(void)
{
	return 1 + !!(sample_type & PERF_SAMPLE_ID) + !!(sample_type & PERF_SAMPLE_STREAM_ID) +
	       !!(sample_type & PERF_SAMPLE_CPU) + !!(sample_type & PERF_SAMPLE_IDENTIFIER);
}

struct chain {
	u64 *ip;
	size_t nr, leaf, last;	/* leaf, last: innermost and outermost address of user space, or nr */
};

/* chain of a sample; its positions */
static struct chain chain_of(u64 *words, size_t nr_words)
{
	size_t at = words_before(0);
	struct chain c = { words + at + 1, at < nr_words ? words[at] : 0, 0, 0 };
	bool user = false;

	if (at >= nr_words || c.nr > nr_words - at - 1)
		die("a call chain does not fit into its sample");
	c.leaf = c.last = c.nr;
	for (size_t i = 0; i < c.nr; i++) {
		if (c.ip[i] >= (u64)PERF_CONTEXT_MAX) {
			user = c.ip[i] == (u64)PERF_CONTEXT_USER;
		} else if (user) {
			if (c.leaf == c.nr)
				c.leaf = i;
			c.last = i;
		}
	}
	return c;
}

static u64 chain_hash(const struct chain *c)
{
	u64 h = 1;

	for (size_t i = 0; i < c->nr; i++)
		h = mix(h, c->ip[i]);
	return h;
}

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static bool is_once(u64 hash)
{
	u64 *at = bsearch(&hash, chains, nr_chains, sizeof(hash), by_value);

	return !((at > chains && at[-1] == hash) || (at < chains + nr_chains - 1 && at[1] == hash));
}

static void learn(u64 *words, size_t nr)
{
	u64 time = words[words_before(PERF_SAMPLE_TIME)];
	struct chain c = chain_of(words, nr);
	u8 *count;

	first_time = time < first_time ? time : first_time;
	last_time = time > last_time ? time : last_time;
	if (nr_chains == room_chains) {
		room_chains = room_chains * 2 + 4096;
		chains = xreallocarray(chains, room_chains, sizeof(*chains));
	}
	chains[nr_chains++] = chain_hash(&c);
	for (size_t i = c.leaf; i < c.nr; i++) {
		count = page_count(c.ip[i]);
		*count += *count < FEW;
	}
}

static void new_sample(u64 *words, size_t nr, u64 turn, u64 later)
{
	struct chain c = chain_of(words, nr);
	u32 *task = (u32 *)&words[words_before(PERF_SAMPLE_TID)];

	words[words_before(PERF_SAMPLE_TIME)] += later;
	for (int i = 0; task[0] && i < 2; i++)
		task[i] += turn * TASKS_APART;
	if (!turn || !is_once(chain_hash(&c)))
		return;
	if (c.last > c.leaf && *page_count(c.ip[c.last]) < FEW) {
		c.ip[c.last] += turn * 8;
		return;
	}
	if (c.leaf < c.nr) {
		c.ip[c.leaf] += turn;
		if (c.leaf > 1)
			return;
	} else if (c.nr > 1) {
		c.ip[1] += turn;
	}
	words[words_before(PERF_SAMPLE_IP)] += turn;
}

/* records about tasks begin with pid and tid; forks and exits have those of the parent, too */
static void new_side_band(u64 *words, size_t nr, u32 type, u64 turn, u64 later)
{
	if (nr < words_from_time() + 4)
		die("a record is damaged");
	u32 *task = (u32 *)&words[1], *of = (u32 *)&words[nr - words_from_time() - 1];
	int places = type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ? 4 : 2;
	u64 *time = &words[nr - words_from_time()];
	bool is_task = type == PERF_RECORD_COMM || type == PERF_RECORD_MMAP2 || type == PERF_RECORD_MMAP ||
		       places == 4;

	for (int i = 0; is_task && i < places; i++)
		if (task[i] && task[i] != UINT32_MAX)
			task[i] += turn * TASKS_APART;
	if (places == 4)
		words[3] += later;
	for (int i = 0; i < 2; i++)
		if (of[i] && of[i] != UINT32_MAX)
			of[i] += turn * TASKS_APART;
	*time += *time ? later : first_time + later - 1;
}

/* all records, to learn (no output), or as those of a turn */
static void walk(const struct header *h, FILE *out, u64 turn, u64 later)
{
	u64 words[8192];

	for (u64 at = h->data.offset, end = at + h->data.size; at < end;) {
		struct perf_event_header r;

		memcpy(&r, file + at, sizeof(r));
		if (r.size < sizeof(r) || r.size % 8 || r.size > end - at)
			die("a record is damaged");
		memcpy(words, file + at, r.size);
		at += r.size;
		if (!out && r.type == PERF_RECORD_SAMPLE)
			learn(words, r.size / 8);
		if (!out || (turn && r.type >= FIRST_OTHER_RECORD && r.type != FINISHED_ROUND))
			continue;
		if (r.type == PERF_RECORD_SAMPLE)
			new_sample(words, r.size / 8, turn, later);
		else if (turn && r.type < FIRST_OTHER_RECORD)
			new_side_band(words, r.size / 8, r.type, turn, later);
		if (fwrite(words, r.size, 1, out) != 1)
			die("cannot write");
	}
}

/* after the data: a table of sections, whose offsets move, and the sections */
static void write_features(const struct header *h, FILE *out, u64 moved)
{
	u64 from = h->data.offset + h->data.size;
	struct section s;
	size_t nr = 0;

	for (int i = 0; i < 4; i++)
		nr += __builtin_popcountll(h->features[i]);
	if (nr * sizeof(s) > file_size - from)
		die("features are damaged");
	for (size_t i = 0; i < nr; i++) {
		memcpy(&s, file + from + i * sizeof(s), sizeof(s));
		s.offset += moved;
		fwrite(&s, sizeof(s), 1, out);
	}
	from += nr * sizeof(s);
	if (fwrite(file + from, 1, file_size - from, out) != file_size - from)
		die("cannot write");
}

static void map(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		die(strerror(errno));
	file_size = st.st_size;
	file = mmap(NULL, file_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED || file_size < sizeof(struct header))
		die("cannot read the input");
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = { 0 };
	struct header h;
	FILE *out;

	if (argc != 4 || atoi(argv[1]) < 1)
		die("usage: grow TIMES IN OUT");
	u64 times = atoi(argv[1]), written;

	map(argv[2]);
	memcpy(&h, file, sizeof(h));
	if (memcmp(h.magic, "PERFILE2", 8) || h.attrs.offset + PERF_ATTR_SIZE_VER0 > file_size ||
	    h.data.offset > file_size || h.data.size > file_size - h.data.offset)
		die("the input is not a recording of this byte order, or not whole");
	memcpy(&attr, file + h.attrs.offset, PERF_ATTR_SIZE_VER0);
	sample_type = attr.sample_type;
	if (!(sample_type & PERF_SAMPLE_CALLCHAIN) || !(sample_type & PERF_SAMPLE_TIME) ||
	    !(sample_type & PERF_SAMPLE_TID) || (sample_type & PERF_SAMPLE_READ) || !attr.sample_id_all)
		die("the input has no times, tasks or call chains");
	walk(&h, NULL, 0, 0);
	qsort(chains, nr_chains, sizeof(*chains), by_value);
	out = fopen(argv[3], "w");
	if (!out || fwrite(file, 1, h.data.offset, out) != h.data.offset)
		die("cannot write");
	for (u64 turn = 0; turn < times; turn++)
		walk(&h, out, turn, turn * (last_time - first_time + 1000000));
	written = ftell(out) - h.data.offset;
	write_features(&h, out, written - h.data.size);
	fseek(out, offsetof(struct header, data) + offsetof(struct section, size), SEEK_SET);
	fwrite(&written, sizeof(written), 1, out);
	if (fclose(out))
		die("cannot write");
	free(chains);
	return 0;
}
