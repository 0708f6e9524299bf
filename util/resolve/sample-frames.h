/*
 * Sample-frames: all distinct frames of a recording's samples: the sampled addresses, call chains, both ends
 * of branches, data addresses, and numbers of tracepoints that are addresses of kernel code. What any command
 * may look up. Samples are walked in parallel.
 */
#ifndef PERF_RESOLVE_SAMPLE_FRAMES_H
#define PERF_RESOLVE_SAMPLE_FRAMES_H

#include "frames.h"
#include "../session/session.h"

/* sorted by dso, then address, without addresses at which nothing is mapped; the caller frees *ret */
size_t session_sample_frames(const struct session *s, struct frame **ret);

#endif
