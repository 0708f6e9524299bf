/* Types: short names for fixed-size integers and the few macros that everyone needs. Owns nothing. */
#ifndef PERF_BASE_TYPES_H
#define PERF_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
/*
 * 0, for a table whose rows have names in arrays of that size: an address would be written at each start of
 * perf. Does not compile if the string and its NUL are longer
 */
#define FITS(string, size) (0 * sizeof(char[sizeof(string) <= (size) ? 1 : -1]))
/* the argument is evaluated twice: it must not have side effects */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ALIGN_UP(x, a) (((x) + ((a) - 1)) & ~((__typeof__(x))(a) - 1))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define UNUSED __attribute__((unused))
#define NOINLINE __attribute__((noinline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/*
 * for data that one thread writes while other threads write its neighbours: two such objects never share a
 * cache line
 */
#define CACHE_LINE 64
#define CACHE_ALIGNED __attribute__((aligned(CACHE_LINE)))


#endif
