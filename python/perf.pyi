# Types of the module perf, for type checkers and editors; help(perf) has the same texts at run time. The test
# tests/cli/t1103-python-help.sh compares the names with those of the module.
from os import PathLike
from types import TracebackType
from typing import Any, Iterator, Literal, NamedTuple, Optional, Sequence, Union

__version__: str

COUNT_HW_BRANCH_INSTRUCTIONS: int
COUNT_HW_BRANCH_MISSES: int
COUNT_HW_BUS_CYCLES: int
COUNT_HW_CACHE_BPU: int
COUNT_HW_CACHE_DTLB: int
COUNT_HW_CACHE_ITLB: int
COUNT_HW_CACHE_L1D: int
COUNT_HW_CACHE_L1I: int
COUNT_HW_CACHE_LL: int
COUNT_HW_CACHE_MISSES: int
COUNT_HW_CACHE_NODE: int
COUNT_HW_CACHE_OP_PREFETCH: int
COUNT_HW_CACHE_OP_READ: int
COUNT_HW_CACHE_OP_WRITE: int
COUNT_HW_CACHE_REFERENCES: int
COUNT_HW_CACHE_RESULT_ACCESS: int
COUNT_HW_CACHE_RESULT_MISS: int
COUNT_HW_CPU_CYCLES: int
COUNT_HW_INSTRUCTIONS: int
COUNT_HW_REF_CPU_CYCLES: int
COUNT_HW_STALLED_CYCLES_BACKEND: int
COUNT_HW_STALLED_CYCLES_FRONTEND: int
COUNT_SW_ALIGNMENT_FAULTS: int
COUNT_SW_BPF_OUTPUT: int
COUNT_SW_CONTEXT_SWITCHES: int
COUNT_SW_CPU_CLOCK: int
COUNT_SW_CPU_MIGRATIONS: int
COUNT_SW_DUMMY: int
COUNT_SW_EMULATION_FAULTS: int
COUNT_SW_PAGE_FAULTS: int
COUNT_SW_PAGE_FAULTS_MAJ: int
COUNT_SW_PAGE_FAULTS_MIN: int
COUNT_SW_TASK_CLOCK: int
FORMAT_GROUP: int
FORMAT_ID: int
FORMAT_LOST: int
FORMAT_TOTAL_TIME_ENABLED: int
FORMAT_TOTAL_TIME_RUNNING: int
RECORD_AUX: int
RECORD_AUX_OUTPUT_HW_ID: int
RECORD_BPF_EVENT: int
RECORD_CALLCHAIN_DEFERRED: int
RECORD_CGROUP: int
RECORD_COMM: int
RECORD_EXIT: int
RECORD_FORK: int
RECORD_ITRACE_START: int
RECORD_KSYMBOL: int
RECORD_LOST: int
RECORD_LOST_SAMPLES: int
RECORD_MISC_COMM_EXEC: int
RECORD_MISC_SWITCH_OUT: int
RECORD_MMAP: int
RECORD_MMAP2: int
RECORD_NAMESPACES: int
RECORD_READ: int
RECORD_SAMPLE: int
RECORD_SWITCH: int
RECORD_SWITCH_CPU_WIDE: int
RECORD_TEXT_POKE: int
RECORD_THROTTLE: int
RECORD_UNTHROTTLE: int
SAMPLE_ADDR: int
SAMPLE_BRANCH_STACK: int
SAMPLE_CALLCHAIN: int
SAMPLE_CGROUP: int
SAMPLE_CODE_PAGE_SIZE: int
SAMPLE_CPU: int
SAMPLE_DATA_PAGE_SIZE: int
SAMPLE_DATA_SRC: int
SAMPLE_ID: int
SAMPLE_IDENTIFIER: int
SAMPLE_IP: int
SAMPLE_PERIOD: int
SAMPLE_PHYS_ADDR: int
SAMPLE_RAW: int
SAMPLE_READ: int
SAMPLE_STREAM_ID: int
SAMPLE_TID: int
SAMPLE_TIME: int
SAMPLE_TRANSACTION: int
SAMPLE_WEIGHT: int
TYPE_BREAKPOINT: int
TYPE_HARDWARE: int
TYPE_HW_CACHE: int
TYPE_RAW: int
TYPE_SOFTWARE: int
TYPE_TRACEPOINT: int

class Error(OSError):
    """Base of all errors of this module. str() is the whole text; its parts are members."""
    message: str
    place: Optional[str]
    hints: tuple[str, ...]

class PermissionDenied(Error, PermissionError): ...
class NotFound(Error, FileNotFoundError): ...
class NoSuchTask(Error, ProcessLookupError): ...
class InvalidValue(Error, ValueError): ...

class Warning(UserWarning):
    """Something is missing, changed or doubtful; the call goes on."""

class cpu_map(Sequence[int]):
    def __init__(self, cpustr: Optional[str] = None) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> int: ...  # type: ignore[override]

class thread_map(Sequence[int]):
    def __init__(self, pid: int = -1, tid: int = -1) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> int: ...  # type: ignore[override]

class counts_values:
    val: int
    ena: int
    run: int
    id: int
    lost: int
    values: list[int]
    def __init__(self, values: Sequence[int] = ()) -> None: ...
    @property
    def scaled(self) -> Optional[float]: ...

class evsel:
    type: int
    config: int
    sample_freq: int
    sample_period: int
    sample_type: int
    read_format: int
    disabled: int
    inherit: int
    pinned: int
    exclusive: int
    exclude_user: int
    exclude_kernel: int
    exclude_hv: int
    exclude_idle: int
    mmap: int
    context_switch: int
    comm: int
    freq: int
    inherit_stat: int
    enable_on_exec: int
    task: int
    watermark: int
    precise_ip: int
    mmap_data: int
    sample_id_all: int
    wakeup_events: int
    bp_type: int
    bp_addr: int
    bp_len: int
    config1: int
    config2: int
    exclude_host: int
    exclude_guest: int
    exclude_callchain_kernel: int
    exclude_callchain_user: int
    mmap2: int
    comm_exec: int
    use_clockid: int
    clockid: int
    write_backward: int
    namespaces: int
    ksymbol: int
    bpf_event: int
    cgroup: int
    text_poke: int
    build_id: int
    branch_sample_type: int
    sample_max_stack: int
    tracking: bool
    def __init__(
        self,
        type: int = ...,
        config: int = ...,
        sample_freq: int = ...,
        sample_period: int = ...,
        sample_type: int = ...,
        read_format: int = ...,
        disabled: int = ...,
        inherit: int = ...,
        pinned: int = ...,
        exclusive: int = ...,
        exclude_user: int = ...,
        exclude_kernel: int = ...,
        exclude_hv: int = ...,
        exclude_idle: int = ...,
        mmap: int = ...,
        context_switch: int = ...,
        comm: int = ...,
        freq: int = ...,
        inherit_stat: int = ...,
        enable_on_exec: int = ...,
        task: int = ...,
        watermark: int = ...,
        precise_ip: int = ...,
        mmap_data: int = ...,
        sample_id_all: int = ...,
        wakeup_events: int = ...,
        bp_type: int = ...,
        bp_addr: int = ...,
        bp_len: int = ...,
        config1: int = ...,
        config2: int = ...,
        exclude_host: int = ...,
        exclude_guest: int = ...,
        exclude_callchain_kernel: int = ...,
        exclude_callchain_user: int = ...,
        mmap2: int = ...,
        comm_exec: int = ...,
        use_clockid: int = ...,
        clockid: int = ...,
        write_backward: int = ...,
        namespaces: int = ...,
        ksymbol: int = ...,
        bpf_event: int = ...,
        cgroup: int = ...,
        text_poke: int = ...,
        build_id: int = ...,
        branch_sample_type: int = ...,
        sample_max_stack: int = ...,
    ) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def scale(self) -> float: ...
    def open(
        self,
        cpus: Optional[cpu_map] = None,
        threads: Optional[thread_map] = None,
        group: int = 0,
        inherit: int = 0,
    ) -> None: ...
    def close(self) -> None: ...
    def read(self, cpu: int = -1, thread: int = -1) -> counts_values: ...
    def cpus(self) -> cpu_map: ...
    def threads(self) -> thread_map: ...

class _event:
    # what all types of events have
    @property
    def type(self) -> int: ...
    @property
    def misc(self) -> int: ...
    @property
    def evsel(self) -> Any: ...
    @property
    def sample_ip(self) -> int: ...
    @property
    def sample_time(self) -> int: ...
    @property
    def sample_addr(self) -> int: ...
    @property
    def sample_id(self) -> int: ...
    @property
    def sample_stream_id(self) -> int: ...
    @property
    def sample_period(self) -> int: ...
    @property
    def sample_pid(self) -> int: ...
    @property
    def sample_tid(self) -> int: ...
    @property
    def sample_cpu(self) -> int: ...

class mmap_event(_event):
    @property
    def pid(self) -> int: ...
    @property
    def tid(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def len(self) -> int: ...
    @property
    def pgoff(self) -> int: ...
    @property
    def filename(self) -> str: ...

class task_event(_event):
    @property
    def pid(self) -> int: ...
    @property
    def ppid(self) -> int: ...
    @property
    def tid(self) -> int: ...
    @property
    def ptid(self) -> int: ...
    @property
    def time(self) -> int: ...

class comm_event(_event):
    @property
    def pid(self) -> int: ...
    @property
    def tid(self) -> int: ...
    @property
    def comm(self) -> str: ...

class throttle_event(_event):
    @property
    def time(self) -> int: ...
    @property
    def id(self) -> int: ...
    @property
    def stream_id(self) -> int: ...

class lost_event(_event):
    @property
    def id(self) -> int: ...
    @property
    def lost(self) -> int: ...

class read_event(_event):
    @property
    def pid(self) -> int: ...
    @property
    def tid(self) -> int: ...

class switch_event(_event):
    @property
    def next_prev_pid(self) -> int: ...
    @property
    def next_prev_tid(self) -> int: ...
    @property
    def switch_out(self) -> int: ...

class other_event(_event):
    @property
    def data(self) -> bytes: ...

class frame(NamedTuple):
    """A place in the code."""
    ip: int
    symbol: Optional[str]
    offset: Optional[int]
    dso: Optional[str]
    address: int
    inlined: bool
    file: Optional[str]
    line: int

class sample_event(_event):
    @property
    def sample_weight(self) -> int: ...
    @property
    def sample_data_src(self) -> int: ...
    @property
    def sample_phys_addr(self) -> int: ...
    @property
    def sample_cgroup(self) -> int: ...
    @property
    def sample_comm(self) -> Optional[str]: ...
    @property
    def sample_raw(self) -> Optional[bytes]: ...
    @property
    def sample_callchain(self) -> list[int]: ...
    def frames(self, inlines: bool = True, lines: bool = False) -> list[frame]: ...
    def field(self, name: str) -> Any: ...
    def text(self) -> Optional[str]: ...
    def __getattr__(self, name: str) -> Any: ...  # fields of tracepoints

_any_event = Union[
    sample_event, mmap_event, task_event, comm_event, throttle_event, lost_event, read_event, switch_event, other_event
]

class evlist(Sequence[evsel]):
    def __init__(self, cpus: Optional[cpu_map] = None, threads: Optional[thread_map] = None) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> evsel: ...  # type: ignore[override]
    def add(self, evsel: evsel) -> int: ...
    def all_cpus(self) -> cpu_map: ...
    def config(self) -> None: ...
    def open(self, group: int = 0) -> None: ...
    def close(self) -> None: ...
    def enable(self) -> None: ...
    def disable(self) -> None: ...
    # overwrite=1: of events with write_backward=1, whose new records overwrite the oldest ones
    def mmap(self, pages: int = 0, overwrite: int = 0) -> None: ...
    def poll(self, timeout: int = -1) -> int: ...
    def get_pollfd(self) -> list[int]: ...
    def read_on_cpu(self, cpu: int, sample_id_all: int = 1) -> Optional[_any_event]: ...
    def metrics(self) -> list[str]: ...
    def compute_metric(self, metric: str, cpu: int = -1, thread: int = -1) -> float: ...

class records(Iterator[_any_event]):
    def __next__(self) -> _any_event: ...

_names = Literal["event", "comm", "dso", "symbol"]

class session:
    def __init__(
        self,
        path: Union[str, bytes, PathLike[str]] = "perf.data",
        *,
        force: bool = False,
        jobs: int = 1,
        symfs: Optional[str] = None,
        vmlinux: Optional[str] = None,
        kallsyms: Optional[str] = None,
        itrace: Union[str, Literal[False], None] = None,
    ) -> None: ...
    def __iter__(self) -> Iterator[_any_event]: ...
    def __enter__(self) -> session: ...
    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None: ...
    def samples(self, event: Union[str, evsel, None] = None) -> Iterator[sample_event]: ...
    def columns(self, *names: str, event: Union[str, evsel, None] = None) -> dict[str, memoryview]: ...
    def names(self, column: _names) -> list[Optional[str]]: ...
    def close(self) -> None: ...
    @property
    def events(self) -> list[evsel]: ...
    @property
    def path(self) -> str: ...
    @property
    def nr_samples(self) -> int: ...
    @property
    def times(self) -> Optional[tuple[int, int]]: ...
    @property
    def header(self) -> dict[str, Any]: ...

class count:
    def __init__(
        self,
        *events: str,
        threads: Optional[thread_map] = None,
        cpus: Optional[cpu_map] = None,
        inherit: bool = True,
    ) -> None: ...
    def __enter__(self) -> count: ...
    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, name: str) -> Union[int, float, None]: ...
    def keys(self) -> list[str]: ...
    def values(self) -> Any: ...
    def items(self) -> Any: ...
    def read(self) -> count: ...
    def raw(self, name: str) -> counts_values: ...
    @property
    def elapsed(self) -> float: ...

class pmu:
    def name(self) -> str: ...
    def events(self) -> list[dict[str, str]]: ...

def parse_events(
    events: str, cpus: Optional[cpu_map] = None, threads: Optional[thread_map] = None
) -> evlist: ...
def parse_metrics(
    metrics: str,
    pmu: Optional[str] = None,
    cpus: Optional[cpu_map] = None,
    threads: Optional[thread_map] = None,
) -> evlist: ...
def metrics() -> list[dict[str, Any]]: ...
def pmus() -> Iterator[pmu]: ...
def tracepoint(sys: str, name: str) -> int: ...
