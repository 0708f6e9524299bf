/*
 * Relocate: relocatable files (*.o, modules of the kernel) as if they were linked alone. Their sections
 * have no addresses, and their debug information has zeros where addresses and offsets belong, which only
 * the relocations know. A copy in anonymous memory has an address for each section that is loaded, with a
 * segment, symbols at these addresses, and relocated debug sections; readers of programs can then read it.
 * References to symbols of other files are zeros. Compressed sections are unpacked in the copy.
 */
#ifndef PERF_OBJ_RELOCATE_H
#define PERF_OBJ_RELOCATE_H

#include "elf-obj.h"

/*
 * Opens any ELF file, also a packed one; of a relocatable file, such a copy. ret_fd: NULL, or gets a
 * descriptor of the copy, which the caller closes, and which can be opened again as /proc/self/fd/N; -1:
 * the file was opened as it is. NULL with err: -EOPNOTSUPP relocations of its machine are not known,
 * -EBADMSG it is damaged.
 */
struct elf_obj *elf_obj_open_linked(const char *path, int *ret_fd, struct err *err);
/* the same of a file that is open, which it takes over; NULL stays NULL. path is for messages */
struct elf_obj *elf_obj_link(struct elf_obj *o, const char *path, int *ret_fd, struct err *err);

#endif
