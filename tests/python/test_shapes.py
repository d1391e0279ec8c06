# SPDX-License-Identifier: MIT
"""Questions about what touches, by name, and the contacts of a run."""
import numpy as np
import poinsot
import pytest

SCENE = """\
gravity: [0, 0, -9.81]
bodies:
  - {name: ball, ball: 0.5, mass: 2, position: [0, 0, 2]}
  - {name: box, box: [1, 1, 1], mass: 3, position: [3, 0, 0.5], orientation: {axis: [0, 0, 1], angle: 30 deg}}
  - {name: ghost, ball: 0.5, mass: 2, position: [0, 3, 2], groups: [ghosts], meets: [ghosts]}
materials: [{name: stuff, friction: 0.5, restitution: 0.3}]
surfaces: [{name: ground, half_space: true}]
contact: {material: stuff%s}
run: {until: 2, step: 0.001}
"""


@pytest.fixture
def scene(tmp_path):
    def made(settings=""):
        path = tmp_path / "scene.yaml"
        path.write_text(SCENE % settings)
        return poinsot.load(path)
    return made


def test_surfaces_have_names_bodies_and_places(scene):
    shapes = scene().shapes()
    assert len(shapes) == 4 and shapes.names == ["ball", "box", "ghost", "ground"]
    assert shapes.bodies == ["ball", "box", "ghost", None]
    x, q = shapes.pose("box")
    assert np.allclose(x, [3, 0, 0.5]) and np.allclose(q, [np.cos(np.pi / 12), 0, 0, np.sin(np.pi / 12)])
    with pytest.raises(KeyError, match="did you mean 'ball'"):
        shapes.pose("bal")


def test_a_ray_meets_the_first_in_its_way(scene):
    shapes = scene().shapes()
    hit = shapes.ray_cast([0, 0, 10], [0, 0, -3])  # of any length: distances are in m
    assert (hit["name"], hit["body"]) == ("ball", "ball")
    assert np.isclose(hit["distance"], 7.5) and np.allclose(hit["point"], [0, 0, 2.5])
    assert np.allclose(hit["normal"], [0, 0, 1])
    assert shapes.ray_cast([9, 9, 5], [0, 0, -1])["body"] is None
    assert shapes.ray_cast([0, 0, 10], [0, 0, -1], max_distance=7) is None
    assert shapes.ray_cast([0, 0, 10], [0, 0, 1]) is None
    with pytest.raises(ValueError, match="must not be zero"):
        shapes.ray_cast([0, 0, 1], [0, 0, 0])
    with pytest.raises(ValueError, match="must not be negative"):
        shapes.ray_cast([0, 0, 1], [0, 0, 1], -1)


def test_many_rays_are_as_many_single_ones(scene):
    shapes = scene().shapes()
    dice = np.random.default_rng(3)
    d = dice.normal(size=(200, 3))
    index, distance, point, normal = shapes.ray_casts([0.2, 0.1, 4], d)
    assert index.shape == distance.shape == (200,) and point.shape == normal.shape == (200, 3)
    assert set(index) == {-1, 0, 1, 2, 3}
    for i in range(200):
        hit = shapes.ray_cast([0.2, 0.1, 4], d[i])
        if hit is None:
            assert index[i] == -1 and distance[i] == np.inf and np.isnan(point[i]).all() and np.isnan(normal[i]).all()
        else:
            assert shapes.names[index[i]] == hit["name"] and distance[i] == hit["distance"]
            assert (point[i] == hit["point"]).all() and (normal[i] == hit["normal"]).all()
    assert (shapes.ray_casts(np.tile([0.2, 0.1, 4], (200, 1)), d)[1] == distance).all()
    with pytest.raises(ValueError, match=r"directions must have shape \(rays, 3\)"):
        shapes.ray_casts([0, 0, 1], [1, 2, 3])
    with pytest.raises(ValueError, match="must not be zero"):
        shapes.ray_casts([0, 0, 1], np.zeros((2, 3)))


def test_a_cast_finds_the_moment_of_touch(scene):
    shapes = scene().shapes()
    met = shapes.shape_cast("ball", [0, 0, -2], 10)
    assert met["name"] == "ground" and met["resolved"]
    assert met["time"] == pytest.approx(0.75, abs=1e-8) and met["time"] <= 0.75
    assert np.allclose(met["point"], 0, atol=1e-8) and np.allclose(met["normal"], [0, 0, 1])
    assert shapes.shape_cast("ball", [0, 0, -2], 0.7) is None
    assert shapes.shape_cast("ball", [0, 1, 0], 10) is None  # the ghost is in its way, and they do not meet
    met = shapes.shape_cast({"ball": 0.5}, [0, 1, 0], 10, position=[0, 0.0, 2.001])
    assert met["name"] == "ball" and met["time"] == 0  # a shape of ours meets all, and at once
    met = shapes.shape_cast({"box": [1, 1, 1]}, [1, 0, 0], 10, position=[-5, 0, 2])
    assert met["name"] == "ball" and met["time"] == pytest.approx(4, abs=1e-8)
    with pytest.raises(ValueError, match="duration must be positive"):
        shapes.shape_cast("ball", [0, 0, -2], 0)


def test_overlaps_are_named(scene):
    shapes = scene().shapes()
    assert shapes.overlaps({"ball": 0.6}, position=[0, 0, 3]) == ["ball"]
    assert shapes.overlaps({"box": [9, 9, 9]}) == ["ball", "box", "ghost", "ground"]
    assert shapes.overlaps({"capsule": {"radius": 0.1, "height": 1}}, position=[0, 0, 9]) == []
    assert shapes.overlaps() == [("box", "ground")]  # it stands there
    assert shapes.overlaps("box") == ["ground"] and shapes.overlaps("ghost") == []


def test_closest_points_are_on_both_surfaces(scene):
    shapes = scene().shapes()
    near = shapes.closest_points("ball")
    assert near["name"] == "ground" and near["distance"] == pytest.approx(1.5)
    assert np.allclose(near["point"], [0, 0, 1.5]) and np.allclose(near["other_point"], [0, 0, 0])
    assert np.allclose(near["normal"], [0, 0, -1])
    to_box = shapes.closest_points("ball", "box")
    assert np.isclose(np.linalg.norm(to_box["other_point"] - to_box["point"]), to_box["distance"])
    assert shapes.closest_points("ball", "ghost")["distance"] == pytest.approx(2)  # asked for by name
    assert shapes.closest_points("ball", max_distance=1) is None
    deep = shapes.closest_points({"ball": 1.0}, position=[0, 0, 2.5], orientation=[0, 1, 0, 0])
    assert deep["name"] == "ball" and deep["distance"] == pytest.approx(-1)
    assert shapes.closest_points({"ball": 1.0}, "ground", position=[0, 0, 2.5])["distance"] == pytest.approx(1.5)


def test_shapes_that_are_none_are_named(scene):
    shapes = scene().shapes()
    for shape, words in (({"bal": 1}, "did you mean 'ball'"), ({}, "a shape is one of"), (3, "name of a surface"),
                         ({"cone": 1}, "a cone is"), ({"ball": -1}, "must be between"), ({"box": [1, 2]}, "box"),
                         ({"ball": float("nan")}, "finite")):
        with pytest.raises(ValueError, match=words):
            shapes.overlaps(shape)
    with pytest.raises(ValueError, match="is where it is"):
        shapes.overlaps("ball", position=[0, 0, 0])
    with pytest.raises(ValueError, match="unit quaternion"):
        shapes.overlaps({"ball": 1}, orientation=[1, 1, 0, 0])
    with pytest.raises(ValueError, match="give one"):
        shapes.overlaps(position=[0, 0, 0])


def test_shapes_follow_the_run_and_stay_as_they_were(scene):
    run = poinsot.Simulation(scene())
    before = run.shapes
    run.step(100)
    fallen = 0.5 * 9.81 * 0.1**2
    assert run.shapes.pose("ball")[0][2] == pytest.approx(2 - fallen)
    assert before.pose("ball")[0][2] == 2
    model = run.model
    assert model.shapes(run.q).pose("ball")[0][2] == run.shapes.pose("ball")[0][2]
    assert model.shapes().pose("ball")[0][2] == 2


@pytest.mark.parametrize("settings", ["", ", response: penalty, overlaps: separate"])
def test_contacts_of_a_run_carry_the_weights(scene, settings):
    run = poinsot.Simulation(scene(settings))
    assert len(run.contacts) == 0 and run.contacts.point.shape == (0, 3) and run.contacts.by_pair() == {}
    run.run()
    contacts = run.contacts
    assert len(contacts) == 5 and set(contacts.names) == {("ball", "ground"), ("box", "ground")}
    assert contacts.normal.shape == contacts.impulse.shape == contacts.moment.shape == (5, 3)
    assert contacts.gap.shape == contacts.slip.shape == (5,)
    assert np.allclose(contacts.normal, [0, 0, -1], atol=1e-9)
    step = 0.001
    for (name, ground), impulse in contacts.by_pair().items():
        weight = 9.81 * {"ball": 2, "box": 3}[name]
        assert ground == "ground" and np.allclose(impulse / step, [0, 0, -weight], atol=1e-3 * weight)


def test_a_robot_without_surfaces_has_none(floating):
    shapes = floating.shapes()
    assert len(shapes) == 0 and shapes.overlaps() == [] and shapes.ray_cast([0, 0, 0], [1, 0, 0]) is None
