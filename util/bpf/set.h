/*
 * Set: the BPF programs of one purpose and their maps, from the object that "make bpf" compiled of a *.bpf.c:
 *
 *	static const u8 object[] = {
 *	#include "../bpf/off-cpu.bpf.inc"
 *	};
 *	static const struct bpf_set_program programs[] = {
 *		{ "perf_off_cpu", BPF_AT_TRACEPOINT, "sched:sched_switch" },
 *	};
 *
 *	bpf_set_open(&s, "off-cpu", object, sizeof(object), err);
 *	bpf_set_constants(&s, &settings, sizeof(settings));
 *	bpf_set_load(&s, programs, ARRAY_SIZE(programs), err);
 *	bpf_set_get_map(&s, "pending", &pending);
 *	bpf_set_attach(&s, err);
 *	...
 *	bpf_set_close(&s);
 *
 * The set owns programs, maps and attachments: what bpf_set_get_map() gives is valid until the set is closed,
 * and is not released. Nothing runs after the process has ended. Needs the plug-in libbpf.
 */
#ifndef PERF_BPF_SET_H
#define PERF_BPF_SET_H

#include "../base/vec.h"
#include "map.h"
#include "program.h"

/* where a program runs. The names are those of bpf_prog_attach_raw() and bpf_prog_attach_tracepoint() */
enum bpf_hook {
	BPF_AT_RAW_TRACEPOINT,		/* "sched_process_exit" */
	BPF_AT_TYPED_TRACEPOINT,	/* the same, of a program in a section "tp_btf/sched_process_exit" */
	BPF_AT_TRACEPOINT,		/* "sched:sched_switch" */
	BPF_BY_CALLER,			/* attached with bpf_set_program() by whoever opened the set */
};

struct bpf_set_program {
	const char *name;		/* the function */
	enum bpf_hook hook;
	const char *where;
	bool left_out;			/* is not loaded */
	bool detach_later;		/* see bpf_prog_detach_later() */
};

struct bpf_plugin_ops;
struct bpf_set {
	const char *name;
	const struct bpf_plugin_ops *ops;
	void *object;
	struct bpf_set_loaded {
		struct bpf_set_program row;
		struct bpf_prog prog;	/* its fd belongs to the object */
	} *programs;
	u32 nr;
	char fault[64];			/* what does not fit the object; "": nothing */
};

/* name: of the purpose, for messages. 0 or a negative errno with err; nothing is in the kernel yet */
int bpf_set_open(struct bpf_set *s, const char *name, const u8 *object, size_t size, struct err *err);
/*
 * The constants of the programs: `const volatile struct X settings`, which must be the only constant of the
 * object. If its size differs, bpf_set_load() fails, as after all faults of the build
 */
void bpf_set_constants(struct bpf_set *s, const void *settings, size_t size);
/*
 * calls of a function of the kernel, which programs make by a number of functions.h, go to the one that has
 * this number among the kernel's types; 0: it has none, and what it returns is its first argument
 */
void bpf_set_kernel_function(struct bpf_set *s, u32 function, u32 id);
/* other sizes of a map than the program says; 0 leaves one as it is */
void bpf_set_resize(struct bpf_set *s, const char *map, u32 key_size, u32 value_size, u32 nr);
/*
 * a map that the caller has created, and releases, instead of one as the program says: of a type that depends
 * on options, or an array of maps. NULL: no map, as the programs that are loaded do not reach what uses it
 */
void bpf_set_use_map(struct bpf_set *s, const char *name, const struct bpf_map *map);
/*
 * loads the programs, each of which has a row, in the order in which they will be attached. If the verifier
 * refuses one, the last line of its log is in err, -v logs its last lines, and -vvv all of it and the logs of
 * programs that are accepted
 */
int bpf_set_load(struct bpf_set *s, const struct bpf_set_program *rows, u32 nr, struct err *err);
/* a map of a loaded set, borrowed */
void bpf_set_get_map(const struct bpf_set *s, const char *name, struct bpf_map *ret);
/* a loaded program, for those that the caller attaches */
struct bpf_prog *bpf_set_program(struct bpf_set *s, const char *name);
/* all or none */
int bpf_set_attach(struct bpf_set *s, struct err *err);
void bpf_set_detach(struct bpf_set *s);
/* also what was only opened, or { 0 } */
void bpf_set_close(struct bpf_set *s);

#endif
