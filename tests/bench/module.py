# the module perf: columns FILE reads three numbers of each sample; count prints what reading a count costs
import sys, time
import perf

if sys.argv[1] == "columns":
    with perf.session(sys.argv[2]) as s:
        columns = s.columns("time", "ip", "period")
        print(sum(len(column) for column in columns.values()))
else:
    with perf.count("page-faults", "context-switches") as c:
        start = time.process_time()
        for i in range(20000):
            c.read()
        reads = time.process_time() - start
    start = time.process_time()
    for i in range(500):
        with perf.count("page-faults", "context-switches"):
            pass
    blocks = time.process_time() - start
    print("%.1f us each reading of two counts, %.0f us each block" % (reads / 20000 * 1e6, blocks / 500 * 1e6))
