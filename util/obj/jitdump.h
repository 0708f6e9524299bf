/*
 * Jitdump: a file in which a JIT compiler writes the code that it generates, with times, names, source lines
 * and unwind information (jitdump-specification.txt of the kernel's documentation, version 1). A program maps
 * it executable, so a recording contains its path, "jit-PID.dump". All bytes are regarded as hostile; text,
 * code and tables of an entry are in the mapped file.
 */
#ifndef PERF_OBJ_JITDUMP_H
#define PERF_OBJ_JITDUMP_H

#include "../base/cursor.h"
#include "../base/err.h"
#include "../base/mapping.h"

struct jitdump {
	struct mapping map;		/* empty if the bytes belong to the caller */
	const u8 *base;
	u64 size;			/* bytes of the file */
	bool swap;			/* it is in the other byte order */
	u32 e_machine;			/* EM_* */
	s32 pid;			/* as the program itself sees it */
	bool cpu_clock;			/* times are of a counter of the CPU, else of CLOCK_MONOTONIC in ns */
	u64 off;			/* of the next record */
	bool damaged;			/* jitdump_next() ended before the end of the file */
};

enum jit_kind {
	JIT_LOAD,			/* new code */
	JIT_MOVE,			/* code that was loaded before is elsewhere now */
};

struct jit_entry {
	enum jit_kind kind;
	u64 time;
	s32 pid, tid;
	u64 addr, len;			/* of the code, at run time */
	u64 old_addr;			/* move */
	u64 index;			/* the compiler's number of the function */
	/* load */
	const char *name;
	const u8 *code;
	u64 code_off;			/* file offset of code */
	u64 nr_lines;			/* rows of jit_line_next() */
	const u8 *lines, *lines_end;
	/*
	 * .eh_frame, then eh_frame_hdr_len bytes of .eh_frame_hdr; unwind_mapped bytes of both follow the
	 * code in memory. Addresses in it are relative to each other, as if it followed the code at a
	 * multiple of 8 bytes
	 */
	const u8 *unwind;
	u64 unwind_len, eh_frame_hdr_len, unwind_mapped;
};

struct jit_line {
	u64 addr;
	u32 line;
	const char *file;
};

/* true for ".../jit-123.dump", which is how a program has to name it; also deleted, and as a memfd */
bool jitdump_is_name(const char *path);
/* opens and checks a file; 0, or negative errno with err */
int jitdump_open(struct jitdump *d, const char *path, struct err *err);
/*
 * the dump of a process, as it is or was named there: if the process lives and live is true, below its root
 * or in its memory, else at the path itself
 */
int jitdump_open_of(struct jitdump *d, const char *path, s32 pid, bool live, struct err *err);
/* the same for bytes that the caller keeps; name is for messages */
int jitdump_of_bytes(struct jitdump *d, const void *p, u64 size, const char *name, struct err *err);
void jitdump_close(struct jitdump *d);

/* true and the next entry, false at the end or at the first damaged record */
bool jitdump_next(struct jitdump *d, struct jit_entry *ret);

struct jit_line_iter {
	struct cursor c;
	u64 left;
	const char *file;
};
struct jit_line_iter jit_lines(const struct jitdump *d, const struct jit_entry *e);
/* false at the end */
bool jit_line_next(struct jit_line_iter *it, struct jit_line *ret);

#endif
