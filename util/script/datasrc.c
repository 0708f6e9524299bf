/* The data source of a memory access, as a column that grows. */
#include "datasrc.h"

#include "../event/data-src.h"

#define TEXT_MAX 82	/* tools were never given more */

void line_data_src(struct line_worker *w, u64 v, struct strbuf *out)
{
	size_t start;
	u32 len;

	strbuf_add_hex(out, v, 16, ' ');
	strbuf_addch(out, ' ');
	start = out->len;
	data_src_put(out, v);
	if (out->len - start > TEXT_MAX)
		strbuf_setlen(out, start + TEXT_MAX);
	len = out->len - start;
	if (len < w->state.data_src_width)
		strbuf_pad(out, ' ', w->state.data_src_width - len);
	else
		w->state.data_src_width = len;
}
