"""Other engines that let bodies meet, behind the same three questions; each is imported in the Python that has it."""

import _free_bodies_scenes as scenes
import numpy as np

WIDE, THICK = 10.0, 1.0


class Engine:
    """Steps of a scene, and the places (n, 3), of the bodies after each; ``note`` says which settings were used."""

    note = ""

    def step(self) -> None:
        raise NotImplementedError

    def places(self) -> np.ndarray:
        raise NotImplementedError

    def residual(self) -> float:
        return float("nan")


class MuJoCo(Engine):
    """MuJoCo with elliptic cones; ``stiff``: contact as hard as its step admits, by Newton's method."""

    def __init__(self, scene: scenes.Scene, stiff: bool = False, rebound: tuple | None = None):
        import mujoco

        self._mujoco = mujoco
        geoms = "".join(
            f'<geom type="plane" size="99 99 .1" pos="{_words(np.asarray(n) * d)}" zaxis="{_words(n)}"/>'
            for n, d in scene.planes
        )
        shape = {"sphere": f'type="sphere" size="{scene.size[0]}"',
                 "box": f'type="box" size="{_words(np.asarray(scene.size) / 2)}"'}[scene.shape]  # fmt: skip
        turned = np.empty(4)
        mujoco.mju_mat2Quat(turned, scene.rotation.ravel())
        bodies = "".join(
            f'<body pos="{_words(p)}" quat="{_words(turned)}"><freejoint/><geom {shape} density="{scenes.DENSITY}"/></body>'
            for p in scene.places
        )
        solver, hard = 'solver="CG"', ""
        if stiff:
            solver = 'solver="Newton" tolerance="1e-12" iterations="200" impratio="100"'
            hard = f'solref="{2 * scene.step} 1" solimp="0.9999 0.9999 0.001 0.5 2"'
        if rebound is not None:
            solver, hard = 'solver="Newton"', f'solref="{-rebound[0]} {-rebound[1]}" solimp="0.99 0.99 0.001 0.5 2"'
        text = (
            f'<mujoco><option timestep="{scene.step}" gravity="0 0 -{scenes.GRAVITY}" cone="elliptic" {solver}/>'
            f'<size memory="1500M"/><default><geom friction="{scene.mu} 0 0" {hard} condim="{3 if scene.mu else 1}"/></default>'
            f"<worldbody>{geoms}{bodies}</worldbody></mujoco>"
        )
        self.model = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self.model)
        way = (
            "stiff: Newton, solref 2h, solimp 0.9999"
            if stiff
            else "spring and damper fitted"
            if rebound
            else "ell-CG, default"
        )
        self.note = f"{mujoco.__version__} {way}"

    def step(self) -> None:
        self._mujoco.mj_step(self.model, self.data)

    def places(self) -> np.ndarray:
        return self.data.qpos.reshape(-1, 7)[:, :3].copy()


class PyBullet(Engine):
    """PyBullet in maximal coordinates with its defaults."""

    def __init__(self, scene: scenes.Scene, iterations: int | None = None):
        import pybullet as p

        self._p = p
        p.connect(p.DIRECT)
        p.setGravity(0, 0, -scenes.GRAVITY)
        p.setPhysicsEngineParameter(fixedTimeStep=scene.step, numSubSteps=0)
        if scene.e:
            p.setPhysicsEngineParameter(restitutionVelocityThreshold=0.0, contactBreakingThreshold=1e-4, contactERP=0.0)
        if iterations:
            p.setPhysicsEngineParameter(numSolverIterations=iterations)
        # Bullet multiplies the coefficients of the two bodies.
        rough = {"lateralFriction": np.sqrt(scene.mu), "restitution": np.sqrt(scene.e), "rollingFriction": 0.0,
                 "spinningFriction": 0.0, "linearDamping": 0.0, "angularDamping": 0.0}  # fmt: skip
        for normal, offset in scene.planes:
            plane = p.createCollisionShape(p.GEOM_PLANE, planeNormal=list(map(float, normal)))
            at = (np.asarray(normal, dtype=float) * offset).tolist()
            body = p.createMultiBody(0, plane, basePosition=at, useMaximalCoordinates=1)
            p.changeDynamics(body, -1, **rough)
        if scene.shape == "sphere":
            shape = p.createCollisionShape(p.GEOM_SPHERE, radius=scene.size[0])
        else:
            shape = p.createCollisionShape(p.GEOM_BOX, halfExtents=[0.5 * s for s in scene.size])
        angle = np.arctan2(scene.rotation[0, 2], scene.rotation[0, 0])
        turned = [0.0, float(np.sin(angle / 2)), 0.0, float(np.cos(angle / 2))]
        self.bodies = []
        for place in scene.places:
            body = p.createMultiBody(
                scene.mass, shape, basePosition=place.tolist(), baseOrientation=turned, useMaximalCoordinates=1
            )
            p.changeDynamics(body, -1, **rough)
            self.bodies.append(body)
        self.note = f"API {p.getAPIVersion()} maximal coordinates, {iterations or 'default'} iterations"

    def step(self) -> None:
        self._p.stepSimulation()

    def places(self) -> np.ndarray:
        return np.array([self._p.getBasePositionAndOrientation(body)[0] for body in self.bodies])


class Siconos(Engine):
    """Siconos: Moreau and Jean's scheme, NSGS to a tolerance, Bullet's detection of contacts."""

    def __init__(self, scene: scenes.Scene, tolerance: float = 1e-4, iterations: int = 1000):
        import siconos.kernel as sk
        import siconos.mechanics.collision.bullet as bullet
        import siconos.numerics as sn

        self._sn = sn
        options = bullet.SiconosBulletOptions()
        outside = 0.0 if scene.shape == "sphere" else 0.1 * min(scene.size)
        options.worldScale, options.contactBreakingThreshold = 1.0, 0.02
        if scene.shape == "sphere":
            options.perturbationIterations = options.minimumPointsPerturbationThreshold = 0
        manager = bullet.SiconosBulletCollisionManager(options)
        self.keep = [manager, options]
        for normal, offset in scene.planes:
            wall = bullet.SiconosContactorSet()
            plane = bullet.SiconosBox(
                WIDE, WIDE, THICK
            )  # its planes are boxes of a kilometre, which let spheres sink in
            plane.setInsideMargin(0.1 * min(scene.size))
            plane.setOutsideMargin(outside)
            wall.append(bullet.SiconosContactor(plane))
            at = [*(np.asarray(normal, dtype=float) * (offset - 0.5 * THICK)), *_turning_z_to(normal)]
            (getattr(manager, "addStaticBody", None) or manager.insertStaticContactorSet)(wall, at)
            self.keep += [wall, plane]
        manager.insertNonSmoothLaw(sk.NewtonImpactFrictionNSL(scene.e, 0.0, scene.mu, 3), 0, 0)
        nsds = sk.NonSmoothDynamicalSystem(0.0, 1e3)
        self.bodies, mass = [], scene.mass
        angle = np.arctan2(scene.rotation[0, 2], scene.rotation[0, 0])
        for place in scene.places:
            if scene.shape == "sphere":
                shape, inertia = bullet.SiconosSphere(scene.size[0]), [0.4 * mass * scene.size[0] ** 2] * 3
            else:
                a, b, c = np.asarray(scene.size) ** 2
                shape, inertia = bullet.SiconosBox(*scene.size), [mass * s / 12 for s in (b + c, a + c, a + b)]
            shape.setInsideMargin(0.1 * min(scene.size))
            shape.setOutsideMargin(outside)
            body = bullet.RigidBodyDS([*place, np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0], [0.0] * 6, mass)
            body.setInertia(np.diag(inertia))
            contactors = bullet.SiconosContactorSet()
            contactors.append(bullet.SiconosContactor(shape))
            body.setContactors(contactors)
            weight = np.array([0.0, 0.0, -mass * scenes.GRAVITY])
            body.setFExtPtr(weight)
            nsds.insertDynamicalSystem(body)
            self.bodies.append(body)
            self.keep += [shape, contactors, weight]
        self.problem = sk.FrictionContact(3, sn.SICONOS_FRICTION_3D_NSGS)
        settings = self.problem.numericsSolverOptions()
        settings.iparam[sn.SICONOS_IPARAM_MAX_ITER], settings.dparam[sn.SICONOS_DPARAM_TOL] = iterations, tolerance
        self.problem.setMStorageType(sn.NM_SPARSE_BLOCK)
        self.problem.setMaxSize(3 * 40 * len(self.bodies))
        self.problem.setKeepLambdaAndYState(True)
        self.problem.setNumericsVerboseMode(False)
        self.simulation = sk.TimeStepping(nsds, sk.TimeDiscretisation(0.0, scene.step))
        osi = sk.MoreauJeanOSI(0.5000001)
        self.simulation.insertIntegrator(osi)
        self.simulation.insertNonSmoothProblem(self.problem)
        self.simulation.insertInteractionManager(manager)
        self.simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
        self.simulation.setNewtonMaxIteration(1)
        self.keep += [nsds, osi, settings]
        self.settings = settings
        self.note = f"Debian's python3-siconos (assertions on), NSGS to {tolerance:g}, at most {iterations} iterations, Bullet's detection"

    def step(self) -> None:
        self.simulation.computeOneStep()
        self.simulation.nextStep()

    def places(self) -> np.ndarray:
        return np.array([np.asarray(body.q())[:3] for body in self.bodies])

    def residual(self) -> float:
        return float(self.settings.dparam[self._sn.SICONOS_DPARAM_RESIDU])


def _words(x) -> str:
    return " ".join(f"{v:.17g}" for v in np.ravel(x))


def _turning_z_to(normal) -> list[float]:
    """The quaternion (scalar first) that turns z to a direction."""
    n = np.asarray(normal, dtype=float)
    if n[2] < -1 + 1e-12:
        return [0.0, 1.0, 0.0, 0.0]
    q = np.array([1.0 + n[2], -n[1], n[0], 0.0])
    return (q / np.linalg.norm(q)).tolist()


ENGINES = {"MuJoCo": MuJoCo, "PyBullet": PyBullet, "Siconos": Siconos}
