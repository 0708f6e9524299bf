/*
 * Cpulist: sets of CPU (or node) numbers as people and sysfs write them: "0-3,8,10-11". Sorted,
 * each number once.
 */
#ifndef PERF_BASE_CPULIST_H
#define PERF_BASE_CPULIST_H

#include "err.h"
#include "vec.h"

/* no machine has more CPUs; this limits what a hostile list can make us allocate */
#define CPULIST_MAX 65536

struct cpulist {
	VEC(int);
};

/*
 * adds the CPUs that s names to list; "" adds nothing. Returns 0, or -EINVAL with err naming the wrong word
 */
int cpulist_parse(struct cpulist *list, const char *s, struct err *err);
/* ret becomes what the first line of a file below the fs root says; 0, or a negative errno and no CPUs */
int cpulist_read(struct cpulist *ret, const char *path);
/*
 * adds the bits of a mask as /proc and /sys write it: "ff,00000001", lowest bits last. False if it is not a
 * mask
 */
bool cpulist_parse_mask(struct cpulist *list, const char *s);
/* adds one number and keeps the order */
void cpulist_add(struct cpulist *list, int cpu);
bool cpulist_has(const struct cpulist *list, int cpu);
/* the index of cpu in the list, or -1 */
int cpulist_index(const struct cpulist *list, int cpu);
/* appends "0-3,8" to out */
struct strbuf;
void cpulist_format(const struct cpulist *list, struct strbuf *out);

#endif
