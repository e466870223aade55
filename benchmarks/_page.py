"""Writes docs/benchmarks.md from the JSON that the benchmarks left in benchmarks/results."""

import json
from pathlib import Path

HERE = Path(__file__).parent
ORDER = (
    "forward_dynamics",
    "inverse_dynamics",
    "rk4_ensembles",
    "rolling_discs",
    "double_pendulum",
    "closed_loops",
    "constrained_runs",
    "whipple_bicycle",
    "outer_solar_system",
    "pair_loop",
    "free_bodies",
    "blocks_at_rest",
    "free_bodies_targets",
    "narrow_phase",
    "broad_phase",
    "derive_pendulum",
    "startup",
    "first_motion",
    "first_motion_wheel",
    "long_runs",
    "long_constrained_runs",
    "streamed_memory",
)
WORDS = {
    "forward_dynamics": "## Forward dynamics in batches\n\nRandom 3-D trees of hinges, 8192 states at a time, next to Pinocchio with "
    "its fastest joint type: `aba` called in a Python loop, and `abaInParallel` with one thread for each core. The ratio is "
    "taken to the faster of the two. Ours is `vc.forward_dynamics(system, q, v, tau, out)` as a user calls it, with "
    "its checks; both sides write into arrays that exist already. All take turns, and the shortest of many turns counts.\n\nWhat limits "
    "us, from instruction counts and the clock: with 7 joints a block of eight states takes about 1290 cycles and its transpositions 150 "
    "more; 980 are vector multiplications, which one core issues at one a cycle, and 140 those of sines and cosines. With 30 joints it "
    "takes 9600 cycles for 7000 multiplications; the values alive at once exceed the first-level cache.",
    "inverse_dynamics": "## Inverse dynamics in batches\n\nThe same trees by Telegin's equations, next to Pinocchio's `rnea` in a Python "
    "loop and `rneaInParallel` with one thread for each core; the ratio is taken to the faster of the two. ours is "
    "`vc.inverse_dynamics` as a user calls it: with its checks, a new array of forces, and a copy of the state in which wrenches can be "
    "looked up later.",
    "rk4_ensembles": "## RK4 ensembles\n\nA chain of 7 hinges, 1 ms steps, next to MuJoCo's `rollout` on all cores with contacts and "
    "constraints off. `difference` is the largest difference of the joint angles after 0.2 s.",
    "rolling_discs": "## Rolling discs\n\nA hundred thousand discs that roll without slipping (three constraints on six "
    "velocities, kept to round-off by a projection in every step), 500 steps of RK4, next to the plain forward dynamics of the same "
    "graph: batches of bare evaluations, of which a step of RK4 needs four. The ratio is the median of five pairs taken in turn. "
    "`rolling / free` compares with the same discs flying freely, whose equations are 111 operations in place of 427 (631 with the "
    "projection, once a step): that is what the constraints themselves cost. `largest F` is over all discs at the end, rates included.",
    "double_pendulum": "## One run to 1e-12\n\nTen seconds of a double pendulum with tolerance 1e-13, next to SciPy's "
    "DOP853 over Pinocchio's `aba`. Errors are those of the final angles against a solution with 30 digits. The time of the "
    "first call, which compiles, stands apart.",
    "narrow_phase": "## Distances of shapes\n\n2000 pairs in random attitudes, 0.1 to 15 mm apart, next to the collision library "
    "coal. Ours is compiled with the time steps and finds all contacts of a pair, coal one distance (called from Python; what a "
    "call costs at least is measured with two spheres and taken off). Differences are those of the least gap: boxes, rocks and "
    "cylinders keep a face as long as it is within 1/1000 of their size of the best direction, so that contacts last, and then our gap "
    "is the lower one; beyond that, what is left is coal's own tolerance of 1e-6. `touching` and `10 mm nearer` are our times for the same "
    "pairs, the first shape moved toward the second by their distance and 1 µm or 10 mm; pairs inside each other are searched from two "
    "directions, and rocks over all their edges. Coal is quicker for two rocks, and as much or a little more for a rock with a box, a "
    "capsule or a sphere. What limits us there, of 1.5 µs for two rocks (estimated from the time without what follows): turning "
    "18 corners and 28 "
    "faces into one frame takes about 0.25, the best face 0.25, eight rounds of the search for the nearest points 0.5, and the manifold "
    "(clipped faces, or parallel lines), which coal does not look for, 0.4. Coal is not used because it has no interface that compiled "
    "steps could call for each pair, and because contacts of faces need more than a distance.",
    "broad_phase": "## Near pairs\n\nThe search for near pairs in a lattice of spheres that nearly touch, and of spheres of sizes 1 to 10 "
    "in the same places; bytes of all arrays of time steps for each body; the exponent with which the search grows from row to row.",
    "derive_pendulum": "## Deriving equations\n\nThe 15-link pendulum on a cart with all masses and lengths as symbols, next to SymPy's "
    "own `n_link_pendulum_on_cart` (`KanesMethod`) and `lambdify(cse=True)`; both sides have derived a small system before, so "
    "imports are not counted, and our compilation starts with an empty cache. SymPy's angles are against the vertical, ours "
    "between links; the accelerations agree after that linear map. One call is a call from Python and includes solving for the "
    "accelerations (`numpy.linalg.solve` on SymPy's side); SymPy's side of the batch is a loop of such calls.",
    "closed_loops": "## Closed loops\n\nA planar four-bar and two parallelograms in a row (IFToMM A02, which pass the position where all "
    "bars lie on one line) over 10 s, next to Exudyn: rigid bodies in the plane with hinges, generalized-α with modified Newton and its "
    "own dense solver. Each takes as many steps as an error of 1e-8 in the first bar's angle needs; Exudyn's Newton iterations do not "
    "always survive the singular positions, and then the most accurate run that did is shown. Compilation is shown apart.",
    "constrained_runs": "## Nonholonomic runs\n\nA thin disc that wobbles as it rolls, Chaplygin's sleigh, a driven snakeboard, over "
    "100 s to an error of 1e-10 in place and heading at the end, measured against SymPy's equations by Taylor series in quadruple "
    "precision. The peer: SymPy's `KanesMethod` with the fewest speeds, in SciPy's `solve_ivp` with the loosest tolerance that reaches "
    "the error; `as documented`: matrix and forcing by `lambdify(cse=True)`, `numpy.linalg.solve` at every call, DOP853; `tuned`: the "
    "rates solved for symbolically and lambdified to plain floats, LSODA or DOP853. Time by the clock, or processor time where that is "
    "less, the best of seven runs taken in turn; ours is a "
    "whole `vc.simulate` with its checks, assembly, watch on singular positions and dense output, after the first call has compiled. "
    "LSODA's multistep formulas ask for few evaluations at these tolerances, and the sleigh's steps take a tenth of a millisecond: what "
    "remains there is the fixed cost of a call, and other work between two calls, which empties the processor's caches, doubles it. The "
    "target is meant next to the documented way; next to the tuned peer it is not met.",
    "whipple_bicycle": "## The Whipple bicycle\n\nFour bodies, three hinges, two wheels that roll: deriving the equations, compiling them "
    "(an empty cache), the first run, linear equations about upright motion at 5 m/s (the first call, and one more), and how far "
    "its matrices and eigenvalues are from the published digits (Meijaard, Papadopoulos, Ruina and Schwab 2007).",
    "outer_solar_system": "## The outer solar system\n\nSun and five planets over 10 000 years (Hairer, Lubich and Wanner, I.2.4), next to "
    "heyoka's own `model.nbody` compiled without compact mode, with and without dense output, and to SciPy's DOP853 at its tightest "
    "tolerance (100 years, times 100). A `Motion` always keeps dense output, so the first row compares "
    "like with like; the second shows what keeping it costs. "
    "Ours is compiled with `thorough=True`; `quickly compiled` is the default for a run as short as this. Compilation is shown apart. "
    "heyoka's stepping function, which it hands out as machine code, is called here in a compiled loop that writes the coefficients where "
    "the motion keeps them, so dense output costs less than heyoka's own. The best of nine runs is shown: 77 MB of coefficients are "
    "written to memory that a run before has left (up to 96 MiB are kept for that), and a first run takes longer by the time in which the "
    "system fills as much with zeros.",
    "pair_loop": "## Pairs\n\nAll accelerations of 1000 and 4000 gravitating points, next to C loops compiled with `gcc -O3 -march=native "
    "-ffast-math -fopenmp`, one over all ordered pairs and one that takes each pair once; the time is taken over the quicker of the two. "
    "Ours is traced from the user's Python function of two bodies, takes each pair once, divides and takes roots exactly, and gives the "
    "same bits on any number of cores.",
    "free_bodies": "## Boxes of spheres\n\nSpheres of radius 0.05 m and density 1000 on a lattice of pitch 0.12 m with offsets of ±5 mm, "
    "the lowest 0.1 m up, fall into an open box 0.12 n wide (n = 5, 10, 17), μ = 0.3, no restitution, 2 s (from 5000 spheres "
    "on, and with a residual of 1e-8: 1 s). "
    "Seconds of the clock and of the processors for a simulated second of stepping; setting up is not counted on any "
    "side. Penetration is measured in the same way for all, from places at ends of steps, and for us also before bodies are"
    " moved apart. The contact of MuJoCo 4.0 and of PyBullet 3.2.7 (maximal coordinates) is compliant or corrected with "
    "time, so their penetration is a choice of settings: `ell-CG` are MuJoCo's defaults with elliptic cones and conjugate "
    "gradients, `stiff` its hardest contact for the step by Newton's method. Siconos 4.4 solves the set-valued law as we "
    "do; this is Debian's build, which keeps its assertions, so ratios to it are weak evidence. Our residual is that of the"
    " natural map, ‖λ − P(λ − ρu)‖/‖λ‖ with ρ = 1/diag W, theirs is their own. Runs over a limit of 20 to 150 s were cut and"
    " are marked.",
    "blocks_at_rest": "### A block, a stack and a ball\n\nSTICK: a block of 0.4 × 0.4 × 0.2 m on a slope of 20°, μ = 0.5, "
    "1 s: speed over the"
    " second half and the largest slip. STACK: ten unit cubes, μ = 0.5: drift of the uppermost. BALL: e = 0.8 from 1 m, the"
    " worst of its first ten impacts; MuJoCo's spring and damper are fitted to the first bounce, PyBullet is tuned (no "
    "correction of penetration, contacts dropped at 0.1 mm).",
    "free_bodies_targets": "### What was to be reached\n\nWhy 1e-6 costs so much more than 1e-4 in a box of a thousand spheres: "
    "of 2900 contacts within reach about 2200 press and 900 of these slide while the box settles. With the contacts that stick, slide and "
    "open held as they are, the matrix of the impulses that are free (of order 5000, scaled to a unit diagonal, at one "
    "instant) has 27 zeros among its singular values, 12 more below 1e-3 and 118 more below 1e-2, spread over hundreds of "
    "contacts, and, since friction is not a gradient, three negative eigenvalues: its own solution would change impulses by"
    " several times their size, so that hundreds of contacts change what they do. From one step to the next impulses change"
    " by a quarter to a half, so that a start from those before saves little. On 21 steps that were written down, with 1000 "
    "sweeps behind them, the residual stays between 1e-6 and 3e-6 for thousands more: 14 of them need 300 to 11 000 sweeps with "
    "momentum, the others more than 20 000. Sweeps forth and back, longer momenta in turns with shorter ones, averages, leaps along what "
    "drifts, Anderson's acceleration, accelerated sweeps of De Saxcé's convex problem (which settle in 400, but go astray with new speeds "
    "of slip), conjugate and biconjugate "
    "gradients (150 to 400 iterations for one digit, on contacts held as they are), interior points and Newton's methods "
    "(20 to 45 factorizations of 65 ms) are not quicker.",
    "startup": "## Starting\n\nNew processes with a warm disk cache.",
    "first_motion": "## First certified motion\n\nCPU-seconds of a new process that simulates and audits, imports and all: `cold` with an "
    "empty home, `warm` once more with what that left there. The time is that of the processor, since the machine is shared. In a clone:",
    "first_motion_wheel": "With a wheel that ships compiled kernels (`make wheel`), installed in a new environment:",
    "long_runs": "## Ten thousand periods\n\nRelative energy drift of the Taylor engine.",
    "long_constrained_runs": "## Long runs under constraints\n\nA million fixed steps, and a hundred thousand of Taylor series; "
    "`largest F` is the largest "
    "violation of any constraint, or of its rate, over all states at the ends of steps.",
    "streamed_memory": "## Streamed runs\n\nPeak memory of a run that streams its steps to a folder; it does not grow with the length.",
}


def cell(x) -> str:
    return "–" if x is None else f"{x:.3g}" if isinstance(x, float) else str(x)


def main() -> None:
    parts = ["# Benchmarks\n\nMade by `make bench` (each script in `benchmarks/` prints its table and writes JSON; "
             "`benchmarks/_page.py` puts them on this page). Every ratio is measured in one run next to the peer."]  # fmt: skip
    found = {name: HERE / "results" / f"{name}.json" for name in ORDER}
    tables = {name: json.loads(path.read_text()) for name, path in found.items() if path.exists()}
    newest = max(tables.values(), key=lambda data: data.get("date", ""), default={})
    for name, data in tables.items():
        columns = list(data["rows"][0])
        table = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
        table += [f"| {' | '.join(cell(row[c]) for c in columns)} |" for row in data["rows"]]
        older = "" if _made(data) == _made(newest) else f"*These rows were made {_made(data)}.*\n\n"
        parts.append(f"{WORDS[name]}\n\n{older}" + "\n".join(table))
    if newest:
        machine = newest["machine"]
        parts.insert(1, f"Machine: {machine['cores']} cores, {machine['cpu']}, Python {machine['python']}. Made {_made(newest)}"
                     ", unless a table says otherwise.")  # fmt: skip
    (HERE.parent / "docs" / "benchmarks.md").write_text("\n\n".join(parts) + "\n")


def _made(data: dict) -> str:
    """From which commit a table was made, and when."""
    return (
        f"from commit `{data['commit']}` on {data['date']}"
        if "commit" in data
        else "from an earlier commit, which was not noted"
    )


if __name__ == "__main__":
    main()
