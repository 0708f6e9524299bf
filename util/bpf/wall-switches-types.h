/* Wall-switches-types: what wall-switches.bpf.c and util/record/wall-switches.c share. */
#ifndef PERF_BPF_WALL_SWITCHES_TYPES_H
#define PERF_BPF_WALL_SWITCHES_TYPES_H

#include "watched-types.h"

#define WALL_MAX_KERNEL 64u	/* frames of a stack */
#define WALL_MAX_USER 127u
#define WALL_FILE_NAME 32u
#define WALL_FILE_CALLS 512u	/* numbers of system calls from here on are ignored */

/* the file of a system call; what its kind has */
struct wall_file {
	u64 inode;
	u32 mode;		/* of its inode */
	u32 family;		/* of a socket: AF_* */
	u32 port;		/* of its peer, in the order of networks; 0: it has none */
	u32 own_port;
	u8 address[16];		/* of its peer: 4 bytes of IPv4, or all of IPv6 */
	char name[WALL_FILE_NAME];	/* the last part of its path, cut; may lack its end */
};

/* after the frames; the verifier wants room for one frame more */
#define WALL_REST (sizeof(struct wall_file) / sizeof(u64) + 1)

/*
 * With sums by slots: turns of a thread that are equal but for their times. A thread has a CPU from `begin`
 * on, leaves it, and after its wait waits for a CPU. nr 0: where the thread is; it has not left its CPU if
 * on is 0, or, with WALL_UNSEEN, has left it and nobody knows when. Begins as a struct wall_switch
 */
struct wall_turns {
	u64 time;		/* when it was told */
	u64 begin;		/* of the first turn */
	u32 cpu, state, flags;	/* where and how it leaves; WALL_TURNS; WALL_BY_END */
	u32 pid, tid;
	u32 nr;
	s32 waker;		/* tid; 0: an interrupt, -1: not known */
	u32 unused;
	u64 on, wait, run;	/* ns, of all turns */
	u64 hash, arg;		/* of the stack and the file: see WALL_STACK; of the system call */
};
#define WALL_NR_TURNS 4u	/* a power of two */

/* threads that are followed at a time */
#define WALL_MAX_TASKS 65536u
#define WALL_MAX_TASKS_SLOTS 32768u	/* with sums by slots: 20 MB */

/* a thread: when it was woken, and by whom */
struct wall_task {
	u64 woken;		/* ns; 0: it was not */
	u32 waker_pid, waker_tid;
	u32 pid, tid;		/* of the thread itself, as they are told; tid 0: not known yet */
	u32 asleep;		/* it waits to be woken */
	u32 flags;		/* WALL_BY_* */
	/* while the quota of its control group is used up: the queue that it was taken from; 0: it is not */
	u64 queue;
	u64 left;		/* when, ns */
	u64 throttled;		/* what the queue had been throttled until then, ns */
	u64 switches;		/* how often it had left a CPU when it was seen last; 0: not known */
	u64 top;		/* end of the frames on its stack, an address; 0: not known */
	u32 on, cpu;		/* on: it was seen last when it got a CPU; with sums by slots, which one */
	/* with sums by slots; else the map has not that much of it */
	u64 since;		/* it got the CPU that it has, or had until its turn; 0: not known */
	u64 slot_end;		/* of its sums */
	struct wall_turns now;	/* its turn that goes on, if now.on is not 0 */
	struct wall_turns turns[WALL_NR_TURNS];
};

#define WALL_BY_INTERRUPT 1u	/* the waker is an interrupt, not a thread */
#define WALL_PREEMPTED 2u	/* the thread that left could have run on */
#define WALL_WAKES 8u		/* no switch: the thread woke the one that waker_pid and waker_tid name */
#define WALL_BEGAN 16u		/* the next thread is seen first: woken is when it was created */
#define WALL_THROTTLED 32u	/* the thread that left may not run: its quota is used up */
#define WALL_MISSED 4u		/* the next thread was woken and got a CPU, nobody has seen when */
/*
 * The kernel has not told all that the thread that left did since it was seen last, or the next one: it
 * counts how often threads leave their CPUs
 */
#define WALL_UNSEEN 64u
#define WALL_NEXT_UNSEEN 128u
#define WALL_HERE 256u		/* no switch: the thread of pid and tid is on a CPU, with WALL_UNSEEN */
/* frames and file do not follow: they are those that the ring of this CPU told last for this place */
#define WALL_OLD_PLACE 512u
#define WALL_STACK 1024u	/* no switch: turns with the hash `woken` have these frames and this file */
#define WALL_BY_END 4096u	/* the waker was ending: who waits for that has a futex for it */
#define WALL_TURNS 2048u	/* no struct wall_switch, but a struct wall_turns */

/* A switch of a CPU from one thread to another; times are CLOCK_MONOTONIC, in ns. */
struct wall_switch {
	u64 time;
	u64 woken;			/* the next thread; 0: it was not woken */
	u32 cpu, state, flags;		/* state: bits of the thread that left, as the kernel has them */
	u32 pid, tid;			/* that left; 0: it is not followed */
	u32 next_pid, next_tid;		/* that got the CPU; 0: it is not followed */
	u32 waker_pid, waker_tid;	/* of the next thread */
	u32 nr_kernel, nr_user;		/* frames */
	u16 has_file;			/* a struct wall_file follows the frames */
	u16 place;			/* with frames or a file: number of a place, below WALL_NR_PLACES */
	u64 arg;			/* first argument of the system call in progress, if there is one */
	u64 ip[WALL_MAX_KERNEL + WALL_MAX_USER + WALL_REST];	/* of the kernel, then those of the program */
};

/*
 * Most switches of a CPU have one of a few stacks and files. Those are told once, with a number, until others
 * take that number
 */
#define WALL_NR_PLACES 1024u	/* a power of two */

#define WALL_NAME_WORDS 2u	/* of a name among frames: of the thread that left, then of one that began */
#define WALL_KERNEL_WORDS 256u	/* of a kernel's stack, that are looked at */
#define WALL_USER_WORDS 2048u	/* of a program's; a power of two */
#define WALL_KEPT_FRAMES 32u
#define WALL_NR_KEPT 256u	/* a power of two */

/* a stack in the kernel that was unwound, and at which of its words the return addresses were found */
struct wall_kept {
	u32 nr, unused;
	u64 hash;		/* of the frames */
	struct {
		u64 ip, word;
	} frame[WALL_KEPT_FRAMES];
};

#define WALL_NR_FILES 64u	/* a power of two */
/* a file, not a socket, of which all was read before: the kernel's own structures */
struct wall_kept_file {
	u64 file, inode, hash;
	struct wall_file f;
};

/* on each CPU; programs of samples interrupt those of switches, so each has one */
enum { WALL_ROOM_SWITCH, WALL_ROOM_SAMPLE, WALL_NR_ROOMS };
struct wall_room {
	struct wall_switch s;
	u64 kernel[WALL_KERNEL_WORDS], user[WALL_USER_WORDS];
	/* of the program that leaves; is_program: of a 64-bit one */
	u64 is_program, ip, sp, bp, call, arg;
	u64 words, top;		/* of the program's stack: copied; and struct wall_task */
	u64 stack;		/* of the kernel: address of its part that is looked at */
	u32 kernel_words;	/* of that part; copied, unless they can be read in place */
	u32 now;		/* the kernel's number of the thread that got this CPU last; 0: idle */
	u64 hash;		/* of the record's frames and file */
	u64 queue;			/* of this CPU, in which the preemption count is; 0: not known yet */
	u64 lost;		/* switches without room in the ring, tasks without room in the map */
	u64 unread;			/* bytes since the reader was woken */
	struct wall_task new;		/* a thread that is seen first: but for what its switches say, 0 */
	struct wall_turns turns;	/* that are told */
};

/* offsets in structures of the kernel */
struct wall_switches_settings {
	struct watched_settings watched;
	u32 task_pid, task_tgid;
	/* in a PID namespace: a task's struct pid has a struct upid for each namespace that it is in */
	u32 task_thread_pid, task_leader, pid_level, pid_numbers;
	u32 number_size, number_nr, number_space, space_inode;
	/*
	 * The preemption count: in struct task_struct; or, if that is 0, in a variable of each CPU, known
	 * relative to another one, to which tasks have a pointer: their CPU's queue. Both 0: unknown
	 */
	u32 task_count;
	u32 task_cfs_rq, cfs_rq_rq;
	s64 count_from_rq;
	/* in struct pt_regs of x86-64, and what cs is in 64-bit code; 0: the kernel unwinds programs */
	u32 regs_ip, regs_sp, regs_bp, regs_cs, regs_call, regs_arg, user_cs;
	/* from a task to its files, and what is told of one; file_inode 0: that is not known */
	u32 task_files, files_table, table_max, table_files;
	u32 file_inode, file_dentry, file_data, inode_mode, inode_number, dentry_name;
	u32 socket_sock, sock_family, sock_port, sock_own_port, sock_address, sock_address6;
	u64 file_calls[WALL_FILE_CALLS / 64];	/* bits: system calls whose first argument is a file */
	u32 task_start, task_name;
	u32 task_flags;
	u32 task_switches;	/* voluntary ones, and the others after it; 0: not known */
	u32 regs_flags;		/* in struct pt_regs of x86-64; 0: not known */
	/*
	 * whether a task is throttled, or where that is not known its queue; and since when, and for how long
	 * in all, a queue is and was throttled. 0: the kernel does not have that
	 */
	u32 task_throttled, task_queue;
	u32 queue_throttled, queue_since, queue_sum, queue_rq, rq_clock;
	u32 word_type;		/* a type that begins with 8 bytes, for typed(); 0: that is not possible */
	u32 begins;		/* not 0: when threads begin and end is told, as no side-band does it */
	u64 slot_ns;		/* not 0: sums by slots of that length */
	u64 seed;		/* of hashes, so that no program can have two stacks with one */
	u32 names;		/* not 0: names of threads are told instead of stacks */
	u32 wakers;		/* not 0: stacks of wakers are told */
	u32 wake_bytes;		/* the reader is woken at this number of records in a ring */
};

#endif
