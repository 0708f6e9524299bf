/* Unit tests of probe definitions: what each form means, and what is wrong with others. */
#include "err-text.h"
#include "test.h"
#include "../../util/probe/spec-parse.h"

#include <string.h>

/* what was understood, or the message */
static const char *parsed(const char *text)
{
	static char buf[2048];
	struct strbuf out = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct probe_spec spec;

	if (probe_spec_parse(&spec, text, &err))
		strbuf_addf(&out, "%s", err.msg);
	else
		probe_spec_describe(&spec, &out);
	snprintf(buf, sizeof(buf), "%s", strbuf_str(&out));
	strbuf_release(&out);
	probe_spec_release(&spec);
	return buf;
}

TEST(places)
{
	CHECK_STR(parsed("foo"), "function foo");
	CHECK_STR(parsed("  foo\t"), "function foo");
	CHECK_STR(parsed("foo+16"), "function foo offset 16");
	CHECK_STR(parsed("foo+0x10"), "function foo offset 16");
	CHECK_STR(parsed("foo+010"), "function foo offset 10");
	CHECK_STR(parsed("foo:3"), "function foo line 3");
	CHECK_STR(parsed("foo:0"), "function foo line 0");
	CHECK_STR(parsed("foo%return"), "return of function foo");
	CHECK_STR(parsed("foo@a.c"), "function foo in file a.c");
	CHECK_STR(parsed("foo@fs/a.c:3"), "function foo in file fs/a.c line 3");
	CHECK_STR(parsed("foo@a.c%return"), "return of function foo in file a.c");
	CHECK_STR(parsed("foo%return@a.c"), "return of function foo in file a.c");
	CHECK_STR(parsed("foo@a.c+4"), "function foo in file a.c offset 4");
	CHECK_STR(parsed("a.c:30"), "line of file a.c line 30");
	CHECK_STR(parsed("/x/y/main:30"), "line of file /x/y/main line 30");
	CHECK_STR(parsed("a\\+b.c:4"), "line of file a+b.c line 4");
	CHECK_STR(parsed("0x12af"), "address 0x12af");
	CHECK_STR(parsed("0x12AF%return"), "return of address 0x12af");
	CHECK_STR(parsed("foo;rq=cpu_rq*"), "function foo lines like rq=cpu_rq*");
	CHECK_STR(parsed("foo@a.c;x+1"), "function foo in file a.c lines like x+1");
	CHECK_STR(parsed("a.c;if*"), "line of file a.c lines like if*");
	CHECK_STR(parsed("foo;'x = 1' y"), "function foo lines like x = 1, variable y");
	CHECK_STR(parsed("vfs_*"), "function pattern vfs_*");
	CHECK_STR(parsed("vfs_[rw]*%return"), "return of function pattern vfs_[rw]*");
	CHECK_STR(parsed("'vfs_*'"), "function vfs_*");
	CHECK_STR(parsed("a\\*b*"), "function pattern a\\*b*");
}

TEST(names_of_compilers_and_versions)
{
	CHECK_STR(parsed("foo.isra.0"), "function foo.isra.0");
	CHECK_STR(parsed("foo.part.0.cold:3"), "function foo.part.0.cold line 3");
	CHECK_STR(parsed("malloc@GLIBC_2.2.5"), "function malloc@GLIBC_2.2.5");
	CHECK_STR(parsed("malloc\\@GLIBC_2.2.5+4"), "function malloc@GLIBC_2.2.5 offset 4");
	CHECK_STR(parsed("malloc@@GLIBC_2.2.5%return"), "return of function malloc@@GLIBC_2.2.5");
	CHECK_STR(parsed("malloc@@"), "function malloc@@");
	CHECK_STR(parsed("malloc@@GLIBC_2.2.5@malloc.c:3"),
		  "function malloc@@GLIBC_2.2.5 in file malloc.c line 3");
}

TEST(names_of_cplusplus_and_rust)
{
	CHECK_STR(parsed("ns::Class::method"), "function ns::Class::method");
	CHECK_STR(parsed("ns::Class::method:12 this->x"),
		  "function ns::Class::method line 12, variable this->x");
	CHECK_STR(parsed("e=ns::f%return"), "e = return of function ns::f");
	CHECK_STR(parsed("f(int, char*)+4 x"), "function f(int, char*) offset 4, variable x");
	CHECK_STR(parsed("'f(int, char*)' x"), "function f(int, char*), variable x");
	CHECK_STR(parsed("std::vector<int, A<int> >::push_back"),
		  "function std::vector<int, A<int> >::push_back");
	CHECK_STR(parsed("<T as a::Trait>::run:3"), "function <T as a::Trait>::run line 3");
	CHECK_STR(parsed("A::operator==(A const&)"), "function A::operator==(A const&)");
	CHECK_STR(parsed("e=A::operator=="), "e = function A::operator==");
	CHECK_STR(parsed("A::operator+"), "function A::operator+");
	CHECK_STR(parsed("A::operator%"), "function A::operator%");
	CHECK_STR(parsed("A::operator<"), "function A::operator<");
	CHECK_STR(parsed("A::operator()(int)"), "function A::operator()(int)");
	CHECK_STR(parsed("A::f(int) const+4 x"), "function A::f(int) const offset 4, variable x");
	CHECK_STR(parsed("A::f(int) constant"), "function A::f(int), variable constant");
	CHECK_STR(parsed("A::f(int) &x"), "function A::f(int), variable x address");
	CHECK_STR(parsed("_ZN1A3fooEv"), "function _ZN1A3fooEv");
}

TEST(events_and_markers)
{
	CHECK_STR(parsed("e=foo+4"), "e = function foo offset 4");
	CHECK_STR(parsed("g:e=foo"), "g:e = function foo");
	CHECK_STR(parsed("g:e=a.c:3 x=y"), "g:e = line of file a.c line 3, x = variable y");
	CHECK_STR(parsed("%sdt_libc:setjmp"), "SDT marker sdt_libc:setjmp");
	CHECK_STR(parsed("sdt_libc:setjmp"), "SDT marker sdt_libc:setjmp");
	CHECK_STR(parsed("%sdt_libc:*"), "SDT marker sdt_libc:*");
	CHECK_STR(parsed("e=%sdt_libc:setjmp"), "e = SDT marker sdt_libc:setjmp");
	CHECK_STR(parsed("%foo"), "cached probe foo");
	CHECK_STR(parsed("%probe_x:foo"), "cached probe probe_x:foo");
	CHECK_STR(parsed("sdt_foo"), "function sdt_foo");
}

TEST(arguments)
{
	CHECK_STR(parsed("f a"), "function f, variable a");
	CHECK_STR(parsed("f x=a->b.c[3]"), "function f, x = variable a->b.c[3]");
	CHECK_STR(parsed("f *p &x **q"),
		  "function f, variable p dereferenced, variable x address, "
		  "variable q dereferenced dereferenced");
	CHECK_STR(parsed("f (*p).x"), "function f, variable p dereferenced.x");
	CHECK_STR(parsed("f (*(p->q))[-1]"), "function f, variable p->q dereferenced[-1]");
	CHECK_STR(parsed("f<*>::g(char*)"), "function pattern f<*>::g(char\\*)");
	CHECK_STR(parsed("f<int, *>"), "function pattern f<int, *>");
	CHECK_STR(parsed("f<char*>"), "function f<char*>");
	CHECK_STR(parsed("f ns::global.x:u8"), "function f, variable ns::global.x as u8");
	CHECK_STR(parsed("f%return $retval->x:s32"), "return of function f, return value->x as s32");
	CHECK_STR(parsed("f $stack $stack3 $comm $arg2:string $params $vars"),
		  "function f, stack address, stack word 3, command name, argument 2 as string, "
		  "all parameters, all variables");
	CHECK_STR(parsed("f %di %rax:x64"), "function f, register di, register rax as x64");
	CHECK_STR(parsed("f +8(%di):u32 -4(+0x10($stack))"),
		  "function f, memory +8(register di) as u32, memory -4(memory +16(stack address))");
	CHECK_STR(parsed("f s=+u0(%si):ustring"),
		  "function f, s = memory +0(register si) of the process as ustring");
	CHECK_STR(parsed("f a@user a:string@user"),
		  "function f, variable a of the process, variable a of the process as string");
	CHECK_STR(parsed("f @0x1234 @+16 @jiffies:u64 @sym+8 @sym-8"),
		  "function f, memory 0x1234, memory +0x10, memory jiffies+0 as u64, "
		  "memory sym+8, memory sym-8");
	CHECK_STR(parsed("f \\5 \\-1 t=\\\"a b\""), "function f, constant 5, constant -1, t = constant a b");
	CHECK_STR(parsed("f 'a->b' \"c\""), "function f, variable a->b, variable c");
}

TEST(types)
{
	CHECK_STR(parsed("f a:u b:s c:x d:char"),
		  "function f, variable a as u, variable b as s, variable c as x, "
		  "variable d as char");
	CHECK_STR(parsed("f a:b3@2/32 a:u8[64] a:string[2]"),
		  "function f, variable a as b3@2/32, variable a as u8[64], variable a as string[2]");
	CHECK_STR(parsed("f a:u7"), "'u7' is not a type");
	CHECK_STR(parsed("f a:"), "'' is not a type");
	CHECK_STR(parsed("f a:b3@30/32"), "'b3@30/32' is not a type");
	CHECK_STR(parsed("f a:b0@0/32"), "'b0@0/32' is not a type");
	CHECK_STR(parsed("f a:u8[65]"), "an array has from 1 to 64 elements");
	CHECK_STR(parsed("f a:u8[0]"), "an array has from 1 to 64 elements");
	CHECK_STR(parsed("f a:u8[x]"), "an array has from 1 to 64 elements");
	CHECK_STR(parsed("f a:int"), "'int' is not a type");
}

TEST(mistakes)
{
	CHECK_STR(parsed(""), "the place of the probe is missing: a function, FILE:LINE or 0xADDRESS");
	CHECK_STR(parsed("e="), "the place of the probe is missing: a function, FILE:LINE or 0xADDRESS");
	CHECK_STR(parsed("foo+abc"), "an offset in bytes is expected after the '+'");
	CHECK_STR(parsed("foo:abc"), "a line number is expected after the ':'");
	CHECK_STR(parsed("foo:99999999999"), "a line number is expected after the ':'");
	CHECK_STR(parsed("foo%ret"), "only %return may follow a '%'");
	CHECK_STR(parsed("foo%return+4"), "%return cannot have an offset, a line or a pattern");
	CHECK_STR(parsed("foo:3+4"), "a place has one of +OFFSET, :LINE and ;PATTERN");
	CHECK_STR(parsed("a.c:3%return"), "a line of a file cannot have %return or an offset");
	CHECK_STR(parsed("a.c"), "a source file needs a line from 1, or a pattern: FILE:LINE");
	CHECK_STR(parsed("a.c:0"), "a source file needs a line from 1, or a pattern: FILE:LINE");
	CHECK_STR(parsed("foo;"), "a pattern of source lines is expected after the ';'");
	CHECK_STR(parsed("'foo"), "this quote is not closed");
	CHECK_STR(parsed("f(int"), "this parenthesis is not closed");
	CHECK_STR(parsed("1e=foo"),
		  "the name of an event needs letters, digits and _, and does not begin with a digit");
	CHECK_STR(parsed("a-b:e=foo"),
		  "the name of a group needs letters, digits and _, and does not begin with a digit");
	CHECK_STR(parsed(":e=foo"),
		  "the name of a group needs letters, digits and _, and does not begin with a digit");
	CHECK_STR(parsed("123"), "an address begins with 0x, and has hex digits");
	CHECK_STR(parsed("%"), "the name of the marker is missing");
	CHECK_STR(parsed("f $foo"), "this value is not known");
	CHECK_STR(parsed("f $arg0"), "this value is not known");
	CHECK_STR(parsed("f a b- c"), "this does not belong to the argument");
	CHECK_STR(parsed("f a["), "a number is expected here: decimal, or hex with 0x");
	CHECK_STR(parsed("f a[1"), "']' is expected here");
	CHECK_STR(parsed("f a->"), "the name of a member is expected here");
	CHECK_STR(parsed("f *&x"), "only the whole expression may begin with '&'");
	CHECK_STR(parsed("f +8(%di"), "this parenthesis is not closed");
	CHECK_STR(parsed("f +8"), "'(' is expected after the offset");
	CHECK_STR(parsed("f %"), "the name of a register is expected after the '%'");
	CHECK_STR(parsed("f x=$params"), "several variables cannot have one name or type");
	CHECK_STR(parsed("f 1x=a"),
		  "the name of an argument needs letters, digits and _, and does not begin with a digit");
	CHECK_STR(parsed("f ****************************p"), "the expression is nested too deeply");
}

TEST(place_of_mistakes)
{
	struct err err = ERR_INIT;
	struct probe_spec spec;

	CHECK_INT(probe_spec_parse(&spec, "g:e=foo+zz a", &err), -22);
	CHECK_STR(err_text(&err), "an offset in bytes is expected after the '+'\n"
		  "  g:e=foo+zz a\n"
		  "          ^~\n"
		  "Hint: write '\\+' for a '+' that belongs to a name");
	probe_spec_release(&spec);
}
