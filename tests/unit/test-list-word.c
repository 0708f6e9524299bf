/* Words of comma lists. */
#include "test.h"
#include "../../util/base/list-word.h"

#include <string.h>

/* the words with a line for each */
static const char *words_of(const char *list)
{
	static char text[256];

	text[0] = '\0';
	for (size_t len; *list; list += len + (list[len] == ',')) {
		size_t bare = len = list_word_len(list);
		const char *s = list_word_bare(list, &bare);

		strncat(text, s, bare);
		strcat(text, "\n");
	}
	return text;
}

TEST(list_words)
{
	CHECK_STR(words_of("a,b c,,d"), "a\nb c\n\nd\n");
	CHECK_STR(words_of("f(int, char),g"), "f(int, char)\ng\n");
	CHECK_STR(words_of("std::map<int, pair<a, b> >::find(int),x[1,2],{lambda(int, char)#1}"),
		  "std::map<int, pair<a, b> >::find(int)\nx[1,2]\n{lambda(int, char)#1}\n");
	CHECK_STR(words_of("a<b,c<d>,e"), "a<b\nc<d>\ne\n");
	CHECK_STR(words_of("f(,g"), "f(\ng\n");
	CHECK_STR(words_of("operator<,operator>,A::operator<<(B, C),x"),
		  "operator<\noperator>\nA::operator<<(B, C)\nx\n");
	CHECK_STR(words_of("operator()(int, int),operator->,operator,(A, B)"),
		  "operator()(int, int)\noperator->\noperator,(A, B)\n");
	CHECK_STR(words_of("my_operator<a,b>,operators"), "my_operator<a,b>\noperators\n");
	CHECK_STR(words_of("'a,b',\"c(\",it's,'d"), "a,b\nc(\nit's\n'd\n");
	CHECK_U64(list_word_len(""), 0);
}
