/*
 * Frame labels: what each frame is called in call chains, and its frame-dependent sort keys. Frames that the
 * report cannot tell apart have one label, so the phases after it compare labels only.
 */
#ifndef PERF_HIST_FRAME_LABELS_H
#define PERF_HIST_FRAME_LABELS_H

#include "hist.h"

/* after names_resolve(): fills h->label, label_of, frame_keys, and keep_frame if a filter asks for it */
void frame_labels_make(struct hist *h);
/* the number of a label, which is added if it is not in the index */
u32 label_add(struct hist *h, struct hidx *idx, struct hist_label l);

#endif
