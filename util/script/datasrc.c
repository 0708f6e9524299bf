/* The data source of a memory access, as a column that grows. */
#include "script.h"

#include "../event/data-src.h"

#define TEXT_MAX 82	/* tools were never given more */

void line_data_src(struct line_worker *w, u64 v, struct strbuf *out)
{
	static const struct {
		const char *head;
		void (*put)(struct strbuf *out, u64 data_src);
	} parts[] = {
		{ "|OP ", data_src_op }, { "|LVL ", data_src_level }, { "|SNP ", data_src_snoop },
		{ "|TLB ", data_src_tlb }, { "|LCK ", data_src_lock }, { "|BLK ", data_src_blocked },
	};
	size_t start;
	u32 len;

	strbuf_add_hex(out, v, 16, ' ');
	strbuf_addch(out, ' ');
	start = out->len;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		strbuf_addstr(out, parts[i].head);
		parts[i].put(out, v);
	}
	if (out->len - start > TEXT_MAX)
		strbuf_setlen(out, start + TEXT_MAX);
	len = out->len - start;
	if (len < w->state.data_src_width)
		strbuf_pad(out, ' ', w->state.data_src_width - len);
	else
		w->state.data_src_width = len;
}
