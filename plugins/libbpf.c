/* Plug-in: loads BPF objects with libbpf. Ops in util/bpf/bpf-plugin.h. */
#include "../util/base/plugin.h"
#include "../util/bpf/bpf-plugin.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* what libbpf says while a thread loads */
static __thread struct {
	bool on, verbose;
	char *text;
	size_t len;
} said;

static int note(enum libbpf_print_level level, const char *fmt, va_list args)
{
	char *line, *grown;
	size_t len;

	if (!said.on || (level == LIBBPF_DEBUG && !said.verbose))
		return 0;
	if (vasprintf(&line, fmt, args) < 0)
		return 0;
	len = strlen(line);
	grown = realloc(said.text, said.len + len + 1);
	if (grown) {
		said.text = grown;
		memcpy(said.text + said.len, line, len + 1);
		said.len += len;
	}
	free(line);
	return 0;
}

static void *open_object(const void *bytes, size_t size, const char *name)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = name);

	libbpf_set_print(note);
	return bpf_object__open_mem(bytes, size, &opts);
}

static int constants(void *object, const void *bytes, size_t size)
{
	struct bpf_map *m;

	bpf_object__for_each_map(m, object)
		if (bpf_map__is_internal(m) && strstr(bpf_map__name(m), ".rodata"))
			return bpf_map__set_initial_value(m, bytes, size);
	return -ENOENT;
}

/* the first argument is returned instead of a call */
#define NO_CALL ((struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_0, \
				    .src_reg = BPF_REG_1 })

static int replace_calls(struct bpf_program *p, u32 function, u32 id)
{
	size_t nr = bpf_program__insn_cnt(p);
	struct bpf_insn *insns = malloc(nr * sizeof(*insns) + 1);
	int ret = insns ? 0 : -ENOMEM;

	if (!ret)
		memcpy(insns, bpf_program__insns(p), nr * sizeof(*insns));
	for (size_t i = 0; i < nr && !ret; i++) {
		struct bpf_insn *in = &insns[i];

		if (in->code != (BPF_JMP | BPF_CALL) || in->src_reg != BPF_PSEUDO_KFUNC_CALL ||
		    in->imm != (s32)function)
			continue;
		if (id)
			in->imm = id;
		else
			*in = NO_CALL;
	}
	if (!ret)
		ret = bpf_program__set_insns(p, insns, nr);
	free(insns);
	return ret;
}

static int kernel_function(void *object, u32 function, u32 id)
{
	struct bpf_program *p;
	int ret = 0;

	bpf_object__for_each_program(p, object)
		if (!ret)
			ret = replace_calls(p, function, id);
	return ret;
}

static int resize(void *object, const char *map, u32 key_size, u32 value_size, u32 nr)
{
	struct bpf_map *m = bpf_object__find_map_by_name(object, map);
	int ret = m ? 0 : -ENOENT;

	if (!ret && key_size)
		ret = bpf_map__set_key_size(m, key_size);
	if (!ret && value_size)
		ret = bpf_map__set_value_size(m, value_size);
	return !ret && nr ? bpf_map__set_max_entries(m, nr) : ret;
}

static int use_map(void *object, const char *map, int fd)
{
	struct bpf_map *m = bpf_object__find_map_by_name(object, map);

	if (!m)
		return -ENOENT;
	return fd < 0 ? bpf_map__set_autocreate(m, false) : bpf_map__reuse_fd(m, fd);
}

static int leave_out(void *object, const char *program)
{
	struct bpf_program *p = bpf_object__find_program_by_name(object, program);

	return p ? bpf_program__set_autoload(p, false) : -ENOENT;
}

static int load(void *object, bool verbose, char **ret_log)
{
	struct bpf_program *p;
	int ret;

	if (verbose)
		bpf_object__for_each_program(p, object)
			bpf_program__set_log_level(p, 1);
	said.on = true;
	said.verbose = verbose;
	ret = bpf_object__load(object);
	said.on = false;
	*ret_log = said.text;
	said.text = NULL;
	said.len = 0;
	return ret;
}

static int map(void *object, const char *name, struct bpf_plugin_map *ret)
{
	struct bpf_map *m = bpf_object__find_map_by_name(object, name);

	if (!m)
		return -ENOENT;
	*ret = (struct bpf_plugin_map){
		.fd = bpf_map__fd(m), .type = bpf_map__type(m), .key_size = bpf_map__key_size(m),
		.value_size = bpf_map__value_size(m), .nr = bpf_map__max_entries(m),
	};
	return ret->fd < 0 ? ret->fd : 0;
}

static int program(void *object, const char *name)
{
	struct bpf_program *p = bpf_object__find_program_by_name(object, name);

	return p ? bpf_program__fd(p) : -ENOENT;
}

static void close_object(void *object)
{
	bpf_object__close(object);
}

static const struct bpf_plugin_ops ops = {
	open_object, constants, kernel_function, resize, use_map, leave_out, load, map, program, close_object,
};
extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libbpf", &ops };
