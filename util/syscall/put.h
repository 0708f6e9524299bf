/*
 * Printers of values and of bytes from memory, private to util/syscall; types.def names them. A printer of
 * bytes reads its element through the cursor, whose swap is set; what is missing makes the cursor bad, and
 * its caller says so.
 */
#ifndef PERF_SYSCALL_PUT_H
#define PERF_SYSCALL_PUT_H

#include "type.h"

#define PUT(name) void name(const struct put *p, const struct syscall_type *type, u64 v);
#define PUT_MEM(name) void name(const struct put *p, const struct syscall_type *type, struct cursor *c);
#define ABSENT(name) bool name(const struct put *p);
#include "put.def"
#undef PUT
#undef PUT_MEM
#undef ABSENT

static inline bool put_is64(const struct put *p)
{
	return !p->call->table || p->call->table->word == 8;
}

/* arguments of 64 bits in one register */
static inline bool put_has_64bit_registers(const struct put *p)
{
	return put_is64(p) || p->call->table->abi == SYSCALL_ABI_X32 ||
	       p->call->table->abi == SYSCALL_ABI_N32;
}

static inline u8 put_family(const struct put *p)
{
	return p->call->table ? p->call->table->family : ON_ALL;
}

/* argument i as the kernel sees it: 32 bits of a register in 32-bit programs */
static inline u64 put_arg(const struct put *p, unsigned int i)
{
	return put_has_64bit_registers(p) ? p->call->arg[i] : (u32)p->call->arg[i];
}

/* whether the layout of a type is that of 64-bit programs */
bool syscall_type_is64(const struct syscall_table *t, const struct syscall_type *type);
/* bytes of an element of the type in the memory of such programs */
u32 put_size(const struct put *p, const struct syscall_type *type);

/* reads an integer of 1, 2, 4 or 8 bytes; a long or pointer */
u64 put_read(struct cursor *c, u32 size);
static inline u64 put_read_long(const struct put *p, struct cursor *c)
{
	return put_is64(p) ? cursor_u64(c) : cursor_u32(c);
}

/* a value of that type, read as size bytes or given as an argument (size 0) */
void put_value(const struct put *p, const struct syscall_type *type, u64 v, u32 size);
/* one element from memory; numbers have size bytes (0: as the type says) */
void put_element(const struct put *p, const struct syscall_type *type, struct cursor *c, u32 size);

/* the bytes that were at that address, if they were copied as a part; NULL: not known */
const struct syscall_part *put_part(const struct put *p, u64 addr);

/* an array of struct iovec that another struct points to; its address if it was not copied */
void put_iovecs(const struct put *p, u64 addr, u64 nr);

/* "0x7f00", or NULL */
void put_address(const struct put *p, u64 v);
/* appends name, with prefix before it if prefixes are shown: "AT_FDCWD" or "CWD" */
void put_word(const struct put *p, const char *prefix, const char *name);
/*
 * bytes as a string in quotes, at most as many as the options allow; more: there are more than these. Stops
 * at a NUL if is_text
 */
void put_quoted(const struct put *p, const void *bytes, size_t len, bool more, bool is_text);

#endif
