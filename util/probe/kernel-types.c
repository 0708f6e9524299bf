/* Kernel-types: from parameters in BTF to texts of the kernel's definitions. */
#include "kernel-types.h"

#include <errno.h>
#include <linux/btf.h>
#include <string.h>
#include "../base/fs.h"
#include "../obj/btf.h"
#include "../obj/module.h"
#include "spec.h"

/* --- where the types are */

/* section .BTF of the file of a module that is not loaded */
static bool read_section(const char *path, struct strbuf *out)
{
	struct elf_obj *o = path ? module_open(path, NULL) : NULL;
	GElf_Shdr sh;
	Elf_Scn *scn = o ? elf_obj_section(o, ".BTF", &sh) : NULL;
	Elf_Data *d = scn ? elf_rawdata(scn, NULL) : NULL;

	if (d && d->d_buf)
		strbuf_add(out, d->d_buf, d->d_size);
	elf_obj_free(o);
	return out->len;
}

struct btf *kernel_types_open(const char *module, const char *path)
{
	struct strbuf base = STRBUF_INIT, own = STRBUF_INIT, file = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct btf *b = NULL;

	if (!module)
		return btf_read_kernel(&err);
	strbuf_addf(&file, "/sys/kernel/btf/%s", module);
	if ((fs_read(strbuf_str(&file), &own) == 0 && own.len) || read_section(path, &own)) {
		if (!fs_read("/sys/kernel/btf/vmlinux", &base))
			b = btf_new_of_module(&base, &own, &err);
		else
			b = btf_new(&own, &err);
	}
	strbuf_release(&base);
	strbuf_release(&own);
	strbuf_release(&file);
	return b;
}

/* --- values */

/* a register ($argN), or memory: at bits after the address that text is */
struct typed_value {
	const struct btf *b;
	const char *name;	/* for messages */
	struct strbuf text;
	bool in_memory;
	u64 bit;
	u32 bits;		/* of a bit field; 0: it is none */
	u32 type;
};

static bool is_kind(const struct typed_value *v, u32 kind)
{
	struct btf_entry e;

	return btf_get(v->b, btf_skip(v->b, v->type), &e) && e.kind == kind;
}

/* follows a pointer: the value becomes the address of the target */
static int follow(struct typed_value *v, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct btf_entry e;

	if (!btf_get(v->b, btf_skip(v->b, v->type), &e) || e.kind != BTF_KIND_PTR)
		return err_set(err, -EINVAL, "'%s' is not a pointer", v->name);
	if (v->in_memory) {
		strbuf_addf(&text, "+%llu(%s)", (unsigned long long)v->bit / 8, strbuf_str(&v->text));
		strbuf_release(&v->text);
		v->text = text;
	}
	v->in_memory = true;
	v->bit = 0;
	v->type = e.type;
	return 0;
}

static int err_no_member(const struct typed_value *v, const char *name, struct err *err)
{
	struct strbuf list = STRBUF_INIT;
	struct btf_entry e;
	struct btf_field f;

	if (!btf_get(v->b, btf_skip(v->b, v->type), &e) ||
	    (e.kind != BTF_KIND_STRUCT && e.kind != BTF_KIND_UNION))
		return err_set(err, -EINVAL, "'%s' is not a struct: it has no member '%s'", v->name, name);
	err_set(err, -ENOENT, "'%s' has no member '%s'", v->name, name);
	for (u32 i = 0; i < 12 && btf_field_at(v->b, &e, i, &f); i++) {
		if (!*f.name)
			continue;
		strbuf_addstr(&list, list.len ? ", " : "");
		strbuf_add_safe(&list, f.name);
	}
	err_hint(err, "members are %s%s", strbuf_str(&list), e.nr > 12 ? ", ..." : "");
	strbuf_release(&list);
	return -ENOENT;
}

static int take_member(struct typed_value *v, const char *name, struct err *err)
{
	struct btf_field f;

	if (!v->in_memory || !btf_member(v->b, v->type, name, &f))
		return err_no_member(v, name, err);
	v->bit += f.bit;
	v->bits = f.bits;
	v->type = f.type;
	v->name = name;
	return 0;
}

static int take_index(struct typed_value *v, s64 index, struct err *err)
{
	u32 type, nr;
	u64 size;
	int ret = 0;

	if (btf_array(v->b, v->type, &type, &nr))
		v->type = type;
	else
		ret = follow(v, err);
	size = ret ? 0 : btf_size(v->b, v->type);
	if (!ret && (!size || index < 0 || (u64)index > INT32_MAX / size))
		ret = err_set(err, -EINVAL, "'%s' has no element %lld", v->name, (long long)index);
	v->bit += ret ? 0 : 8 * size * index;
	return ret;
}

static int take_steps(struct typed_value *v, const struct probe_arg *a, struct err *err)
{
	int ret = 0;

	vec_foreach(&a->step, s) {
		switch (s->kind) {
		case PROBE_STEP_ARROW:
			ret = follow(v, err);
			/* fall through */
		case PROBE_STEP_MEMBER:
			ret = ret ? ret : take_member(v, s->name, err);
			break;
		case PROBE_STEP_INDEX:
			ret = take_index(v, s->index, err);
			break;
		case PROBE_STEP_DEREF:
			ret = follow(v, err);
			break;
		default:
			ret = err_set(err, -EOPNOTSUPP, "the address of '%s' needs debug information",
				      v->name);
		}
		if (ret)
			break;
	}
	return ret;
}

/* --- text */

static bool is_char(const struct btf *b, u32 id)
{
	struct btf_entry e;

	return btf_get(b, btf_skip(b, id), &e) && e.kind == BTF_KIND_INT && e.size == 1 &&
	       (!strcmp(e.name, "char") || !strcmp(e.name, "signed char"));
}

/* memory of the process, "char __user *", is not read as the kernel's; user_attr is a tag of its type */
static bool is_string_pointer(const struct typed_value *v)
{
	struct btf_entry e;

	if (!btf_get(v->b, btf_skip(v->b, v->type), &e) || e.kind != BTF_KIND_PTR || !is_char(v->b, e.type))
		return false;
	for (u32 i = 0, id = e.type; i < BTF_MAX_STEPS && btf_get(v->b, id, &e); i++, id = e.type) {
		if (e.kind == BTF_KIND_INT)
			return true;
		if (!strcmp(e.name, "user"))
			return false;
	}
	return true;
}

static void add_place(const struct typed_value *v, struct strbuf *out)
{
	if (v->in_memory)
		strbuf_addf(out, "+%llu(%s)", (unsigned long long)v->bit / 8, strbuf_str(&v->text));
	else
		strbuf_addstr(out, strbuf_str(&v->text));
}

static int add_bit_field(const struct typed_value *v, struct strbuf *out, struct err *err)
{
	u32 size = 8, at = v->bit % 8;
	u64 byte = v->bit / 8;

	while (size < 64 && at + v->bits > size)
		size *= 2;
	if (at + v->bits > size)
		return err_set(err, -EOPNOTSUPP, "'%s' is a bit field across words", v->name);
	if (__BYTE_ORDER == __BIG_ENDIAN)
		at = size - at - v->bits;
	strbuf_addf(out, "+%llu(%s):b%u@%u/%u", (unsigned long long)byte, strbuf_str(&v->text), v->bits, at,
		    size);
	return 0;
}

static int add_value(const struct typed_value *v, struct strbuf *out, struct err *err)
{
	u32 element, nr = 0, type = v->type;
	bool is_array = btf_array(v->b, v->type, &element, &nr);
	u64 size;

	if (v->bits)
		return add_bit_field(v, out, err);
	if (is_array)
		type = element;
	size = btf_size(v->b, type);
	if (is_array && v->in_memory && is_char(v->b, type)) {
		add_place(v, out);
		strbuf_addstr(out, ":string");
	} else if (is_string_pointer(v)) {
		strbuf_addstr(out, "+0(");
		add_place(v, out);
		strbuf_addstr(out, "):string");
	} else if (is_kind(v, BTF_KIND_STRUCT) || is_kind(v, BTF_KIND_UNION) ||
		   (size != 1 && size != 2 && size != 4 && size != 8) || (is_array && (!nr || nr > 64))) {
		err_set(err, -EINVAL, "'%s' cannot be shown as a whole", v->name);
		err_hint(err, "name a member of it");
		return -EINVAL;
	} else {
		struct typed_value one = { .b = v->b, .type = type };
		bool hex = is_kind(&one, BTF_KIND_PTR) || is_kind(&one, BTF_KIND_FLOAT);

		add_place(v, out);
		strbuf_addf(out, ":%c%llu", hex ? 'x' : btf_is_signed(v->b, type) ? 's' : 'u',
			    (unsigned long long)size * 8);
		if (is_array)
			strbuf_addf(out, "[%u]", nr);
	}
	return 0;
}

/* --- functions */

static int start_value(struct typed_value *v, const char *function, const struct probe_arg *a,
		       struct err *err)
{
	struct strbuf list = STRBUF_INIT;
	struct btf_entry proto;
	struct btf_field f;

	if (!btf_prototype(v->b, function, &proto))
		return err_set(err, -ENODATA, "the kernel's types do not know function '%s'", function);
	if (a->kind == PROBE_ARG_RETVAL) {
		v->type = proto.type;
		strbuf_addstr(&v->text, "$retval");
		return v->type ? 0 : err_set(err, -EINVAL, "the function '%s' returns nothing: it has no "
					     "$retval", function);
	}
	for (u32 i = 0; btf_field_at(v->b, &proto, i, &f); i++) {
		if (!strcmp(f.name, a->variable)) {
			v->type = f.type;
			strbuf_addf(&v->text, "$arg%u", i + 1);
			return 0;
		}
		strbuf_addstr(&list, list.len ? ", " : "");
		strbuf_add_safe(&list, f.name);
	}
	err_set(err, -ENOENT, "function '%s' has no parameter '%s'", function, a->variable);
	err_hint(err, "its parameters are: %s; other variables need debug information",
		 list.len ? strbuf_str(&list) : "none");
	strbuf_release(&list);
	return -ENOENT;
}

int kernel_types_fetch(const struct btf *b, const char *function, const struct probe_arg *a,
		       struct strbuf *out, struct err *err)
{
	struct typed_value v = { .b = b, .name = a->variable ? a->variable : "$retval" };
	bool is_string = a->type.kind == PROBE_TYPE_STRING || a->type.kind == PROBE_TYPE_USTRING;
	int ret = start_value(&v, function, a, err);

	if (!ret)
		ret = take_steps(&v, a, err);
	/* a type that the user chose is appended by the caller */
	if (!ret && a->type.text && is_string && is_kind(&v, BTF_KIND_PTR)) {
		strbuf_addstr(out, a->is_user ? "+u0(" : "+0(");
		add_place(&v, out);
		strbuf_addch(out, ')');
	} else if (!ret && a->type.text) {
		add_place(&v, out);
	} else if (!ret) {
		ret = add_value(&v, out, err);
	}
	strbuf_release(&v.text);
	return ret;
}

const char *kernel_types_parameter(const struct btf *b, const char *function, u32 i)
{
	struct btf_entry proto;
	struct btf_field f;

	return btf_prototype(b, function, &proto) && btf_field_at(b, &proto, i, &f) && *f.name ? f.name :
	       NULL;
}

/* "struct file*", as with debug information */
static void add_type(const struct btf *b, u32 id, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	btf_add_type_name(b, id, &text);
	for (const char *p = strbuf_str(&text); *p; p++)
		if (*p != ' ' || (p[1] != '*' && p[1] != '['))
			strbuf_addch(out, *p);
	strbuf_release(&text);
}

bool kernel_types_list(const struct btf *b, const char *function, struct strbuf *out)
{
	struct btf_entry proto;
	struct btf_field f;

	if (!btf_prototype(b, function, &proto))
		return false;
	strbuf_addf(out, "Available variables at %s\n\t@<%s+0>\n", function, function);
	for (u32 i = 0; btf_field_at(b, &proto, i, &f); i++) {
		strbuf_addstr(out, "\t\t");
		add_type(b, f.type, out);
		strbuf_addch(out, '\t');
		strbuf_add_safe(out, f.name);
		strbuf_addch(out, '\n');
	}
	if (!proto.nr)
		strbuf_addstr(out, "\t\t(no variables are available)\n");
	return true;
}
