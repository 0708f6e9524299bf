/* Call-graph words: the words of record --call-graph, for shells that complete a line. */
#ifndef PERF_OBSERVE_CALLGRAPH_WORDS_H
#define PERF_OBSERVE_CALLGRAPH_WORDS_H

struct strbuf;
/* appends a line per mode */
void callgraph_words_add(struct strbuf *out);

#endif
