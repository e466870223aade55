"""Machine code is kept for systems in use and for some that were used last, not for all that ever ran."""

import gc
import pickle

from numba.core import event

import vinculum as vc
from impacted import ball
from vinculum.compile import evaluate
from vinculum.compile.recent import Recent
from vinculum.compile.targets.llvm import machine


def oscillator(stiffness: float) -> vc.System:
    system = vc.System("oscillator")
    system.add(vc.MassPoint("p", 1.0))
    system.add(vc.Spring("s", "ground", "p", stiffness=stiffness, rest_length=0.5))
    return system


def run(stiffness: float) -> vc.Motion:
    return vc.simulate(oscillator(stiffness), 0.02, {"p": (1.0, 0, 0)}, method="rk4", step=0.01, grid=2, progress=False)


def test_code_of_systems_that_are_gone_gives_way(monkeypatch):
    monkeypatch.setattr(machine, "_kept", Recent(3))
    monkeypatch.setattr(evaluate, "_optimized", Recent(3))
    gc.collect()
    before = len(machine._compiled)
    for k in range(12):
        run(1.0 + k / 7)
    gc.collect()
    assert len(machine._compiled) - before <= 6


def test_code_in_use_stays_whatever_runs_meanwhile(monkeypatch):
    monkeypatch.setattr(machine, "_kept", Recent(1))
    tape = run(3.25).record.model.tape("motion")
    code = machine.compile_tape(tape)
    for k in range(4):
        run(20.0 + k)
    gc.collect()
    assert machine.compile_tape(tape) is code


def test_a_tape_with_machine_code_can_be_sent():
    tape = run(2.5).record.model.tape("motion")
    machine.compile_tape(tape)
    assert pickle.loads(pickle.dumps(tape)).digest == tape.digest


def test_what_was_used_last_stays():
    kept = Recent(2)
    for key in "ab":
        kept.keep(key, key)
    assert kept.get("a") == "a"
    kept.keep("c", "c")
    assert "a" in kept and "b" not in kept and kept.get("b") is None and len(kept) == 2


def test_a_second_run_and_audit_compile_nothing(monkeypatch):
    def motion():
        start = {"ball": vc.At((0, 0, 0.5), rate=(1.0, 0, 0))}
        return vc.simulate(ball(vc.Newton(0.5)), 0.5, start, method="moreau", step=1e-2, progress=False)

    motion().audit()
    made = []
    monkeypatch.setattr(machine, "_machine_code", lambda *arguments: made.append("a tape"))
    with event.install_recorder("numba:compile") as recorded:
        motion().audit()
    assert not made and not recorded.buffer
