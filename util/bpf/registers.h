/*
 * Registers: short names of the registers of BPF programs, for files that write one. What 6 to 9 keep, each
 * file says itself.
 */
#ifndef PERF_BPF_REGISTERS_H
#define PERF_BPF_REGISTERS_H

#include <linux/bpf.h>

#define R0 BPF_REG_0
#define R1 BPF_REG_1
#define R2 BPF_REG_2
#define R3 BPF_REG_3
#define R4 BPF_REG_4
#define R5 BPF_REG_5
#define FRAME BPF_REG_10

#endif
