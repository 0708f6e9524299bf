/* Sockets: addresses, options and messages. */
#include "put.h"

#include <arpa/inet.h>
#include <string.h>
#include "names.h"
#include "table.h"

enum { FAMILY_UNIX = 1, FAMILY_INET = 2, FAMILY_INET6 = 10, FAMILY_NETLINK = 16, FAMILY_PACKET = 17 };

/* numbers of socket(2) levels, less those that MIPS has otherwise */
enum { LEVEL_IP = 0, LEVEL_TCP = 6, LEVEL_UDP = 17, LEVEL_IPV6 = 41, LEVEL_PACKET = 263,
       LEVEL_NETLINK = 270 };

static bool is_socket_level(const struct put *p, u64 level)
{
	return level == (put_family(p) == ON_MIPS ? 0xffff : 1);
}

/* two bytes in the order of networks */
static u16 port_of(struct cursor *c)
{
	const u8 *b = cursor_bytes(c, 2);

	return b ? b[0] << 8 | b[1] : 0;
}

static void put_ip(const struct put *p, int family, const void *bytes)
{
	char text[INET6_ADDRSTRLEN];

	strbuf_addstr(p->out, bytes && inet_ntop(family, bytes, text, sizeof(text)) ? text : "?");
}

/* a path, a name that begins with a NUL (shown as @), or nothing */
static void put_unix(const struct put *p, struct cursor *c)
{
	size_t len = cursor_left(c);
	const char *path = cursor_bytes(c, len);
	struct syscall_text_opts whole = *p->o;
	struct put q = *p;

	if (!len)
		return;
	whole.string_limit = 108;
	q.o = &whole;
	strbuf_addstr(p->out, ", path: ");
	if (!*path) {
		strbuf_addch(p->out, '@');
		put_quoted(&q, path + 1, len - 1, false, false);
	} else {
		put_quoted(&q, path, len, false, true);
	}
}

static void put_inet(const struct put *p, struct cursor *c)
{
	u16 port = port_of(c);

	strbuf_addf(p->out, ", port: %u, addr: ", port);
	put_ip(p, AF_INET, cursor_bytes(c, 4));
}

static void put_inet6(const struct put *p, struct cursor *c)
{
	u16 port = port_of(c);
	u32 scope;

	cursor_skip(c, 4);
	strbuf_addf(p->out, ", port: %u, addr: ", port);
	put_ip(p, AF_INET6, cursor_bytes(c, 16));
	if (cursor_left(c) < 4)
		return;
	scope = cursor_u32(c);
	if (scope)
		strbuf_addf(p->out, ", scope_id: %u", scope);
}

static void put_netlink(const struct put *p, struct cursor *c)
{
	u32 pid, groups;

	cursor_skip(c, 2);
	pid = cursor_u32(c);
	groups = cursor_u32(c);
	strbuf_addf(p->out, ", pid: %u, groups: %#x", pid, groups);
}

static void put_packet(const struct put *p, struct cursor *c)
{
	u16 protocol = port_of(c);
	u32 ifindex = cursor_u32(c);

	strbuf_addstr(p->out, ", protocol: ");
	put_names(p, &syscall_names_ETH_PROTO, protocol);
	strbuf_addf(p->out, ", ifindex: %u", ifindex);
}

/* the bytes of an address of any family: its first two bytes say which */
void put_sockaddr(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	u16 family = cursor_u16(c);
	size_t len;

	if (c->bad)
		return;
	strbuf_addstr(p->out, "{ .family: ");
	put_names(p, &syscall_names_SOCK_FAMILY, family);
	len = p->out->len;
	switch (family) {
	case FAMILY_UNIX: put_unix(p, c); break;
	case FAMILY_INET: put_inet(p, c); break;
	case FAMILY_INET6: put_inet6(p, c); break;
	case FAMILY_NETLINK: put_netlink(p, c); break;
	case FAMILY_PACKET: put_packet(p, c); break;
	}
	if (c->bad) {
		/* it is cut: the family is all that is known */
		strbuf_setlen(p->out, len);
		strbuf_addstr(p->out, ", ...");
		c->bad = false;
	}
	strbuf_addstr(p->out, " }");
}

/* what the number means depends on the family */
void put_sock_protocol(const struct put *p, const struct syscall_type *type, u64 v)
{
	u64 family = put_arg(p, 0);

	if (family == FAMILY_INET || family == FAMILY_INET6)
		put_names(p, &syscall_names_IP_PROTO, v);
	else if (family == FAMILY_NETLINK)
		put_names(p, &syscall_names_NETLINK_PROTO, v);
	else if (family == FAMILY_PACKET)
		put_names(p, &syscall_names_ETH_PROTO, (v & 0xff) << 8 | (v >> 8 & 0xff));
	else
		strbuf_addf(p->out, "%d", (s32)v);
}

void put_sockopt(const struct put *p, const struct syscall_type *type, u64 v)
{
	static const struct {
		u16 level;
		const struct syscall_names *names;
	} rows[] = {
		{ LEVEL_IP, &syscall_names_IP_OPTION }, { LEVEL_TCP, &syscall_names_TCP_OPTION },
		{ LEVEL_UDP, &syscall_names_UDP_OPTION }, { LEVEL_IPV6, &syscall_names_IPV6_OPTION },
		{ LEVEL_PACKET, &syscall_names_PACKET_OPTION },
		{ LEVEL_NETLINK, &syscall_names_NETLINK_OPTION },
	};
	u64 level = put_arg(p, 1);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (level == rows[i].level && !is_socket_level(p, level)) {
			put_names(p, rows[i].names, v);
			return;
		}
	}
	if (is_socket_level(p, level))
		put_names(p, &syscall_names_SO_OPTION, v);
	else
		strbuf_addf(p->out, "%d", (s32)v);
}

/* most options are an int, SO_LINGER has a structure; others are shown as bytes */
void put_optval(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	bool is_linger = is_socket_level(p, put_arg(p, 1)) &&
			 put_arg(p, 2) == (put_family(p) == ON_MIPS ? 128 : 13);
	size_t len = cursor_left(c);

	if (is_linger && len == 8)
		put_struct(p, &syscall_type_LINGER, c);
	else if (len == 4)
		strbuf_addf(p->out, "[%d]", (s32)cursor_u32(c));
	else
		put_quoted(p, cursor_bytes(c, len), len, false, false);
}

/* struct user_msghdr: the address and the data are elsewhere in memory */
void put_msghdr(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	u64 name = put_read_long(p, c), iov, iovlen, control, controllen;
	u32 namelen = cursor_u32(c), flags;

	if (put_is64(p))
		cursor_skip(c, 4);
	iov = put_read_long(p, c);
	iovlen = put_read_long(p, c);
	control = put_read_long(p, c);
	controllen = put_read_long(p, c);
	flags = cursor_u32(c);
	if (put_is64(p))
		cursor_skip(c, 4);
	if (c->bad)
		return;
	strbuf_addstr(p->out, "{ .msg_name: ");
	put_address(p, name);
	strbuf_addf(p->out, ", .msg_namelen: %u, .msg_iov: ", namelen);
	put_address(p, iov);
	strbuf_addf(p->out, ", .msg_iovlen: %llu", (unsigned long long)iovlen);
	if (control) {
		strbuf_addstr(p->out, ", .msg_control: ");
		put_address(p, control);
	}
	strbuf_addf(p->out, ", .msg_controllen: %llu, .msg_flags: ", (unsigned long long)controllen);
	put_names(p, &syscall_names_MSG_FLAGS, flags);
	strbuf_addstr(p->out, " }");
}

void put_mmsghdr(const struct put *p, const struct syscall_type *type, struct cursor *c)
{
	size_t len = p->out->len;
	u32 nr;

	strbuf_addstr(p->out, "{ .msg_hdr: ");
	put_msghdr(p, type, c);
	nr = cursor_u32(c);
	if (put_is64(p))
		cursor_skip(c, 4);
	if (c->bad)
		strbuf_setlen(p->out, len);
	else
		strbuf_addf(p->out, ", .msg_len: %u }", nr);
}
