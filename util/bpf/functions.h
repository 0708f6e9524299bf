/* Functions: numbers, for programs, of functions of the kernel that have others there (set.h). */
#ifndef PERF_BPF_FUNCTIONS_H
#define PERF_BPF_FUNCTIONS_H

#define BPF_FUNCTION_CAST 0x50460001	/* bpf_rdonly_cast() */

#endif
