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

/* control messages of sockets: unix(7) */
enum { CONTROL_RIGHTS = 1, CONTROL_CREDENTIALS = 2 };

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
		put_struct(p, SYSCALL_TYPE(LINGER), c);
	else if (len == 4)
		strbuf_addf(p->out, "[%d]", (s32)cursor_u32(c));
	else
		put_quoted(p, cursor_bytes(c, len), len, false, false);
}

/* struct ucred */
static void put_credentials(const struct put *p, struct cursor *c)
{
	u32 pid = cursor_u32(c), uid = cursor_u32(c), gid = cursor_u32(c);

	strbuf_addf(p->out, "{ .pid: %u, .uid: %u, .gid: %u }", pid, uid, gid);
}

/* descriptors that are passed, credentials, or bytes */
static void put_control_data(const struct put *p, bool socket, s32 type, struct cursor *c)
{
	size_t len = cursor_left(c);

	if (socket && type == CONTROL_RIGHTS) {
		strbuf_addch(p->out, '[');
		for (u32 i = 0; cursor_left(c) >= 4; i++) {
			strbuf_addstr(p->out, i ? ", " : "");
			put_fd(p, NULL, cursor_u32(c));
		}
		strbuf_addch(p->out, ']');
	} else if (socket && type == CONTROL_CREDENTIALS && len >= 12) {
		put_credentials(p, c);
	} else {
		put_quoted(p, cursor_bytes(c, len), len, false, false);
	}
}

/* struct cmsghdr and what follows it, each at a multiple of a long */
static void put_control(const struct put *p, u64 addr, u64 size)
{
	const struct syscall_part *part = put_part(p, addr);
	u32 word = put_is64(p) ? 8 : 4;
	struct cursor c, data;
	const char *sep = "[";

	if (!part) {
		put_address(p, addr);
		return;
	}
	c = cursor_of(part->p, MIN(size, (u64)part->len), p->call->swap);
	while (cursor_left(&c) >= word + 8) {
		u64 len = put_read_long(p, &c);
		s32 level = cursor_u32(&c), type = cursor_u32(&c);

		strbuf_addf(p->out, "%s{ .cmsg_len: %llu, .cmsg_level: ", sep, (unsigned long long)len);
		put_names(p, &syscall_names_SOL_LEVEL, (u32)level);
		strbuf_addstr(p->out, ", .cmsg_type: ");
		if (is_socket_level(p, level))
			put_names(p, &syscall_names_SCM, (u32)type);
		else
			strbuf_addf(p->out, "%d", type);
		sep = ", ";
		if (len < word + 8 || len - word - 8 > cursor_left(&c)) {
			strbuf_addstr(p->out, ", ... }");
			break;
		}
		len -= word + 8;
		data = cursor_of(cursor_bytes(&c, len), len, p->call->swap);
		strbuf_addstr(p->out, ", .cmsg_data: ");
		put_control_data(p, is_socket_level(p, level), type, &data);
		strbuf_addstr(p->out, " }");
		cursor_skip(&c, MIN((word - len % word) % word, cursor_left(&c)));
	}
	strbuf_addstr(p->out, *sep == '[' ? "[]" : size > part->len ? ", ...]" : "]");
}

static void put_msg_name(const struct put *p, u64 addr, u32 len)
{
	const struct syscall_part *part = put_part(p, addr);
	size_t start = p->out->len;
	struct cursor c;

	if (part) {
		c = cursor_of(part->p, MIN(len, part->len), p->call->swap);
		put_sockaddr(p, NULL, &c);
	}
	if (p->out->len == start)
		put_address(p, addr);
}

/* struct user_msghdr: what it points to are parts */
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
	put_msg_name(p, name, namelen);
	strbuf_addf(p->out, ", .msg_namelen: %u, .msg_iov: ", namelen);
	put_iovecs(p, iov, iovlen);
	strbuf_addf(p->out, ", .msg_iovlen: %llu", (unsigned long long)iovlen);
	if (control) {
		strbuf_addstr(p->out, ", .msg_control: ");
		put_control(p, control, controllen);
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
