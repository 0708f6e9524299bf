/* Sdt-args: operands of x86, arm64, riscv and s390 assemblers as fetch-arguments. */
#include "sdt-args.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../base/alloc.h"
#include "register.h"

#define OPERAND_MAX 200

struct operand {
	const struct arch *arch;
	bool is64;
	sdt_symbol *symbol;
	void *ctx;
	struct strbuf *out;
};

size_t sdt_arg_len(const char *s)
{
	size_t i = 0;
	int nested = 0;

	for (; s[i] && (nested > 0 || !isspace((u8)s[i])); i++) {
		if (s[i] == '[' || s[i] == '(')
			nested++;
		else if (s[i] == ']' || s[i] == ')')
			nested--;
	}
	return i;
}

/* the register of a name that can be of a part of it */
static const char *whole_register(const struct operand *op, const char *name, char buf[ARCH_REG_NAME])
{
	char full[ARCH_REG_NAME];

	if (snprintf(full, sizeof(full), "%s", name) > 12)
		return NULL;
	if (op->arch->whole_reg)
		op->arch->whole_reg(full);
	return probe_register(op->arch, op->is64, full, buf);
}

static int add_register(const struct operand *op, const char *name, struct strbuf *out)
{
	char buf[16];
	const char *reg = whole_register(op, name[0] == '%' ? name + 1 : name, buf);

	/* the second byte of a register; registers of floating-point numbers */
	if (!reg)
		return -EOPNOTSUPP;
	strbuf_addf(out, "%%%s", reg);
	return 0;
}

static bool whole_number(const char *s, s64 *ret)
{
	char *end;

	if (!*s)
		return false;
	errno = 0;
	*ret = strtoll(s, &end, 0);
	return !*end && !errno;
}

/* a sum of numbers and one symbol: "SYMBOL", "SYMBOL-8", "40+SYMBOL". The caller frees *ret_name */
static bool parse_sum(const char *s, char **ret_name, s64 *ret_add)
{
	char *name = NULL, *term;
	bool good = true;
	s64 add = 0, v;

	while (good && *s) {
		bool minus = *s == '-';
		size_t len;

		s += *s == '-' || *s == '+';
		len = strcspn(s, "+-");
		term = xstrndup(s, len);
		s += len;
		if (whole_number(term, &v) && labs(v) <= INT32_MAX) {
			add += minus ? -v : v;
			free(term);
		} else {
			good = len && !minus && !name;
			free(name);
			name = term;
		}
	}
	if (!good || !name) {
		free(name);
		return false;
	}
	*ret_name = name;
	*ret_add = add;
	return true;
}

/* OFFSET(REGISTER), SYMBOL+OFFSET(%rip); in brackets: [REGISTER, OFFSET] */
static int add_memory(const struct operand *op, const char *offset, const char *base)
{
	s64 off = 0;
	char *name;
	int ret;

	if (strchr(base, ','))
		return -EOPNOTSUPP;
	if (!*offset || whole_number(offset, &off)) {
		strbuf_addf(op->out, "%+ld(", off);
		ret = add_register(op, base, op->out);
		strbuf_addch(op->out, ')');
		return ret;
	}
	if ((strcmp(base, "%rip") && strcmp(base, "%eip")) || !op->symbol || !parse_sum(offset, &name, &off))
		return -EOPNOTSUPP;
	ret = op->symbol(op->ctx, name, off, op->out) ? 0 : -EOPNOTSUPP;
	free(name);
	return ret;
}

static char *trimmed(char *s)
{
	size_t len;

	s += strspn(s, " \t");
	for (len = strlen(s); len && isspace((u8)s[len - 1]); len--)
		s[len - 1] = '\0';
	return s;
}

/* text is changed */
static int add_operand(const struct operand *op, char *text)
{
	char *open = strpbrk(text, "[("), *comma;
	const char *number = text + (*text == '$' || *text == '#');
	size_t len = strlen(text);
	s64 v;

	if (!len)
		return -EINVAL;
	if (whole_number(number, &v)) {
		strbuf_addf(op->out, "\\%ld", v);
		return 0;
	}
	if (!open)
		return add_register(op, text, op->out);
	if (text[len - 1] != (*open == '[' ? ']' : ')'))
		return -EINVAL;
	text[len - 1] = '\0';
	if (*open == '(') {
		*open = '\0';
		return add_memory(op, trimmed(text), trimmed(open + 1));
	}
	comma = strchr(open, ',');
	if (comma)
		*comma = '\0';
	number = comma ? trimmed(comma + 1) : "";
	number += *number == '#';
	if (*number && !whole_number(number, &v))
		return -EOPNOTSUPP;
	return open == text ? add_memory(op, number, trimmed(open + 1)) : -EINVAL;
}

int sdt_arg_text(const struct arch *arch, bool is64, const char *arg, size_t len, sdt_symbol *symbol,
		 void *ctx,
		 struct strbuf *out)
{
	struct operand op = { arch, is64, symbol, ctx, out };
	size_t before = out->len;
	char text[OPERAND_MAX], *at, *end;
	long bytes;
	int ret;

	if (!arch || !len || len >= sizeof(text))
		return -EINVAL;
	memcpy(text, arg, len);
	text[len] = '\0';
	at = strchr(text, '@');
	bytes = at ? strtol(text, &end, 10) : 8;
	if (at && end != at)
		return *end == 'f' ? -EOPNOTSUPP : -EINVAL;
	if (labs(bytes) != 1 && labs(bytes) != 2 && labs(bytes) != 4 && labs(bytes) != 8)
		return -EINVAL;
	ret = add_operand(&op, trimmed(at ? at + 1 : text));
	if (ret)
		strbuf_setlen(out, before);
	else
		strbuf_addf(out, ":%c%ld", bytes < 0 ? 's' : 'u', labs(bytes) * 8);
	return ret;
}
