"""Tape → machine code through LLVM, eight runs at a time in the lanes of vector registers."""

import ctypes
import os
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache as remembered
from typing import Any, final

import numpy as np

from vinculum.kernels import cache, vector_math
from vinculum.kernels.tape import Tape

WIDTH = 8
VECTOR = f"<{WIDTH} x double>"
FLAGS = f"<{WIDTH} x i1>"
EMITTER_VERSION = "1"
MIN_ROWS_PER_THREAD = 256

ARITHMETIC = {"add": "fadd contract", "sub": "fsub contract", "mul": "fmul contract", "div": "fdiv contract"}
COMPARISONS = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}
INTRINSICS = {"sqrt": "llvm.sqrt", "abs": "llvm.fabs", "floor": "llvm.floor", "ceil": "llvm.ceil", "copysign": "llvm.copysign"}


@final
@dataclass(frozen=True, eq=False)
class Compiled:
    """A tape as machine code. ``lanes`` and ``batch`` are addresses of functions of (in, out) and (in, out, rows)."""

    tape: Tape
    lanes: int
    batch: int
    size: int
    engine: Any

    def __call__(self, X: np.ndarray, threads: int | None = None) -> np.ndarray:
        """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out), on all cores."""
        X = np.ascontiguousarray(X, dtype=float)
        if X.ndim != 2 or X.shape[1] != self.tape.n_in:
            raise ValueError(f"a batch must have shape (B, {self.tape.n_in}), got {X.shape}")
        Y = np.empty((len(X), self.tape.n_out))
        function = _BATCH(self.batch)
        threads = threads or os.cpu_count() or 1
        blocks = -(-len(X) // WIDTH)
        threads = max(1, min(threads, len(X) // MIN_ROWS_PER_THREAD))
        edges = [min(len(X), WIDTH * (blocks * k // threads)) for k in range(threads + 1)]

        def work(k: int) -> None:
            rows = edges[k + 1] - edges[k]
            function(X.ctypes.data + 8 * edges[k] * X.shape[1], Y.ctypes.data + 8 * edges[k] * Y.shape[1], rows)

        if threads == 1:
            work(0)
        else:
            list(_pool(threads).map(work, range(threads)))
        return Y


_BATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


@remembered
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="vinculum")


_compiled: dict[str, Compiled] = {}
_lock = threading.Lock()


def compile_tape(tape: Tape) -> Compiled:
    """The tape as machine code, from this process, from the disk cache, or made now."""
    with _lock:
        known = _compiled.get(tape.digest)
        if known is None:
            known = _compiled[tape.digest] = _load_or_compile(tape)
        return known


def is_cached(tape: Tape) -> bool:
    """Whether the tape can run as machine code without compiling."""
    return tape.digest in _compiled or (cache.directory() / _key(tape)).exists()


def _key(tape: Tape) -> str:
    import llvmlite

    _, cpu, features = _target()
    return cache.key_of("llvm", EMITTER_VERSION, tape.digest, llvmlite.__version__, cpu, features)


def _load_or_compile(tape: Tape) -> Compiled:
    import llvmlite.binding as llvm

    key = _key(tape)
    machine = _target()[0]
    data = cache.fetch(key)
    if data is None:
        data = _machine_code(llvm, machine, assembly(tape))
        cache.keep(key, data)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(data))
    engine.finalize_object()
    return Compiled(tape, engine.get_function_address("lanes"), engine.get_function_address("batch"), len(data), engine)


@remembered
def _target():
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    features = ",".join(f for f in features.split(",") if "prefer-256" not in f)
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=2, reloc="pic", codemodel="jitdefault")
    return machine, cpu, features


def _machine_code(llvm, machine, text: str) -> bytes:
    module = llvm.parse_assembly(text)
    module.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


def assembly(tape: Tape) -> str:
    """LLVM assembly of a tape: `lanes(in, out)` over rows of eight, and `batch(in, out, rows)` over plain rows."""
    value: dict[int, str] = {}
    lines: list[str] = []

    def put(expression: str) -> str:
        lines.append(f"  %v{len(lines)} = {expression}")
        return f"%v{len(lines) - 1}"

    def flag(x: str) -> str:
        return put(f"fcmp une {VECTOR} {x}, zeroinitializer")

    def number(condition: str) -> str:
        return put(f"select {FLAGS} {condition}, {VECTOR} {splat(1.0)}, {VECTOR} zeroinitializer")

    for i in range(tape.n_in):
        place = put(f"getelementptr {VECTOR}, ptr %in, i64 {i}")
        value[i] = put(f"load {VECTOR}, ptr {place}, align 8")
    for i, c in enumerate(tape.constants.tolist()):
        value[tape.n_in + i] = splat(c)
    for name, result, operands in tape.rows():
        x = [value[a] for a in operands]
        if name in ARITHMETIC:
            value[result] = put(f"{ARITHMETIC[name]} {VECTOR} {x[0]}, {x[1]}")
        elif name == "neg":
            value[result] = put(f"fneg {VECTOR} {x[0]}")
        elif name in COMPARISONS:
            value[result] = number(put(f"fcmp {COMPARISONS[name]} {VECTOR} {x[0]}, {x[1]}"))
        elif name in ("and", "or"):
            value[result] = number(put(f"{name} {FLAGS} {flag(x[0])}, {flag(x[1])}"))
        elif name == "not":
            value[result] = number(put(f"fcmp oeq {VECTOR} {x[0]}, zeroinitializer"))
        elif name == "where":
            value[result] = put(f"select {FLAGS} {flag(x[0])}, {VECTOR} {x[1]}, {VECTOR} {x[2]}")
        elif name in ("min", "max"):
            order = put(f"fcmp {'olt' if name == 'min' else 'ogt'} {VECTOR} {x[0]}, {x[1]}")
            either = put(f"select {FLAGS} {order}, {VECTOR} {x[0]}, {VECTOR} {x[1]}")
            value[result] = put(f"select {FLAGS} {put(f'fcmp uno {VECTOR} {x[0]}, {x[0]}')}, {VECTOR} {x[0]}, {VECTOR} {either}")
        elif name == "sign":
            up, down = number(put(f"fcmp ogt {VECTOR} {x[0]}, zeroinitializer")), number(
                put(f"fcmp olt {VECTOR} {x[0]}, zeroinitializer"))
            value[result] = put(f"fsub {VECTOR} {up}, {down}")
        elif name in INTRINSICS:
            arguments = ", ".join(f"{VECTOR} {a}" for a in x)
            value[result] = put(f"call {VECTOR} @{INTRINSICS[name]}.v{WIDTH}f64({arguments})")
        else:
            value[result] = put(f"call {VECTOR} @v_{name}({', '.join(f'{VECTOR} {a}' for a in x)})")
    for k, r in enumerate(tape.results.tolist()):
        place = put(f"getelementptr {VECTOR}, ptr %out, i64 {k}")
        lines.append(f"  store {VECTOR} {value[r]}, ptr {place}, align 8")
        lines.append("")
    functions = tape.names() & vector_math.NAMES
    library = vector_math.library(sorted(functions), WIDTH) if functions else ""
    used = [name for name in INTRINSICS if name in tape.names()]
    declared = [f"declare {VECTOR} @{INTRINSICS[name]}.v{WIDTH}f64({', '.join([VECTOR] * (2 if name == 'copysign' else 1))})"
                for name in used if f"@{INTRINSICS[name]}.v{WIDTH}f64(" not in library]
    return "\n".join([library, *declared, "define void @lanes(ptr noalias %in, ptr noalias %out) {", *lines, "  ret void", "}",
                      _batch(tape)])


def splat(value: float) -> str:
    """A constant in every lane."""
    return "<" + ", ".join([f"double 0x{struct.pack('>d', value).hex().upper()}"] * WIDTH) + ">"


def _batch(tape: Tape) -> str:
    """Rows gathered into lanes, evaluated and scattered; the last block repeats its last row."""
    n_in, n_out = tape.n_in, tape.n_out
    lines = ["define void @batch(ptr noalias %X, ptr noalias %Y, i64 %rows) {", "entry:",
             f"  %x = alloca [{max(n_in, 1) * WIDTH} x double], align 64",
             f"  %y = alloca [{max(n_out, 1) * WIDTH} x double], align 64",
             "  %last = sub i64 %rows, 1", "  %some = icmp sgt i64 %rows, 0", "  br i1 %some, label %block, label %done",
             "block:", "  %row = phi i64 [0, %entry], [%next, %stored]"]  # fmt: skip
    for k in range(WIDTH):
        lines += [f"  %r{k} = add i64 %row, {k}", f"  %over{k} = icmp sgt i64 %r{k}, %last",
                  f"  %s{k} = select i1 %over{k}, i64 %last, i64 %r{k}", f"  %o{k} = mul i64 %s{k}, {n_in}",
                  f"  %p{k} = getelementptr double, ptr %X, i64 %o{k}"]  # fmt: skip
    lines += ["  br label %gather", "gather:", "  %i = phi i64 [0, %block], [%i1, %gather1]",
              f"  %more = icmp slt i64 %i, {n_in}", "  br i1 %more, label %gather1, label %run", "gather1:",
              f"  %d = mul i64 %i, {WIDTH}", "  %to = getelementptr double, ptr %x, i64 %d"]  # fmt: skip
    vector = "undef"
    for k in range(WIDTH):
        lines += [f"  %q{k} = getelementptr double, ptr %p{k}, i64 %i", f"  %e{k} = load double, ptr %q{k}, align 8",
                  f"  %w{k} = insertelement {VECTOR} {vector}, double %e{k}, i32 {k}"]  # fmt: skip
        vector = f"%w{k}"
    lines += [f"  store {VECTOR} {vector}, ptr %to, align 64", "  %i1 = add i64 %i, 1", "  br label %gather", "run:",
              "  call void @lanes(ptr %x, ptr %y)", "  br label %scatter", "scatter:",
              "  %j = phi i64 [0, %run], [%j1, %scattered]", f"  %left = icmp slt i64 %j, {n_out}",
              "  br i1 %left, label %spread, label %stored", "spread:", f"  %dj = mul i64 %j, {WIDTH}",
              "  %from = getelementptr double, ptr %y, i64 %dj", f"  %vec = load {VECTOR}, ptr %from, align 64",
              "  br label %lane0"]  # fmt: skip
    for k in range(WIDTH):
        after = f"lane{k + 1}" if k + 1 < WIDTH else "scattered"
        lines += [f"lane{k}:", f"  br i1 %over{k}, label %scattered, label %put{k}", f"put{k}:",
                  f"  %z{k} = extractelement {VECTOR} %vec, i32 {k}", f"  %m{k} = mul i64 %r{k}, {n_out}",
                  f"  %n{k} = add i64 %m{k}, %j", f"  %t{k} = getelementptr double, ptr %Y, i64 %n{k}",
                  f"  store double %z{k}, ptr %t{k}, align 8", f"  br label %{after}"]  # fmt: skip
    lines += ["scattered:", "  %j1 = add i64 %j, 1", "  br label %scatter", "stored:", f"  %next = add i64 %row, {WIDTH}",
              "  %again = icmp slt i64 %next, %rows", "  br i1 %again, label %block, label %done", "done:", "  ret void",
              "}"]  # fmt: skip
    return "\n".join(lines)
