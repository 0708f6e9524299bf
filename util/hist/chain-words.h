/* Chain words: the words of report -g, for shells that complete a line. */
#ifndef PERF_HIST_CHAIN_WORDS_H
#define PERF_HIST_CHAIN_WORDS_H

struct strbuf;
/* appends a line per word */
void chain_words_add(struct strbuf *out);

#endif
