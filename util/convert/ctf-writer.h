/*
 * CTF writer: a trace in the Common Trace Format 1.8, a directory with the file "metadata" (a text that
 * declares events and their fields) and a file of packets for each CPU. Numbers are little-endian and nothing
 * is padded. Events come one after another; memory is a packet for each CPU. Knows no perf type.
 */
#ifndef PERF_CONVERT_CTF_WRITER_H
#define PERF_CONVERT_CTF_WRITER_H

#include "../base/err.h"
#include "../base/strbuf.h"

#define CTF_NO_CPU UINT32_MAX

struct ctf_writer;

/* a new directory; one that exists must be a trace, and be replaced (force). NULL with err */
struct ctf_writer *ctf_writer_new(const char *dir, bool force, struct err *err);
/*
 * writes what is left and the metadata, and frees w; after an error (ret) nothing stays. 0 with the number of
 * bytes that were written, or a negative errno with err
 */
int ctf_writer_finish(struct ctf_writer *w, int ret, u64 *ret_bytes, struct err *err);

/* what is said of the whole trace; times are nanoseconds since 1970 minus offset_ns */
void ctf_set_env(struct ctf_writer *w, const char *key, const char *value);
void ctf_set_clock_offset(struct ctf_writer *w, s64 offset_ns);

/* --- declaring an event: its name, then its fields in their order */

enum ctf_kind { CTF_UNSIGNED, CTF_SIGNED, CTF_HEX, CTF_TEXT };

/* the number of the event */
u32 ctf_declare_event(struct ctf_writer *w, const char *name);
/* bytes: 1, 2, 4 or 8; not of texts */
void ctf_declare_field(struct ctf_writer *w, const char *name, enum ctf_kind kind, u32 bytes);
/* a number of elements (4 bytes), and the elements, which may be big-endian */
void ctf_declare_array(struct ctf_writer *w, const char *name, enum ctf_kind kind, u32 bytes,
		       bool big_endian);
void ctf_declare_end(struct ctf_writer *w);

/* --- an event: the values of all fields in their order */

/* 0, or a negative errno. time_ns: earlier than the last one of its CPU: the same as that */
int ctf_begin(struct ctf_writer *w, u32 event, u32 cpu, u64 time_ns);
void ctf_put(struct ctf_writer *w, u64 value, u32 bytes);
void ctf_put_text(struct ctf_writer *w, const char *text);
void ctf_put_bytes(struct ctf_writer *w, const void *data, size_t len);

#endif
