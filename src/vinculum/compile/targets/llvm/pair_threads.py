"""LLVM assembly of the threads that share a loop over pairs: free threads draw slots like tickets."""

import platform

JOB_SIZE = 64
POINTS, SLOTS, COLUMNS, SUMS, UNIFORMS, TOTALS, TICKET, DONE, STOP = 0, 1, 2, 3, 4, 5, 16, 32, 48
"""Places in a job, `JOB_SIZE` numbers i64: counts and addresses. The first job is the board of all: its number of slots, and one cache
line for each number that threads share; the jobs of the pair functions follow it."""


def dispatch_assembly(count: int) -> str:
    """`slot(board, k)`: slots are numbered through all jobs."""
    lines = ["define internal void @slot(ptr %board, i64 %k0) {", "entry:", "  br label %job0"]
    for g in range(count):
        lines += [f"job{g}:", f"  %p{g} = getelementptr i64, ptr %board, i64 {JOB_SIZE * (g + 1)}",
                  f"  %c{g} = getelementptr i64, ptr %p{g}, i64 {SLOTS}", f"  %n{g} = load i64, ptr %c{g}, align 8",
                  f"  %in{g} = icmp slt i64 %k{g}, %n{g}", f"  br i1 %in{g}, label %do{g}, label %next{g}",
                  f"do{g}:", f"  call void @slot{g}(ptr %p{g}, i64 %k{g})", "  ret void",
                  f"next{g}:", f"  %k{g + 1} = sub i64 %k{g}, %n{g}", f"  br label %job{g + 1}"]  # fmt: skip
    return "\n".join([*lines, f"job{count}:", "  ret void", "}"])


def thread_pool_assembly() -> str:
    """`evaluate(job)`: offer all slots, work on them and wait for the last; `serve(job)`: work on slots until told to stop.

    A ticket holds how many slots have been drawn. Whoever draws a number below the count of slots works on that slot.
    """
    x86 = platform.machine().lower() in ("x86_64", "amd64", "i686")
    pause = "call void @llvm.x86.sse2.pause()" if x86 else 'fence syncscope("singlethread") seq_cst'

    def fields(*named: tuple[int, str]) -> str:
        return "\n".join(f"  %{name} = getelementptr i64, ptr %job, i64 {index}" for index, name in named)

    work = """
  call void @slot(ptr %job, i64 %mine)
  %counted = atomicrmw add ptr %done, i64 1 acq_rel"""
    return f"""
define void @evaluate(ptr %job) {{
entry:
{fields((SLOTS, "count"), (TICKET, "ticket"), (DONE, "done"))}
  %slots = load i64, ptr %count, align 8
  store atomic i64 0, ptr %done monotonic, align 8
  store atomic i64 0, ptr %ticket release, align 8
  br label %draw
draw:
  %mine = atomicrmw add ptr %ticket, i64 1 acq_rel
  %left = icmp slt i64 %mine, %slots
  br i1 %left, label %work, label %wait
work:{work}
  br label %draw
wait:
  %finished = load atomic i64, ptr %done acquire, align 8
  %all = icmp eq i64 %finished, %slots
  br i1 %all, label %leave, label %idle
idle:
  {pause}
  br label %wait
leave:
  ret void
}}

define void @serve(ptr %job) {{
entry:
{fields((SLOTS, "count"), (TICKET, "ticket"), (DONE, "done"), (STOP, "stop"))}
  %slots = load i64, ptr %count, align 8
  br label %look
look:
  %drawn = load atomic i64, ptr %ticket acquire, align 8
  %open = icmp slt i64 %drawn, %slots
  br i1 %open, label %draw, label %idle
draw:
  %mine = atomicrmw add ptr %ticket, i64 1 acq_rel
  %left = icmp slt i64 %mine, %slots
  br i1 %left, label %work, label %idle
work:{work}
  br label %look
idle:
  {pause}
  %told = load atomic i64, ptr %stop acquire, align 8
  %over = icmp ne i64 %told, 0
  br i1 %over, label %leave, label %look
leave:
  ret void
}}
"""
