/*
 * Iostat: what passes the PCIe root ports of Intel servers. Each stack of the integrated I/O controller is a
 * PMU, uncore_iio_N, and has one root port on each die: sysfs names it in uncore_iio_N/dieM, as "domain:bus"
 * in hexadecimal digits. Four events of a stack count double words (4 bytes) by who asked for them (Intel's
 * uncore reference: DATA_REQ_OF_CPU 0x83, DATA_REQ_BY_CPU 0xc0; unit masks MEM_READ 4, MEM_WRITE 1).
 */
#ifndef PERF_STAT_IOSTAT_H
#define PERF_STAT_IOSTAT_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../event/event.h"
#include "show-opts.h"

struct iostat_port {
	u32 stack, die;		/* N and M above */
	u32 domain, bus;
	char name[16];		/* "0000:17" */
	u32 event;		/* the first of its stack's four events in the set */
};

struct iostat {
	struct { VEC(struct iostat_port); } port;	/* by stack, then by die */
	struct view_places places;			/* one for each port */
};

/*
 * The machine's root ports that list names ("0000:17,0:3a"); NULL: all. With err: -ENODEV if there are none,
 * -EINVAL if list has a word that is not a port of this machine.
 */
int iostat_init(struct iostat *io, const char *list, struct err *err);
void iostat_release(struct iostat *io);
/* a line for each: "S0-uncore_iio_0<0000:00>" */
void iostat_list(const struct iostat *io, struct strbuf *out);
/* appends four events for each stack that has ports; to be summed up by die and never merged over PMUs */
int iostat_events(struct iostat *io, struct evset *set, struct err *err);
/* a line with four metrics, in MB, for each port; the places of b are then ports */
void iostat_lines(const struct iostat *io, struct view_block *b, const struct stat_lines_in *in);

#endif
