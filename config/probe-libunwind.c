#include <libunwind.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error stacks of other machines are not unwound with libunwind
#endif

extern int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t, unw_word_t, unw_dyn_info_t *,
					      unw_proc_info_t *, int, void *);

int main(void)
{
	return UNW_OBJ(dwarf_search_unwind_table)(unw_local_addr_space, 0, 0, 0, 0, 0);
}
