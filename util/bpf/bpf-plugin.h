/*
 * BPF-plugin: what the plug-in libbpf offers. An object is a file of programs and maps, compiled by clang: it
 * is opened, adapted, loaded into the kernel, and closed, which ends its programs and maps. Functions return
 * 0 or a negative errno.
 */
#ifndef PERF_BPF_BPF_PLUGIN_H
#define PERF_BPF_BPF_PLUGIN_H

#include "../base/types.h"

struct bpf_plugin_map {
	int fd;			/* belongs to the object */
	u32 type, key_size, value_size, nr;
};

struct bpf_plugin_ops {
	/* NULL with errno: the bytes are not an object that this libbpf can read. They are copied */
	void *(*open)(const void *bytes, size_t size, const char *name);
	/* the bytes of the programs' constants (section .rodata); -EINVAL if it has another size */
	int (*constants)(void *object, const void *bytes, size_t size);
	/* calls of a function of the kernel by its number in functions.h; id: its number there; 0: none */
	int (*kernel_function)(void *object, u32 function, u32 id);
	/* sizes of a map; 0 leaves what the program says */
	int (*resize)(void *object, const char *map, u32 key_size, u32 value_size, u32 nr);
	/* a map that exists, whose descriptor is copied, instead of a new one; -1: none is used */
	int (*use_map)(void *object, const char *map, int fd);
	/* does not load a program of the object */
	int (*leave_out)(void *object, const char *program);
	/*
	 * ret_log: what libbpf and the verifier said, to be freed, or NULL. Of a load that is refused, or
	 * with `verbose` of every program
	 */
	int (*load)(void *object, bool verbose, char **ret_log);
	int (*map)(void *object, const char *map, struct bpf_plugin_map *ret);
	/* its descriptor, which belongs to the object */
	int (*program)(void *object, const char *program);
	void (*close)(void *object);
};

#endif
