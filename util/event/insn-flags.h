/*
 * What an instruction of a hardware trace did: bits of insn_flags in samples that are made of traces. They
 * have the values that upstream gives them where its plug-ins and scripts see them.
 */
#ifndef PERF_EVENT_INSN_FLAGS_H
#define PERF_EVENT_INSN_FLAGS_H

#include "../base/strbuf.h"

struct sample;

enum {
	INSN_BRANCH = 1 << 0, INSN_CALL = 1 << 1, INSN_RETURN = 1 << 2, INSN_CONDITIONAL = 1 << 3,
	INSN_SYSCALL = 1 << 4,		/* with CALL or RETURN */
	INSN_ASYNC = 1 << 5, INSN_INTERRUPT = 1 << 6, INSN_TX_ABORT = 1 << 7, INSN_TRACE_BEGIN = 1 << 8,
	INSN_TRACE_END = 1 << 9, INSN_IN_TX = 1 << 10, INSN_VM_ENTRY = 1 << 11, INSN_VM_EXIT = 1 << 12,
	INSN_IRQS_OFF = 1 << 13,		/* interrupts are disabled */
	INSN_IRQS_CHANGE = 1 << 14,	/* and the instruction changes that */
	INSN_MISPREDICTED = 1 << 15, INSN_NOT_TAKEN = 1 << 16,
};

/*
 * upper half of insn_flags: length of the instruction in bytes, 0: not known; and the number of calls before
 * it that have not returned, if that was asked for
 */
#define INSN_LEN_SHIFT 32
#define INSN_DEPTH_SHIFT 40
#define INSN_DEPTH(flags) ((flags) >> INSN_DEPTH_SHIFT & 0xffff)
#define INSN_EXACT (1ull << 63)	/* of events that are packets: they happened at the instruction */

/* appends as "tr end  syscall", "jcc/not_taken/", or as letters ("bco": a conditional call) */
void insn_flags_put(u64 flags, struct strbuf *out);
/* appends as "(xDt)": inside a transaction, interrupts are disabled, and are disabled or enabled here */
void insn_marks_put(u64 flags, struct strbuf *out);

/*
 * The word made of samples of instructions and branches: cycles and instructions since the sample before
 * that has them; 0: not known
 */
#define MADE_IPC(insns, cycles) ((u64)(u32)(cycles) << 32 | (u32)(insns))

/*
 * events whose samples have other facts in it: configs of attributes of this type, as upstream numbers them
 */
#define MADE_EVENT_TYPE 0x80000000u
enum made_event {
	MADE_PTWRITE,	/* the number that was written; INSN_EXACT says something */
	MADE_MWAIT,	/* payloads of the packets */
	MADE_PWRE, MADE_EXSTOP, MADE_PWRX,
	MADE_CBR,	/* ratio, bits 16-31 the ratio without turbo, upper half kHz */
	MADE_PSB,	/* offset in the trace */
	/*
	 * payload of a CFE packet. raw: as upstream has it, 4 bytes (type, vector, number of EVD packets
	 * before it, 0), then 8 bytes each for the type and payload of these packets, little-endian
	 */
	MADE_EVT,
	MADE_IFLAG,	/* MADE_IFLAG_* */
	MADE_VPA_DTL,	/* nothing; raw begins with an entry of event/dtl-entry.h */
};

enum { MADE_IFLAG_ON = 1, MADE_IFLAG_BRANCH = 2 };	/* interrupts are enabled; by a branch */
enum { MADE_EVT_RAW = 4, MADE_EVT_ITEM = 16 };	/* bytes */

/* appends what a sample of such an event says */
void made_event_put(const struct sample *sm, struct strbuf *out);

#endif
