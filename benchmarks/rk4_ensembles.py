"""RK4 steps of a 7-joint chain, many runs at once, next to MuJoCo's rollout on all cores."""

import os

import mujoco
import numpy as np
from _cases import best, in_mjcf, in_vinculum, random_tree, report
from mujoco import rollout

import vinculum as vc

STEP, STEPS, RUNS = 1e-3, 200, 2048


def main() -> None:
    links = random_tree(7, chain=True)
    rng = np.random.default_rng(2)
    q, v = 0.5 * rng.normal(size=(2, RUNS, 7))
    system = in_vinculum(links)
    until = STEP * STEPS

    def ours(runs):
        return vc.ensemble(system, until, (q[:runs], v[:runs]), method="rk4", step=STEP)

    ours(16)
    final = ours(RUNS)
    vinculum_rate = RUNS * STEPS / best(lambda: ours(RUNS), 5)
    model = mujoco.MjModel.from_xml_string(in_mjcf(links, STEP))
    threads = os.cpu_count() or 1
    start = np.hstack([np.zeros((RUNS, 1)), q, v])
    datas = [mujoco.MjData(model) for _ in range(threads)]
    count = RUNS // 8
    with rollout.Rollout(nthread=threads) as pool:

        def theirs():
            return pool.rollout(model, datas, start[:count], nstep=STEPS)

        states, _ = theirs()
        mujoco_rate = count * STEPS / best(theirs, 5)
    error = np.abs(states[:, -1, 1:8] - final.q[:count, -1]).max()
    report("rk4_ensembles", [{"chain": "7 joints", "vinculum steps/s": vinculum_rate, "mujoco steps/s": mujoco_rate,
                              "ratio": vinculum_rate / mujoco_rate, "target": 15.0, "difference": error}])  # fmt: skip


if __name__ == "__main__":
    main()
