/*
 * Merge-bpf: the BPF programs of several recordings of one boot, each once. Programs come and go all the time
 * (each service that systemd starts may bring one), so the lists of two recordings differ; ids are not used
 * again before the next boot.
 */
#ifndef PERF_INJECT_MERGE_BPF_H
#define PERF_INJECT_MERGE_BPF_H

#include "../base/hash.h"
#include "../base/strbuf.h"
#include "../data/features.h"

/* entries of a feature: u32 count, then each as it stands in the files */
struct merge_bpf_list {
	struct hidx by_id;
	struct { VEC(struct merge_bpf_entry { u32 id; struct feat_blob bytes; }); };
	struct strbuf blob;
};

struct merge_bpf {
	struct merge_bpf_list programs, types;
};

/* the features of a file in this byte order, whose bytes stay. False: a program has the id of another one */
bool merge_bpf_add(struct merge_bpf *m, const struct features *from);
/* gives the features all of them, in memory of m */
void merge_bpf_put(struct merge_bpf *m, struct features *to);
void merge_bpf_release(struct merge_bpf *m);

#endif
