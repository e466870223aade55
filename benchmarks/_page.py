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
    "symplectic_solar_system",
    "pair_loop",
    "rigid_molecules",
    "affine_bodies",
    "soft_cubes",
    "free_bodies",
    "blocks_at_rest",
    "free_bodies_targets",
    "many_spheres",
    "contact_problems",
    "bouncing_runs",
    "legs",
    "narrow_phase",
    "broad_phase",
    "derive_pendulum",
    "geometry",
    "mesh_moments",
    "lyapunov",
    "quantum_states",
    "startup",
    "first_motion",
    "first_motion_wheel",
    "long_trees",
    "long_tree_batches",
    "long_runs",
    "long_constrained_runs",
    "streamed_memory",
    "page_frames",
)
WORDS = {
    "contact_problems": "## Recorded contact problems\n\n[Twenty problems as files](contact/problems.md), by every method "
    "from zero impulses; those "
    "with factorizations begin after thirty sweeps and are not tried beyond a thousand contacts. A cell has iterations (sweeps, gradient "
    "steps or factorizations) and CPU time where the residual is reached, else iterations and the residual; a dash if a "
    "method is not tried "
    "or its impulses are not finite. Plain sweeps are called one by one from Python, so their times are upper bounds.",
    "bouncing_runs": "## Runs that bounce and slide\n\nTen thousand runs of five spheres on a rough floor (e = 0.5, μ = 0.3), by "
    '`vc.ensemble(…, method="moreau")` on all cores, next to a loop of `vc.simulate`. Every run has the same velocities as alone, to the '
    "last bit. The ratio is the median of alternating pairs.",
    "legs": "## Legs on a height field\n\nA hundred free trunks with three hinges, two capsules and a foot each fall on a "
    "height field, fold and "
    "come to rest: blocks over tables, next to MuJoCo with elliptic cones and Newton's method. Penetrations are those of the engines' "
    "own gaps. MuJoCo's model is one and runs on one core, and so does ours: CPU times count. The target is not met. No part of "
    "our steps dominates: forces that are consistent with the velocities after impulses take 28 % of them, sweeps and residuals 19 %, "
    "distances from the height field 18 %, rows and inverse masses 10 %, memory of records 10 %, and near pairs 6 %. Without impulses and "
    "without the height field, a step would still take as long as one of MuJoCo.",
    "long_tree_batches": "### Batches of long trees\n\nForward dynamics of trees of 500 hinges, next to Pinocchio's `aba` in a loop and "
    "`abaInParallel`; the faster one counts. Links that are alike are one function of the machine code, which is called for "
    "each of them. A "
    "dash for compiling: the code was in the disk cache.",
    "page_frames": "## Frames of a page\n\nA thousand bodies that swing and tumble, each in its own way, with a thousand frames, on "
    "[the page in space](viewing.md) of 590 × 510 pixels in Chromium without a window. The renderer is that of this machine; SwiftShader "
    "draws on processors. A page draws less while it plays where thirty frames a second are not reached.",
    "mesh_moments": "## Moments of a mesh\n\nA torus with a wave on it, as arrays of corners and triangles. The first row has the "
    "check that every edge is closed, the orientation and shells, and mass, center and inertia; trimesh tests for closed edges and "
    "computes the same moments.",
    "affine_bodies": "## Affine bodies over tables\n\nFree bodies of one neo-Hookean material, each with twelve coordinates, on one "
    "core. C is written by hand over structures of arrays and compiled with `-O3 -march=native -ffast-math -fopenmp`. Rates are the whole "
    "right-hand side of a run: gathered by index, with the energy differentiated, and written back. Steps of Störmer and Verlet keep "
    "every state and its rates for the dense output. C takes them twice: with the same kept, and with the last state alone. Both of "
    "its rows stand beside the same steps of ours: what is kept, four megabytes a step, takes most of the time, so that "
    "against C that keeps nothing ours are ten times slower.",
    "soft_cubes": "## Affine cubes in contact\n\nStacks of four cubes of 1 kg and 0.2 m on a rough floor, in steps of 1 ms: affine ones "
    "of a neo-Hookean material next to rigid ones. They fall some millimeters with random velocities, hit each other, turn and slide; or "
    "they begin at rest. The time of a step is the difference of a long and a short run. Rigid cubes run in the loop of free bodies, "
    "affine ones over tables. At rest, affine cubes sink and swing, and are swept in every step. Rigid ones are not: impulses that "
    "leave no velocity are an exact solution there. So the target refers to cubes that move.",
    "many_spheres": "## A hundred thousand spheres\n\nSpheres that fall into a box for half a second, in steps of 5 ms. The run is written "
    "to a folder while it proceeds. Peak memory is that of the whole process, with description, model, compiled code and records.",
    "lyapunov": "## Lyapunov spectra\n\nAll four exponents of double pendulums from random starts, 100 s each with tolerance 1e-9, in one "
    "call. SciPy's DOP853 runs a few of them over the same equations with deviations, written in NumPy, and is scaled to all.",
    "geometry": "## Christoffel symbols and curvature\n\nΓ and R_ijkl of an arm with hinges about z, y and x in turn. The "
    "first row is the time from the description to numbers at all places, with tracing and compiling. SymPy's formulas "
    "are differentiated, shared by `cse` and lambdified; ours is called as a user calls it, with the check that g is "
    "positive definite at every place.",
    "quantum_states": "## Quantum states on a surface\n\nThe lowest states of a particle on a torus of revolution: by biquadratic "
    "finite elements with their matrices, the factors of the shifted operator and Lanczos' method, and by a Fourier expansion that is "
    "refined until two agree to 1e-8. The times contain the second, coarser computation that estimates the errors, which are relative to "
    "the largest level.",
    "forward_dynamics": "## Forward dynamics in batches\n\nRandom 3-D trees of hinges, 8192 states at a time, compared with Pinocchio"
    " with its fastest joint type: `aba` called in a Python loop, and `abaInParallel` with one thread per core. "
    "The ratio refers to the faster of the two. Ours is `vc.forward_dynamics(system, q, v, tau, out)` as a user "
    "calls it, including its checks. Both sides write into existing arrays. All run alternately, and the shortest"
    " of many times counts. `of kernel` is the rate of this call relative to the bare machine code on the same numbers, "
    "stacked beforehand; the target is 0.85.\n\nLimits, from instruction counts and the clock: with 7 joints a block of eight "
    "states takes about 1290 cycles, and its transpositions 150 more. Of these, 980 are vector multiplications, "
    "which one core issues at one per cycle, and 140 are those of sines and cosines. With 30 joints it takes 9600"
    " cycles for 7000 multiplications; the live values exceed the first-level cache.",
    "inverse_dynamics": "## Inverse dynamics in batches\n\nThe same trees by Telegin's equations, compared with Pinocchio's `rnea` in"
    " a Python loop and `rneaInParallel` with one thread per core. The ratio refers to the faster of the two. "
    "Ours is `vc.inverse_dynamics` as a user calls it: with its checks, a new array of forces, and a copy of the "
    "state for wrenches that may be read later.",
    "rk4_ensembles": "## RK4 ensembles\n\nA chain of 7 hinges, 1 ms steps, compared with MuJoCo's `rollout` on all cores with "
    "contacts and constraints off. `difference` is the largest difference of the joint angles after 0.2 s.",
    "rolling_discs": "## Rolling discs\n\nA hundred thousand discs that roll without slip (three constraints on six velocities, "
    "kept to round-off by a projection in every step), 500 steps of RK4. They are compared with the plain forward"
    " dynamics of the same graph: batches of bare evaluations, of which an RK4 step needs four. The ratio is the "
    "median of five alternating pairs. `rolling / free` compares with the same discs in free flight, whose "
    "equations have 111 operations instead of 427 (631 with the projection, once per step): this is the cost of "
    "the constraints themselves. `largest F` is over all discs at the end, including rates.",
    "double_pendulum": "## One run to 1e-12\n\nTen seconds of a double pendulum with tolerance 1e-13, compared with SciPy's DOP853 "
    "over Pinocchio's `aba`. Errors are those of the final angles relative to a solution with 30 digits. The time"
    " of the first call, which compiles, is listed separately.",
    "narrow_phase": "## Distances of shapes\n\n2000 pairs in random attitudes, 0.1 to 15 mm apart, compared with the collision "
    "library coal. Ours is compiled with the time steps and finds all contacts of a pair; coal finds one "
    "distance. Coal is called from Python; the least cost of a call is measured with two spheres and subtracted. "
    "Differences are those of the smallest gap. Boxes, rocks and cylinders keep a face if it is within 1/1000 of "
    "their size of the best direction, so that contacts persist; then our gap is the lower one. The remaining "
    "differences are coal's own tolerance of 1e-6. `touching` and `10 mm nearer` are our times for the same "
    "pairs, with the first shape moved toward the second by their distance and 1 µm or 10 mm. Penetrating pairs "
    "are searched from two directions, and rocks over all their edges.\n\nCoal is faster for two rocks, and equal"
    " or slightly slower for a rock with a box, a capsule or a sphere. Our time of 1.5 µs for two rocks consists "
    "of (estimated by leaving out the later parts): the transformation of 18 corners and 28 faces into one frame,"
    " about 0.25; the best face, 0.25; eight iterations of the search for the nearest points, 0.5; and the "
    "manifold (clipped faces, or parallel lines), which coal does not compute, 0.4. Coal is not used because it "
    "has no interface that compiled steps could call for each pair, and because contacts of faces need more than "
    "a distance.",
    "broad_phase": "## Broad phase\n\nThe search for close pairs in a lattice of spheres that nearly touch, and of spheres of "
    "sizes 1 to 10 at the same positions; bytes of all arrays of time steps per body; the growth exponent of the "
    "search from row to row.",
    "derive_pendulum": "## Deriving equations\n\nThe 15-link pendulum on a cart with all masses and lengths as symbols, compared "
    "with SymPy's own `n_link_pendulum_on_cart` (`KanesMethod`) and `lambdify(cse=True)`. Both sides have derived"
    " a small system before, so imports are not counted, and our compilation starts with an empty cache. SymPy's "
    "angles are relative to the vertical, ours between links; the accelerations agree after that linear map. One "
    "call is a call from Python and includes the solution for the accelerations (`numpy.linalg.solve` on SymPy's "
    "side). SymPy's side of the batch is a loop of such calls.",
    "closed_loops": "## Closed loops\n\nA planar four-bar and two parallelograms in series (IFToMM A02, which pass the collinear "
    "position) over 10 s, compared with Exudyn: rigid bodies in the plane with hinges, generalized-α with "
    "modified Newton and its own dense solver. Each takes as many steps as an error of 1e-8 in the first bar's "
    "angle requires. Exudyn's Newton iterations do not always converge at the singular positions; then the most "
    "accurate completed run is shown. Compilation is listed separately.",
    "constrained_runs": "## Nonholonomic runs\n\nA thin disc that wobbles as it rolls, Chaplygin's sleigh, and a driven snakeboard, "
    "over 100 s to an error of 1e-10 in position and heading at the end, relative to SymPy's equations by Taylor "
    "series in quadruple precision. The peer is SymPy's `KanesMethod` with the fewest speeds, in SciPy's "
    "`solve_ivp` with the loosest tolerance that reaches the error. `as documented`: matrix and forcing by "
    "`lambdify(cse=True)`, `numpy.linalg.solve` at every call, DOP853. `tuned`: the rates solved symbolically and"
    " lambdified to plain floats, LSODA or DOP853. Times are wall time, or processor time if that is less, the "
    "best of seven alternating runs. Ours is a whole `vc.simulate` with its checks, assembly, monitoring of "
    "singular positions and dense output, after the first call has compiled.\n\nLSODA's multistep formulas need "
    "few evaluations at these tolerances. The sleigh's steps take a tenth of a millisecond: the rest is the fixed"
    " cost of a call, and other work between two calls, which empties the processor's caches, doubles it. The "
    "target refers to the documented way; compared with the tuned peer it is not met.",
    "whipple_bicycle": "## The Whipple bicycle\n\nFour bodies, three hinges, two rolling wheels: deriving the equations, compiling "
    "them (empty cache), the first run, linear equations about upright motion at 5 m/s (the first call, and a "
    "second one), and the difference of matrices and eigenvalues from the published digits (Meijaard, "
    "Papadopoulos, Ruina and Schwab 2007).",
    "symplectic_solar_system": "## The outer solar system by splitting\n\nThe same bodies over 10 000 years in Jacobi's coordinates, by "
    "symplectic splitting into Kepler's motions and kicks (`vc.hamiltonian.integrate_perturbed`), compared with REBOUND's methods of the "
    "same orders, coefficients and steps, with its safe mode off. A method (a, b, c) has the error ε hᵃ + ε² hᵇ + ε³ hᶜ. Energy errors are "
    "the largest of the same 200 instants, relative. Ours is the whole call with its checks; the first call, which compiles and records "
    "200 instants, is listed separately.",
    "outer_solar_system": "## The outer solar system\n\nSun and five planets over 10 000 years (Hairer, Lubich and Wanner, I.2.4), "
    "compared with heyoka's own `model.nbody` compiled without compact mode, with and without dense output, and "
    "with SciPy's DOP853 at its tightest tolerance (100 years, times 100). A `Motion` always has dense output, so"
    " the first row is the direct comparison; the second shows the cost of dense output. Ours is compiled with "
    "`thorough=True`; `quickly compiled` is the default for such a short run. Compilation is listed "
    "separately.\n\nheyoka's stepping function is machine code and is called here in a compiled loop that writes "
    "the coefficients directly to the motion, so dense output costs less than heyoka's own. The best of nine runs"
    " is shown: 77 MB of coefficients are written to memory of an earlier run (up to 96 MiB are kept for reuse). "
    "A first run takes longer by the time in which the system fills that memory with zeros.",
    "pair_loop": "## Pairs\n\nAll accelerations of 1000 and 4000 gravitating points, compared with C loops compiled with `gcc "
    "-O3 -march=native -ffast-math -fopenmp`, one over all ordered pairs and one over each pair once; the ratio "
    "refers to the faster of the two. Ours is traced from the user's Python function of two bodies, visits each "
    "pair once, divides and takes roots exactly, and gives the same bits on any number of cores.",
    "rigid_molecules": "## Rigid molecules\n\nRates of 4000 rigid molecules with three charges and a Lennard-Jones site each, within a "
    "cutoff of 0.9 nm, compared with a C loop compiled with `gcc -O3 -march=native -ffast-math -fopenmp` over the same list of pairs. Ours "
    "runs on one core; C on one and on two.",
    "free_bodies": "## Boxes of spheres\n\nSpheres of radius 0.05 m and density 1000 on a lattice of pitch 0.12 m with offsets "
    "of ±5 mm, the lowest at 0.1 m, fall into an open box 0.12 n wide (n = 5, 10, 17), μ = 0.3, no restitution, 2"
    " s (from 5000 spheres on, and with a residual of 1e-8: 1 s). Times are seconds of wall and processor time "
    "per simulated second of stepping, without setup. Penetration is measured in the same way for all, from "
    "positions at the ends of steps, and for us also before the correction of penetration.\n\nThe contact of "
    "MuJoCo 4.0 and of PyBullet 3.2.7 (maximal coordinates) is compliant or corrected over time, so their "
    "penetration depends on settings: `ell-CG` are MuJoCo's defaults with elliptic cones and conjugate gradients,"
    " `stiff` its hardest contact for the step by Newton's method. Siconos 4.4 solves the set-valued law as we "
    "do; this is Debian's build with assertions, so ratios to it are weak evidence. Our residual is the "
    "larger of that of the natural map, ‖λ − P(λ − ρu)‖/‖λ‖ with ρ = 1/diag W, and of 1/200 of the worst contact "
    "on the scale of its own bodies, |g| h + |Δv|; theirs is their own. Runs over a limit of 20 to 150 s "
    "were cut and are marked.",
    "blocks_at_rest": "### A block, a stack and a ball\n\nSTICK: a block of 0.4 × 0.4 × 0.2 m on a slope of 20°, μ = 0.5, 1 s: "
    "velocity over the second half and the largest slip. STACK: ten unit cubes, μ = 0.5: drift of the uppermost. "
    "BALL: e = 0.8 from 1 m, the worst of its first ten impacts; MuJoCo's spring and damper are fitted to the "
    "first bounce, PyBullet is tuned (no correction of penetration, contacts dropped at 0.1 mm).",
    "free_bodies_targets": "### Targets\n\nWhy does 1e-6 cost so much more than 1e-4 in a box of a thousand spheres? Of 2900 contacts "
    "within reach about 2200 are active, and 900 of these slide while the box settles. Fix the status of all "
    "contacts (sticking, sliding, open) at one instant. The matrix of the free impulses, of order 5000 and scaled"
    " to a unit diagonal, then has 27 zero singular values, 12 more below 1e-3 and 118 more below 1e-2, spread "
    "over hundreds of contacts. Since friction is not a gradient, it also has three negative eigenvalues. Its own"
    " solution would change impulses by several times their size, so that hundreds of contacts change their "
    "status. From one step to the next impulses change by a quarter to a half, so a warm start saves "
    "little.\n\nOn 21 recorded steps, after 1000 sweeps, the residual stays between 1e-6 and 3e-6 for thousands "
    "more: 14 of them need 300 to 11 000 sweeps with momentum, the others more than 20 000. The following are not"
    " faster: symmetric sweeps, alternating long and short momentum, averages, extrapolation along drifts, "
    "Anderson acceleration, accelerated sweeps of De Saxcé's convex problem (which converge in 400, but diverge "
    "when the sliding velocities are updated), conjugate and biconjugate gradients (150 to 400 iterations for one"
    " digit, with fixed status), interior-point and Newton's methods (20 to 45 factorizations of 65 ms).",
    "startup": "## Starting\n\nNew processes with a warm disk cache.",
    "first_motion": "## First certified motion\n\nCPU-seconds of a new process that simulates and audits, including imports: "
    "`cold` with an empty home, `warm` again with the files left there. Processor time is used because the "
    "machine is shared, and the best of two runs counts. In a clone:",
    "first_motion_wheel": "With a wheel that ships compiled kernels (`make wheel`), installed in a new environment. The wheel of these "
    "rows has 7.9 MB, two thirds of which are the kernels (18 MB when installed), and was built in 205 CPU-seconds:",
    "long_trees": "## Long chains\n\nChains of hinges whose axes alternate: CPU-seconds of a run and an audit, first in a new process "
    "that has compiled kernels but has never seen these equations, then once more. A warm audit is that of a new motion; it should take "
    "at most a second longer than its run. In a tenth of a second the links in the middle of the longest chain move by less than the error "
    "that its tolerance of 1e-8 admits in their neighbors, so the laws of these links stay undecided; they need a smaller tolerance.",
    "long_runs": "## Ten thousand periods\n\nRelative energy drift of the Taylor engine.",
    "long_constrained_runs": "## Long runs under constraints\n\nA million fixed steps, and a hundred thousand steps of Taylor series. "
    "`largest F` is the largest violation of any constraint, or of its rate, over all states at the ends of "
    "steps.",
    "streamed_memory": "## Streamed runs\n\nPeak memory of a run that writes its steps to a folder; it does not grow with the "
    "length.",
}


def cell(x) -> str:
    return "–" if x is None else f"{x:.3g}" if isinstance(x, float) else str(x)


def main() -> None:
    parts = ["# Benchmarks\n\n`make bench` writes this page: each script in `benchmarks/` prints its table and writes JSON, and "
             "`benchmarks/_page.py` collects them here. Every ratio is measured in one run together with the peer."]  # fmt: skip
    found = {name: HERE / "results" / f"{name}.json" for name in ORDER}
    tables = {name: json.loads(path.read_text()) for name, path in found.items() if path.exists()}
    newest = max(tables.values(), key=lambda data: data.get("date", ""), default={})
    for name, data in tables.items():
        columns = list(data["rows"][0])
        table = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
        table += [f"| {' | '.join(cell(row[c]) for c in columns)} |" for row in data["rows"]]
        older = (
            "" if _made(data) == _made(newest) else f"*These rows were made {_made(data)}{data.get('note', '')}.*\n\n"
        )
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
