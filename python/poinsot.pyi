# SPDX-License-Identifier: MIT
"""Rigid- and multibody dynamics whose every number can be audited.

Arrays are float64 and C-contiguous; what is already so is read in place, other numbers are converted once. What is
returned owns its memory. The GIL is free while numbers are computed. SI units and radians; quaternions are w, x, y, z.

q and v are those of the tree of joints, in the order of Model.joint_order:

    joint or body                  in q                         in v
    revolute, prismatic, screw     coordinate                   its rate
    cylindrical, universal         two coordinates              their rates
    planar                         three coordinates            their rates
    ball                           quaternion                   angular velocity in the axes of the child
    free, and bodies that float    place, then quaternion       velocity and angular velocity in the axes of the body
    particles                      place                        velocity

The place of a body that floats is that of its centre of mass.
"""
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_Numbers = NDArray[np.float64]
_Path = str | PathLike[str]
_Integrator = Literal["explicit_euler", "symplectic_euler", "second_order", "body_frame", "midpoint", "runge_kutta4",
                      "adaptive", "splitting", "gauss", "adams", "bdf", "impulsive"]

class SceneError(ValueError):
    """A file that cannot be used. The text has a line per problem."""
    problems: list[tuple[str, str]]  # place, what

class StepError(RuntimeError):
    """A motion that cannot go on, and why: body, cause and step."""

class Body:
    """A body as described; center and inertia in its own frame, inertia about the centre of mass."""
    @property
    def name(self) -> str: ...
    @property
    def mass(self) -> float: ...
    @property
    def center(self) -> _Numbers: ...
    @property
    def inertia(self) -> _Numbers: ...
    @property
    def particle(self) -> bool: ...

class Joint:
    """A joint as described; a and b are names of bodies, None for the world."""
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def a(self) -> str | None: ...
    @property
    def b(self) -> str | None: ...
    @property
    def lower(self) -> _Numbers: ...
    @property
    def upper(self) -> _Numbers: ...
    @property
    def restitution(self) -> _Numbers: ...

class Frame:
    """A frame of a body: its own, or that of a link of a URDF file. body is None for the world."""
    @property
    def name(self) -> str: ...
    @property
    def body(self) -> str | None: ...
    @property
    def position(self) -> _Numbers: ...
    @property
    def orientation(self) -> _Numbers: ...

class Bodies:
    """Where the bodies are and how they move, one row per body."""
    @property
    def position(self) -> _Numbers: ...  # (n, 3), of the body frames
    @property
    def orientation(self) -> _Numbers: ...  # (n, 4)
    @property
    def center(self) -> _Numbers: ...  # (n, 3), centres of mass
    @property
    def velocity(self) -> _Numbers: ...  # (n, 3), of the centres of mass
    @property
    def angular_velocity(self) -> _Numbers: ...  # (n, 3), world axes
    def __len__(self) -> int: ...

_Shape = str | Mapping[str, Any]

class Shapes:
    """The surfaces of a model where its bodies are at one moment. A shape that is asked about is the name of one of
    them, which then is told of those that it may meet, or a dict: {"ball": radius}, {"box": sides}, {"ellipsoid":
    semi-axes}, {"cylinder": {"radius": r, "height": h}}, likewise "capsule" and "cone", at a position (the origin if
    left out) and orientation. Answers are dicts with the "name" of the surface that was found and its "body", None
    for the world."""
    def __len__(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def bodies(self) -> list[str | None]: ...
    def pose(self, name: str) -> tuple[_Numbers, _Numbers]:
        """Place and quaternion."""
    def ray_cast(self, origin: ArrayLike, direction: ArrayLike, max_distance: float = ...) -> dict[str, Any] | None:
        """What a ray meets first: "distance", "point", "normal" out of the surface."""
    def ray_casts(self, origins: ArrayLike, directions: ArrayLike, max_distance: float = ...) \
            -> tuple[NDArray[np.int64], _Numbers, _Numbers, _Numbers]:
        """Many rays, (n, 3), from one origin or (n, 3): index in names, -1 where nothing is met, distances (inf),
        points and normals (nan)."""
    def shape_cast(self, shape: _Shape, velocity: ArrayLike, duration: float, *, position: ArrayLike | None = None,
                   orientation: ArrayLike | None = None, angular_velocity: ArrayLike | None = None) \
            -> dict[str, Any] | None:
        """What a shape on a straight course touches first while all else stands: "time", never late, "point" and
        "normal" of what is met, and whether the search was "resolved"; else up to "time" all is clear."""
    def overlaps(self, shape: _Shape | None = None, *, position: ArrayLike | None = None,
                 orientation: ArrayLike | None = None) -> list[str] | list[tuple[str, str]]:
        """Names of all that share a point with the shape; without one, all pairs that may meet and overlap."""
    def closest_points(self, shape: _Shape, other: str | None = None, *, position: ArrayLike | None = None,
                       orientation: ArrayLike | None = None, max_distance: float = ...) -> dict[str, Any] | None:
        """The nearest, or another by name: "distance", negative for the depth of an overlap, "point" on the shape,
        "other_point" on what was found, "normal" from one to the other."""

class Contacts:
    """Points of touch, one row each; impulses are those of the last step on b, and the opposite on a. Of penalty
    contact they are the forces at its end times its length."""
    def __len__(self) -> int: ...
    @property
    def names(self) -> list[tuple[str, str]]: ...  # of the surfaces a and b
    @property
    def point(self) -> _Numbers: ...  # (n, 3)
    @property
    def normal(self) -> _Numbers: ...  # (n, 3), from a to b
    @property
    def gap(self) -> _Numbers: ...  # (n,), below zero: depth
    @property
    def impulse(self) -> _Numbers: ...  # (n, 3), N s
    @property
    def moment(self) -> _Numbers: ...  # (n, 3), of torsion and rolling, N m s
    @property
    def slip(self) -> _Numbers: ...  # (n,), m/s
    def by_pair(self) -> dict[tuple[str, str], _Numbers]:
        """The impulse of all points of a pair, on b."""

class Model:
    """What load gives. Dynamics here is of the tree of joints and its masses: springs, dampers, motors and loads of a
    scene act in a Simulation and in rollout. gravity=None is that of the model. `out` is filled and returned."""
    @property
    def title(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def bodies(self) -> list[Body]: ...
    @property
    def joints(self) -> list[Joint]: ...
    @property
    def body_names(self) -> list[str]: ...
    @property
    def joint_names(self) -> list[str]: ...
    @property
    def tank_names(self) -> list[str]: ...
    @property
    def rotor_names(self) -> list[str]: ...
    @property
    def masses(self) -> _Numbers: ...
    @property
    def gravity_vector(self) -> _Numbers: ...
    def geodetic(self, position: ArrayLike, time: float = 0.0) -> _Numbers:
        """Latitude, longitude (rad) and altitude (m) over the round planet of a place in the world, at a time."""
    def cartesian(self, latitude: float, longitude: float, altitude: float, time: float = 0.0) -> _Numbers:
        """The place in the world of a place over the round planet, at a time."""
    def air(self, position: ArrayLike, time: float = 0.0) -> dict[str, Any]:
        """The air at a place of the world: altitude, density, speed_of_sound, its velocity in the world, wind included; of the standard
        atmosphere also pressure, temperature and viscosity. A ValueError where it ends."""
    def gravitation(self, position: ArrayLike) -> _Numbers:
        """What uniform gravity and the planet do at a place of the world, per mass, m/s²."""
    @property
    def flow_names(self) -> list[str]: ...
    @property
    def control_names(self) -> list[str]: ...
    @property
    def cut_names(self) -> list[str]: ...
    @property
    def bushing_names(self) -> list[str]: ...
    @property
    def joint_order(self) -> list[str]:
        """Whose coordinates stand in q and v, in their order: joints, and bodies that float."""
    @property
    def frames(self) -> dict[str, Frame]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def not_used(self) -> list[str]:
        """What a URDF file has and the model does not use."""
    @property
    def redundancy(self) -> dict[str, Any]:
        """Of the joints where the model starts: "rows", those that are independent ("rank"), "ways_to_move" that are left, and
        "repeats", a dict for each joint that says again what "others" say: "name", "repeated" of its "rows", "text"."""
    def body(self, name: str) -> Body: ...
    def joint(self, name: str) -> Joint: ...
    def q_slice(self, name: str) -> slice: ...
    def v_slice(self, name: str) -> slice: ...
    def start(self) -> tuple[_Numbers, _Numbers]: ...
    def displace(self, q: ArrayLike, u: ArrayLike, *, out: _Numbers | None = None) -> _Numbers:
        """q moved by u in the directions of v."""
    def close(self, q: ArrayLike, v: ArrayLike | None = None) -> tuple[_Numbers, _Numbers]:
        """The nearest q at which loops close and gears and prescribed motions are met at the start, measured by the inertias, and the
        nearest v (None: rest) that keeps them so. A ValueError where there is none."""
    def forward_kinematics(self, q: ArrayLike, v: ArrayLike | None = None) -> Bodies: ...
    def shapes(self, q: ArrayLike | None = None) -> Shapes:
        """What touches, where the bodies are at q; at the start if left out."""
    def frame_pose(self, q: ArrayLike, frame: str) -> tuple[_Numbers, _Numbers]:
        """Position and quaternion of a body or link in the world."""
    def jacobian(self, q: ArrayLike, body: str, point: ArrayLike | None = None, *,
                 out: _Numbers | None = None) -> _Numbers:
        """(6, nv): velocity of a point of a body or link (given in its frame), then angular velocity, world axes."""
    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, gravity: ArrayLike | None = None, *,
                         out: _Numbers | None = None) -> _Numbers: ...
    def forward_dynamics(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, gravity: ArrayLike | None = None, *,
                         out: _Numbers | None = None) -> _Numbers:
        """Of a tree: a ValueError names what closes a loop, is prescribed, geared or held."""
    def bias(self, q: ArrayLike, v: ArrayLike, gravity: ArrayLike | None = None, *,
             out: _Numbers | None = None) -> _Numbers:
        """The forces at which no velocity changes."""
    def gravity(self, q: ArrayLike, gravity: ArrayLike | None = None, *, out: _Numbers | None = None) -> _Numbers:
        """The forces that hold the model at rest."""
    def mass_matrix(self, q: ArrayLike, *, out: _Numbers | None = None) -> _Numbers: ...
    def inverse_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, a: ArrayLike,
                                     gravity: ArrayLike | None = None) -> tuple[_Numbers, _Numbers, _Numbers]:
        """Of tau by q (in the directions of v), by v and by a."""
    def forward_dynamics_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike,
                                     gravity: ArrayLike | None = None) -> tuple[_Numbers, _Numbers, _Numbers]:
        """Of the accelerations by q (in the directions of v), by v and by tau."""
    def momentum(self, q: ArrayLike, v: ArrayLike, about: ArrayLike | None = None) -> _Numbers:
        """(6,): p, then L about a point of the world (None: its origin)."""
    def centroidal_momentum(self, q: ArrayLike, v: ArrayLike) -> _Numbers: ...
    def centroidal_matrix(self, q: ArrayLike, *, out: _Numbers | None = None) -> _Numbers:
        """(6, nv): times v it is the centroidal momentum."""
    def center_of_mass(self, q: ArrayLike) -> _Numbers: ...
    def kinetic_energy(self, q: ArrayLike, v: ArrayLike) -> float: ...
    def potential_energy(self, q: ArrayLike, gravity: ArrayLike | None = None) -> float:
        """Of gravity; zero where all mass is at the origin."""

class Checkpoint:
    """All that a run needs to go on bit for bit."""
    @property
    def time(self) -> float: ...
    @property
    def state_hash(self) -> str: ...

class Simulation:
    """A run of a model, or of the scene at a path. What is None is as the scene says; a robot runs in reduced
    coordinates by runge_kutta4 with steps of 1 ms. q and v are where it starts; a ValueError names the joint that they break
    and says by how much (`Model.close` gives such as fit)."""
    def __init__(self, model: Model | _Path, *, step: float | None = None, integrator: _Integrator | None = None,
                 formulation: Literal["maximal", "reduced"] | None = None,
                 state_form: Literal["momentum", "velocity", "matrix"] | None = None, until: float | None = None,
                 ledger: Literal["off", "totals", "bodies"] | None = None, ledger_every: int | None = None,
                 q: ArrayLike | None = None, v: ArrayLike | None = None) -> None: ...
    def step(self, n: int = 1) -> None: ...
    def run(self) -> None:
        """Steps until the time that the scene, or `until`, asks for."""
    def set_joint_forces(self, tau: ArrayLike | None) -> None:
        """Forces along all velocities, from now on; None: no more."""
    def set_controls(self, values: dict[str, float] | None) -> None:
        """Controls by name, from now on, in place of their schedules; None: all as scheduled."""
    def set_rotor_torques(self, torques: dict[str, float] | None) -> None:
        """Torques on rotors by name, N m, from now on, beside what the model drives them with; None: no more."""
    @property
    def controls(self) -> dict[str, float]:
        """Where they stand, by name."""
    def checkpoint(self) -> Checkpoint: ...
    def resume(self, checkpoint: Checkpoint) -> None: ...
    @property
    def model(self) -> Model: ...
    @property
    def time(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def done(self) -> bool: ...
    @property
    def q(self) -> _Numbers: ...
    @property
    def v(self) -> _Numbers: ...
    @property
    def bodies(self) -> Bodies: ...
    def flight(self, body: str) -> dict[str, Any]:
        """What a pilot reads of a body now: altitude; velocity against the planet, north, east, down; heading, pitch, roll from these
        axes and rates in its own against the world; latitude and longitude over a round planet; in air airspeed, angle_of_attack,
        sideslip and mach, at the centre of mass. Forward, right and down are x, y, z of its first aerodynamics, else of the body."""
    @property
    def tanks(self) -> _Numbers:
        """What is in each tank, kg, in the order of `Model.tank_names`."""
    @property
    def levels(self) -> _Numbers:
        """How high each tank is filled, m above its floor; zero of those without a level."""
    @property
    def flows(self) -> dict[str, float]:
        """What flows by name, kg/s, in the step that was taken."""
    @property
    def rotors(self) -> _Numbers:
        """How fast each rotor spins in its body, rad/s, in the order of `Model.rotor_names`."""
    @property
    def shapes(self) -> Shapes:
        """What touches, where the bodies are now; it stays so when the run goes on."""
    @property
    def contacts(self) -> Contacts:
        """What touched in the last step."""
    @property
    def contact_quality(self) -> dict[str, Any]:
        """How contact was solved in the steps of this run, as `poinsot run --json` has it: the largest natural residual; unsolved_steps,
        in which one was above the tolerance; divided_steps and unlooked_steps, for what is fast; gains, contacts that made energy;
        steps_by_impulses, of integrators that find contact in time, and by_impulses, why; sunk_in, the depth that penalty contact
        let in, m, and which part of the smallest side that is; strayed, energy that the integrator made, J."""
    def joint_reactions(self, about: ArrayLike | None = None) -> _Numbers:
        """(joints, 6): force, then torque that each joint does to its body b now, about a point of the world (None: the place of the
        joint on b), in the order of Model.joint_names. Springs, motors and stops along it are not part of it. Where
        Model.redundancy names a joint it is one share of several."""
    @property
    def cuts(self) -> list[dict[str, Any]]:
        """What each cut carries now: name, tension, shear and bending (x, y), torsion, utilisation, largest_utilisation, gone."""
    @property
    def events(self) -> list[dict[str, Any]]:
        """What happened so far: time, kind (overload, break, release, impact, gain), name, text; load and utilisation where a limit
        was passed. Of each kind the first thousand."""
    @property
    def ledger(self) -> dict[str, Any]:
        """The books as `poinsot run --json` has them, with "balanced" and "verdict"."""
    @property
    def balanced(self) -> bool | None:
        """None where no books are kept."""
    @property
    def state_hash(self) -> str: ...

def load(path: _Path, base: Literal["fixed", "floating"] | None = None, *,
         lock: Mapping[str, float] | Iterable[str] | None = None, merge_fixed: bool = False, ignore_mimic: bool = False,
         package_paths: Iterable[_Path] = (), gravity: ArrayLike | None = None) -> Model:
    """A scene (.yaml, .json) or a robot (.urdf). All options are for robots: base must be given, gravity is
    (0, 0, -9.81) unless it is."""

def trim(model: Model, *, speed: float | None = None, altitude: float | None = None, climb_angle: float | None = 0.0,
         turn_rate: float = 0.0, body: str | None = None, keep: list[str] = ...) -> dict[str, Any]:
    """Attitude and controls of steady flight, as `poinsot trim` finds them; angles in radians. What is None is as at the start,
    but a climb_angle of None is found too, as for a glider. Controls that are named in `keep` stay as they are scheduled."""
def trimmed(model: Model, *, speed: float | None = None, altitude: float | None = None, climb_angle: float | None = 0.0,
            turn_rate: float = 0.0, body: str | None = None, keep: list[str] = ...) -> Model:
    """The model as it would start in that steady flight, schedules of controls shifted to begin there, as `poinsot trim -o` writes it. A
    ValueError says why there is none."""
def rollout(model: Model, q0: ArrayLike, v0: ArrayLike, tau: ArrayLike | None, step: float, steps: int | None = None,
            integrator: _Integrator = "runge_kutta4", threads: int = 0,
            masses: ArrayLike | None = None, tanks: ArrayLike | None = None,
            armatures: ArrayLike | None = None) -> tuple[_Numbers, _Numbers]:
    """q (W, T+1, nq) and v (W, T+1, nv) of W worlds from q0 (W, nq), v0 (W, nv) under tau (W, T, nv), which is constant in
    every step. A ValueError names the world and the joint that its q0 or v0 breaks. Without tau, steps says how many. Worlds do not know of each other: threads (0: all there are) change no
    bit. masses (W, bodies), in the order of model.body_names: a mass in kg for each body of each world, with
    what its tanks hold in the model, as model.masses has it; the inertia of what is no content grows with it. tanks (W, tanks), in the
    order of model.tank_names: what each holds in kg at the start, instead of what it does in the model; masses differ by that.
    armatures (W, nv): the inertia of a drive along each velocity of each world, instead of that of the model; a joint has one in every
    world or in none."""
