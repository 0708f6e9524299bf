/* Standard files: descriptors 0, 1 and 2 as the caller of perf left them. */
#ifndef PERF_CLI_STANDARD_FILES_H
#define PERF_CLI_STANDARD_FILES_H

/*
 * To be called first. A descriptor that the caller has closed stays useless, but taken. What is printed to a
 * pipe, socket or terminal that does not block waits for its reader, instead of being lost.
 */
void standard_files_init(void);

#endif
