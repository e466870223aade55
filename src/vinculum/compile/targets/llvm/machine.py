"""Tape → machine code through LLVM, eight runs at a time in the lanes of vector registers."""

import ctypes
import itertools
import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache as remembered
from functools import cached_property
from typing import Any, NamedTuple, final
from weakref import WeakValueDictionary

import numpy as np

from vinculum.compile.announce import announcement
from vinculum.compile.disk import cache
from vinculum.compile.order import least_spilled
from vinculum.compile.passes.powers import factors, halves
from vinculum.compile.recent import Recent
from vinculum.compile.tape import CODE, Tape
from vinculum.compile.targets.llvm import elementary
from vinculum.compile.targets.llvm.alike_parts import (
    INPUT,
    VALUE,
    AlikeParts,
    alike_parts,
    read_elsewhere,
    source,
    stored_values,
)
from vinculum.compile.targets.llvm.parts import parts_of, slots_of
from vinculum.compile.targets.llvm.rows import batch_assembly
from vinculum.compile.targets.llvm.tables import table_assembly
from vinculum.compile.threads.pool import cores, thread_pool
from vinculum.compile.width import WIDTH
from vinculum.tolerances.sizes import KEPT_TAPES, LONG_TAPE, OUTPUTS_PER_PART, PART_OF_TAPE, UNDIVIDED_TAPE, WIDE_TAPE

VECTOR = f"<{WIDTH} x double>"
FLAGS = f"<{WIDTH} x i1>"
EMITTER_VERSION = "10"
MIN_ROWS_PER_THREAD = 256
REGISTERS = 30
"""Vector registers that hold values of a tape: 32 less two that constants and sums pass through."""

ARITHMETIC = {"add": "fadd contract", "sub": "fsub contract", "mul": "fmul contract", "div": "fdiv contract"}
COMPARISONS = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}
INTRINSICS = {
    "sqrt": "llvm.sqrt",
    "abs": "llvm.fabs",
    "floor": "llvm.floor",
    "ceil": "llvm.ceil",
    "copysign": "llvm.copysign",
}


@final
@dataclass(frozen=True, eq=False)
class Compiled:
    """A tape as machine code. ``lanes`` and ``batch`` are addresses of functions of (in, out) and (in, out, rows)."""

    tape: Tape
    lanes: int
    batch: int
    size: int
    kept: Any

    def __call__(self, X: np.ndarray, threads: int | None = None, out: np.ndarray | None = None) -> np.ndarray:
        """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out), on all cores; written to ``out`` if it is given."""
        X = np.ascontiguousarray(X, dtype=float)
        if X.ndim != 2 or X.shape[1] != self.tape.n_in:
            raise ValueError(f"a batch must have shape (B, {self.tape.n_in}), got {X.shape}")
        Y = np.empty((len(X), self.tape.n_out)) if out is None else out
        if Y.shape != (len(X), self.tape.n_out) or Y.dtype != float or not Y.flags.c_contiguous:
            raise ValueError(f"out must be a C-contiguous float array of shape {(len(X), self.tape.n_out)}")
        if len(X) < 2 * MIN_ROWS_PER_THREAD:
            self._function(X.ctypes.data, Y.ctypes.data, len(X))
            return Y
        function = self._function
        threads = threads or cores()
        blocks = -(-len(X) // WIDTH)
        threads = max(1, min(threads, len(X) // MIN_ROWS_PER_THREAD))
        edges = [min(len(X), WIDTH * (blocks * k // threads)) for k in range(threads + 1)]

        parts = [
            (X.ctypes.data + 8 * a * X.shape[1], Y.ctypes.data + 8 * a * Y.shape[1], b - a)
            for a, b in itertools.pairwise(edges)
        ]
        if threads > 1:
            workers = thread_pool(threads - 1, load_assembly)
            if workers.busy.acquire(blocking=False):
                try:
                    workers.share(self.batch, parts[1:], lambda: function(*parts[0]))
                finally:
                    workers.busy.release()
                return Y
        for part in parts:
            function(*part)
        return Y

    @cached_property
    def _function(self):
        return _BATCH(self.batch)


_BATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


_kept: Recent[Compiled] = Recent(KEPT_TAPES)
_compiled: "WeakValueDictionary[str, Compiled]" = WeakValueDictionary()
_lock = threading.Lock()


def compile_tape(tape: Tape) -> Compiled:
    """The tape as machine code, from this process, from the disk cache, or made now.

    The code lives as long as somebody holds it or its tape, so an address stays good while there is the model that it belongs to.
    """
    with _lock:
        known = _compiled.get(tape.digest)
        if known is None:
            known = _compiled[tape.digest] = _load_or_compile(tape)
        vars(tape)[CODE] = known
        return _kept.keep(tape.digest, known)


def is_cached(tape: Tape) -> bool:
    """Whether the tape can run as machine code without compiling."""
    return tape.digest in _compiled or (cache.directory() / _key(tape)).exists()


def _key(tape: Tape) -> str:
    import llvmlite

    _, cpu, features = _target()
    how = ["plain"] if tape.n_out > WIDE_TAPE else []
    return cache.key_of("llvm", EMITTER_VERSION, tape.digest, llvmlite.__version__, cpu, features, *how)


def _load_or_compile(tape: Tape) -> Compiled:
    import llvmlite.binding as llvm

    plain, key = tape.n_out > WIDE_TAPE, _key(tape)
    machine = _target()[0]
    data = cache.fetch(key)
    if data is None:
        with announcement("equations"):
            data = _machine_code(llvm, _plain_machine() if plain else machine, *assembly(tape), plain)
        cache.keep(key, data)
    kept, addresses = linked_functions(data, ("lanes", "batch"))
    return Compiled(tape, addresses["lanes"], addresses["batch"], len(data), kept)


def load_assembly(text: str, names: tuple[str, ...]) -> tuple[Any, dict[str, int]]:
    """What keeps the functions of an assembly text in memory, and their addresses; the disk cache keeps the code."""
    import llvmlite
    import llvmlite.binding as llvm

    machine, cpu, features = _target()
    key = cache.key_of("assembly", text, llvmlite.__version__, cpu, features)
    data = cache.fetch(key)
    if data is None:
        data = _machine_code(llvm, machine, text)
        cache.keep(key, data)
    return linked_functions(data, names)


def linked_functions(
    data: bytes, names: Sequence[str], symbols: Mapping[str, int] | None = None
) -> tuple[Any, dict[str, int]]:
    """What keeps functions of an object file in memory, and their addresses; they call others at the given addresses.

    All sections of the object lie in one block of memory. Code reaches its constants within 2 GiB only, and sections that are placed
    one by one may lie further apart in a process with much memory; LLVM then ends the process.
    """
    import llvmlite.binding as llvm

    library = llvm.JITLibraryBuilder().add_object_img(data).add_current_process()
    for name in names:
        library.export_symbol(name)
    for wanted, address in (symbols or {}).items():
        library.import_symbol(wanted, address)
    with _linking:
        kept = library.link(_linker(), f"object {next(_objects)}")
    return kept, {name: kept[name] for name in names}


_linking = threading.Lock()
_objects = itertools.count()


@remembered
def _linker():
    import llvmlite.binding as llvm

    _target()
    return llvm.create_lljit_compiler(use_jit_link=True)


@remembered
def _target():
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    features = ",".join(f for f in features.split(",") if "prefer-256" not in f)
    return _machine(cpu, features, 2), cpu, features


def _machine(cpu: str, features: str, opt: int):
    import llvmlite.binding as llvm

    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=opt, reloc="pic", codemodel="small"
    )


@remembered
def _plain_machine():
    return _machine(*_target()[1:], 0)


def _machine_code(llvm, machine, text: str, parts: str = "", plain: bool = False) -> bytes:
    module = llvm.parse_assembly(text)
    module.verify()
    if not plain:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
        builder.getModulePassManager().run(module, builder)
    if parts:
        module.link_in(llvm.parse_assembly(parts))
    return machine.emit_object(module)


class Assembly(NamedTuple):
    """LLVM assembly of a tape; ``parts``: functions that ``text`` calls and that call none, which are not optimized together with it."""

    text: str
    parts: str = ""


def assembly(tape: Tape) -> Assembly:
    """LLVM assembly of a tape: `lanes(in, out)` over rows of eight, and `batch(in, out, rows)` over plain rows.

    Sines and cosines of plain arithmetic (joint angles) are computed first, in a loop: the rest is then one block of
    straight-line code, or parts of it.
    """
    divided = len(tape.code) > UNDIVIDED_TAPE and tape.n_out <= WIDE_TAPE
    long = len(tape.code) > LONG_TAPE and tape.n_out <= WIDE_TAPE
    tape = least_spilled(tape, REGISTERS) if long and not divided else tape
    rows = list(tape.rows())
    angles, early = _angles(tape, rows)
    emitter = Emitter(tape)
    for row in rows:
        if row[1] in early:
            emitter.operation(*row)
    emitter.sines_and_cosines(angles)
    left = [row for row in rows if row[1] not in emitter.value]
    parts: list[str] = []
    constants: list[str] = []
    alike = alike_parts(tape, left) if divided and left else None
    if alike is not None:
        parts, constants = emitter.in_alike_parts(alike)
    elif divided and left:
        parts = emitter.in_parts(parts_of(tape, left, [*range(PART_OF_TAPE, len(left), PART_OF_TAPE), len(left)]))
    else:
        for row in left:
            emitter.operation(*row)
        for k, r in enumerate(tape.results.tolist()):
            emitter.store("%out", k, emitter.value[r])
    functions = called_functions(tape)
    library = elementary.library(sorted(functions | ({"sin", "cos"} if angles else set())), WIDTH) if functions else ""
    calls = any(" call " in line and "@llvm." not in line for line in parts)
    declared = [
        line.replace("define internal", "declare").removesuffix(" noinline {")
        for line in parts
        if line.startswith("define")
    ]
    text = [
        library,
        *(table_assembly(name, table) for name, table in tape.by_name.items()),
        _turning_loop(len(angles)),
        *constants,
        *(parts if calls else declared),
        "define void @lanes(ptr noalias %in, ptr noalias %out) {",
        *emitter.lines,
        "  ret void",
        "}",
        batch_assembly(tape.n_in, tape.n_out, WIDTH),
    ]
    return Assembly("\n".join(text), "" if calls else "\n".join(parts).replace("define internal", "define"))


def called_functions(tape: Tape) -> set[str]:
    """The functions of `vector_math` that the tape's code calls."""
    return {name for name, _, operands in tape.rows() if halves(tape, name, operands) is None} & elementary.NAMES


def _angles(tape: Tape, rows: list) -> tuple[list[int], set[int]]:
    """Arguments of sines and cosines that need no other function, and all values that they need."""
    plain = set(range(tape.first_operation))
    needs: dict[int, list[int]] = {}
    angles: list[int] = []
    for name, result, operands in rows:
        needs[result] = operands
        if all(a in plain for a in operands):
            if name in ("sin", "cos") and operands[0] not in angles:
                angles.append(operands[0])
            if name not in elementary.NAMES:
                plain.add(result)
    early, stack = set(), list(angles)
    while stack:
        value = stack.pop()
        if value >= tape.first_operation and value not in early:
            early.add(value)
            stack.extend(needs[value])
    return angles, early


def _turning_loop(count: int) -> str:
    """`turning(in, out)`: sine and cosine of every angle in a buffer; nothing if there are none.

    Its loop has no branch and calls nothing; if some angle was beyond what it can reduce, a second one does all of them again.
    """
    if not count:
        return ""
    limit = splat(elementary.LARGEST_ANGLE)
    return f"""
{elementary.near_library(WIDTH)}

define internal void @turning(ptr noalias %in, ptr noalias %out) noinline {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %beyond = phi {FLAGS} [ zeroinitializer, %entry ], [ %seen, %loop ]
{_sine_and_cosine("near_")}
  %size = call {VECTOR} @llvm.fabs.v{WIDTH}f64({VECTOR} %x)
  %far = fcmp ugt {VECTOR} %size, {limit}
  %seen = or {FLAGS} %beyond, %far
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, {count}
  br i1 %more, label %loop, label %done
done:
  %some = call i1 @llvm.vector.reduce.or.v{WIDTH}i1({FLAGS} %seen)
  br i1 %some, label %again, label %end
again:
  call void @turning_far(ptr %in, ptr %out)
  br label %end
end:
  ret void
}}

define internal void @turning_far(ptr noalias %in, ptr noalias %out) noinline cold {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{_sine_and_cosine("v_")}
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, {count}
  br i1 %more, label %loop, label %done
done:
  ret void
}}"""


def _sine_and_cosine(kind: str) -> str:
    """Sine and cosine of one angle from buffer to buffer, by the functions of one kind."""
    return f"""\
  %from = getelementptr {VECTOR}, ptr %in, i64 %i
  %x = load {VECTOR}, ptr %from, align 64
  %s = call {VECTOR} @{kind}sin({VECTOR} %x)
  %c = call {VECTOR} @{kind}cos({VECTOR} %x)
  %double = shl i64 %i, 1
  %to.s = getelementptr {VECTOR}, ptr %out, i64 %double
  %to.c = getelementptr {VECTOR}, ptr %to.s, i64 1
  store {VECTOR} %s, ptr %to.s, align 64
  store {VECTOR} %c, ptr %to.c, align 64"""


class Emitter:
    """Lines of assembly, and the name of every value that they have made.

    ``inputs``: names of the values that hold the tape's inputs; they are loaded from ``%in`` by default. ``constants``: those of the
    tape, where they are known.
    """

    def __init__(self, tape: Tape, inputs: Sequence[str] | None = None, constants: Mapping[int, str] | None = None):
        self.tape = tape
        self.tables = tape.by_name
        self.lines: list[str] = []
        numbered = enumerate(tape.constants.tolist(), tape.n_in)
        self.value: dict[int, str] = dict(constants or {i: splat(c) for i, c in numbered})
        for i in range(tape.n_in) if inputs is None else ():
            self.value[i] = self.load("%in", i)
        self.value |= dict(enumerate(inputs or ()))

    def put(self, expression: str) -> str:
        self.lines.append(f"  %v{len(self.lines)} = {expression}")
        return f"%v{len(self.lines) - 1}"

    def store(self, buffer: str, index: int, value: str, align: int = 8) -> None:
        place = self.put(f"getelementptr {VECTOR}, ptr {buffer}, i64 {index}")
        self.lines.append(f"  store {VECTOR} {value}, ptr {place}, align {align}")
        self.lines.append("")

    def sines_and_cosines(self, angles: list[int]) -> None:
        """Run the loop over all angles and read its results where the tape asks for them."""
        if not angles:
            return
        arguments, turned = (self.put(f"alloca [{k * len(angles)} x {VECTOR}], align 64") for k in (1, 2))
        for i, angle in enumerate(angles):
            self.store(arguments, i, self.value[angle], 64)
        self.lines.append(f"  call void @turning(ptr {arguments}, ptr {turned})")
        self.lines.append("")
        for name, result, operands in self.tape.rows():
            if name in ("sin", "cos") and operands[0] in angles:
                place = self.put(
                    f"getelementptr {VECTOR}, ptr {turned}, i64 {2 * angles.index(operands[0]) + (name == 'cos')}"
                )
                self.value[result] = self.put(f"load {VECTOR}, ptr {place}, align 64")

    def in_parts(self, parts: list[list[tuple[str, int, list[int]]]]) -> list[str]:
        """The functions of all parts, which this calls one after another; the values made so far go to them through memory."""
        tape, first = self.tape, self.tape.n_in
        results = tape.results.tolist()
        before = [v for v in self.value if v >= tape.first_operation]
        made = [before, *([result for _, result, _ in part] for part in parts)]
        read = [[], *([a for _, _, operands in part for a in operands] for part in parts), results]
        place, count = slots_of(made, read)
        slots = self.put(f"alloca [{max(count, 1)} x {VECTOR}], align 64")
        for value in before:
            if value in place:
                self.store(slots, place[value], self.value[value], 64)
        functions = []
        constants = {v: text for v, text in self.value.items() if first <= v < tape.first_operation}
        shares = [*((part, []) for part in parts), *(([], kept) for kept in self._outputs_by_part())]
        for k, (part, kept) in enumerate(shares):
            inner = Emitter(tape, (), constants)
            needed = dict.fromkeys(a for _, _, operands in part for a in operands) | dict.fromkeys(r for _, r in kept)
            own = {result for _, result, _ in part}
            for a in needed:
                if a < first:
                    inner.value[a] = inner.load("%in", a)
                elif a not in inner.value and a not in own:
                    inner.value[a] = inner.load("%slots", place[a], 64)
            for row in part:
                inner.operation(*row)
                if row[1] in place:
                    inner.store("%slots", place[row[1]], inner.value[row[1]], 64)
            for i, r in kept:
                inner.store("%out", i, inner.value[r])
            taken = "ptr noalias %in, ptr noalias %out, ptr noalias %slots"
            functions += [f"define internal void @part{k}({taken}) noinline {{", *inner.lines, "  ret void", "}"]
            self.lines += [f"  call void @part{k}(ptr %in, ptr %out, ptr {slots})", ""]
        return functions

    def _outputs_by_part(self) -> list[list[tuple[int, int]]]:
        """Numbers of outputs and their values, so many as one function stores."""
        numbered = list(enumerate(self.tape.results.tolist()))
        return [numbered[k : k + OUTPUTS_PER_PART] for k in range(0, len(numbered), OUTPUTS_PER_PART)]

    def in_alike_parts(self, found: AlikeParts) -> tuple[list[str], list[str]]:
        """The functions of all kinds of parts, which this calls part by part, and the lists that say where the values of each part are.
        Values that no other part reads go to a place that nobody reads, if others of their kind are read."""
        tape, first = self.tape, self.tape.first_operation
        results = tape.results.tolist()
        before = [v for v in self.value if v >= first]
        place, count = slots_of(
            [before, *([result for _, result, _ in part] for part in found.parts)], [[], *found.outside, results]
        )
        slots = self.put(f"alloca [{count + 1} x {VECTOR}], align 64")
        for value in before:
            if value in place:
                self.store(slots, place[value], self.value[value], 64)
        stored = stored_values(found, read_elsewhere(found, results))
        listed: list[int] = []
        for part, kind, outside in zip(found.parts, found.kinds, found.outside, strict=True):
            here = f"getelementptr (i32, ptr @places, i64 {len(listed)})"
            self.lines += [f"  call void @kind{kind}(ptr %in, ptr %out, ptr {slots}, ptr @numbers, ptr {here})", ""]
            offsets = (0, tape.n_in)
            listed += [place[a] if source(tape, a) == VALUE else a - offsets[source(tape, a)] for a in outside]
            listed += [place.get(part[j][1], count) for j in stored[kind]]
        taken = "ptr noalias %in, ptr noalias %out, ptr noalias %slots"
        functions: list[str] = []
        for kind, k in sorted(found.first_of_kind.items()):
            inner = Emitter(tape, (), {})
            for j, a in enumerate(found.outside[k]):
                inner.value[a] = inner.load_listed(("%in", "%numbers", "%slots")[source(tape, a)], j)
            for row in found.parts[k]:
                inner.operation(*row)
            for j, own in enumerate(stored[kind], len(found.outside[k])):
                to = inner.put(f"getelementptr {VECTOR}, ptr %slots, i64 {inner.place_in_list(j)}")
                inner.lines += [f"  store {VECTOR} {inner.value[found.parts[k][own][1]]}, ptr {to}, align 64", ""]
            head = f"define internal void @kind{kind}({taken}, ptr noalias %numbers, ptr noalias %list) noinline {{"
            functions += [head, *inner.lines, "  ret void", "}"]
        for k, kept in enumerate(self._outputs_by_part()):
            inner = Emitter(tape, (), {})
            for i, r in kept:
                value = (
                    inner.load("%in", r) if source(tape, r) == INPUT
                    else inner.load("%slots", place[r], 64) if source(tape, r) == VALUE
                    else self.value[r]
                )  # fmt: skip
                inner.store("%out", i, value)
            functions += [f"define internal void @part{k}({taken}) noinline {{", *inner.lines, "  ret void", "}"]
            self.lines += [f"  call void @part{k}(ptr %in, ptr %out, ptr {slots})", ""]
        numbers = ", ".join(f"double 0x{struct.pack('>d', c).hex().upper()}" for c in tape.constants.tolist())
        return functions, [
            f"@numbers = internal constant [{len(tape.constants)} x double] [{numbers}]",
            f"@places = internal constant [{len(listed)} x i32] [{', '.join(f'i32 {k}' for k in listed)}]",
        ]

    def place_in_list(self, j: int) -> str:
        """The j-th place of a part's list."""
        word = self.put(f"load i32, ptr {self.put(f'getelementptr i32, ptr %list, i64 {j}')}, align 4")
        return self.put(f"zext i32 {word} to i64")

    def load_listed(self, buffer: str, j: int) -> str:
        """The value at the j-th place of a part's list, in every lane if it is a constant."""
        index = self.place_in_list(j)
        if buffer != "%numbers":
            return self.put(
                f"load {VECTOR}, ptr {self.put(f'getelementptr {VECTOR}, ptr {buffer}, i64 {index}')}, align 8"
            )
        number = self.put(f"load double, ptr {self.put(f'getelementptr double, ptr {buffer}, i64 {index}')}, align 8")
        one = self.put(f"insertelement {VECTOR} poison, double {number}, i64 0")
        return self.put(f"shufflevector {VECTOR} {one}, {VECTOR} poison, <{WIDTH} x i32> zeroinitializer")

    def load(self, buffer: str, index: int, align: int = 8) -> str:
        place = self.put(f"getelementptr {VECTOR}, ptr {buffer}, i64 {index}")
        return self.put(f"load {VECTOR}, ptr {place}, align {align}")

    def operation(self, name: str, result: int, operands: list[int]) -> None:
        """One operation of the tape."""
        x = [self.value[a] for a in operands]
        typed = ", ".join(f"{VECTOR} {a}" for a in x)
        twice = halves(self.tape, name, operands)
        if twice is not None:
            made = self.half_power(x[0], twice)
        elif name in ARITHMETIC:
            made = self.put(f"{ARITHMETIC[name]} {VECTOR} {x[0]}, {x[1]}")
        elif name == "neg":
            made = self.put(f"fneg {VECTOR} {x[0]}")
        elif name in COMPARISONS:
            made = self.number(f"fcmp {COMPARISONS[name]} {VECTOR} {x[0]}, {x[1]}")
        elif name in ("and", "or"):
            made = self.number(f"{name} {FLAGS} {self.flag(x[0])}, {self.flag(x[1])}")
        elif name == "not":
            made = self.number(f"fcmp oeq {VECTOR} {x[0]}, zeroinitializer")
        elif name == "where":
            made = self.put(f"select {FLAGS} {self.flag(x[0])}, {VECTOR} {x[1]}, {VECTOR} {x[2]}")
        elif name in ("min", "max"):
            order = self.put(f"fcmp {'olt' if name == 'min' else 'ogt'} {VECTOR} {x[0]}, {x[1]}")
            either = self.put(f"select {FLAGS} {order}, {VECTOR} {x[0]}, {VECTOR} {x[1]}")
            unordered = self.put(f"fcmp uno {VECTOR} {x[0]}, {x[0]}")
            made = self.put(f"select {FLAGS} {unordered}, {VECTOR} {x[0]}, {VECTOR} {either}")
        elif name == "sign":
            up, down = (self.number(f"fcmp {side} {VECTOR} {x[0]}, zeroinitializer") for side in ("ogt", "olt"))
            made = self.put(f"fsub {VECTOR} {up}, {down}")
        elif name in INTRINSICS:
            made = self.put(f"call {VECTOR} @{INTRINSICS[name]}.v{WIDTH}f64({typed})")
        elif name in self.tables:
            made = self.put(f"call {VECTOR} @{name}({typed})")
        else:
            made = self.put(f"call {VECTOR} @v_{name}({typed})")
        self.value[result] = made

    def half_power(self, x: str, twice: int) -> str:
        """x^(twice/2) for an odd number of halves."""
        root = f"llvm.sqrt.v{WIDTH}f64"
        inverted, count = factors(twice)
        made = self.put(f"call {VECTOR} @{root}({VECTOR} {x})")
        for _ in range(count):
            made = self.put(f"fmul {VECTOR} {made}, {x}")
        return self.put(f"fdiv {VECTOR} {splat(1.0)}, {made}") if inverted else made

    def flag(self, x: str) -> str:
        """A number as a condition."""
        return self.put(f"fcmp une {VECTOR} {x}, zeroinitializer")

    def number(self, condition: str) -> str:
        """A condition as a number."""
        return self.put(f"select {FLAGS} {self.put(condition)}, {VECTOR} {splat(1.0)}, {VECTOR} zeroinitializer")


def splat(value: float) -> str:
    """A constant in every lane."""
    return "<" + ", ".join([f"double 0x{struct.pack('>d', value).hex().upper()}"] * WIDTH) + ">"
