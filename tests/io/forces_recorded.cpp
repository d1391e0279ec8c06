// SPDX-License-Identifier: MIT
// Forces by cause and reactions of joints in trajectory files.

#include "poinsot/step/acting.hpp"
#include "recorded.hpp"

#include <hdf5.h>
#include <limits>

using namespace poinsot;

namespace {

constexpr std::array both_formulations{Formulation::maximal, Formulation::reduced};

// A slender rod on a hinge about y at one end; the start says where from straight down.
std::string rod(const std::string& start, double until = 1)
{
    return text_of(R"(title: A rod
bodies:
  - {name: rod, mass: 2, inertia: [1.5, 1.5, 0.001], center_of_mass: [0, 0, -1.5]}
joints:
  - {name: pin, type: revolute, bodies: [world, rod], at: [0, 0, 0], axis: [0, -1, 0], )",
                   start, R"(}
gravity: [0, 0, -9.81]
run: {integrator: runge_kutta4, step: 0.01, until: )",
                   until, "}\n");
}
constexpr double m = 2, g = 9.81;

struct Recorded {
    TrajectoryReader run;
    std::vector<double> force, torque, reaction, turning;

    explicit Recorded(const std::filesystem::path& file)
        : run(opened(file)), force(series_of(run, "forces/force")),
          torque(series_of(run, "forces/torque"))
    {
        if (run.has("joints/reaction_force")) {
            reaction = series_of(run, "joints/reaction_force");
            turning = series_of(run, "joints/reaction_torque");
        }
    }
    std::size_t cause(const std::string& name) const
    {
        const auto& all = run.head().force_causes;
        const auto at = std::find(all.begin(), all.end(), name);
        REQUIRE(at != all.end());
        return static_cast<std::size_t>(at - all.begin());
    }
    Vec3<double> on(std::size_t frame, std::size_t body, const std::string& name) const
    {
        const std::size_t c = run.head().force_causes.size();
        return vec_from(force, (frame * run.bodies() + body) * c + cause(name));
    }
    Vec3<double> carries(std::size_t frame, std::size_t joint) const
    {
        return vec_from(reaction, frame * run.head().joints.size() + joint);
    }
};

} // namespace

TEST_CASE("A pendulum at rest hangs on its hinge with its weight, in both formulations")
{
    const RecordFolder folder("forces_rest");
    for (const Formulation f : both_formulations) {
        INFO(name_of(f));
        record(folder.path / "a.h5", rod("start: [0]", 0.1), f);
        const Recorded at(folder.path / "a.h5");
        REQUIRE(at.run.frames() == 11);
        CHECK(at.run.head().layout_minor == poinsot::layout_minor);
        CHECK(at.run.head().force_causes == std::vector<std::string>{"gravity", "joint"});
        REQUIRE(at.run.head().joints.size() == 1);
        CHECK(at.run.head().joints[0].name == "pin");
        CHECK(at.run.head().joints[0].kind == "revolute");
        CHECK(at.run.head().joints[0].a == world);
        CHECK(at.run.head().joints[0].b == 0);
        CHECK(at.run.head().joints[0].unique);
        for (std::size_t i = 0; i < 11; ++i) {
            CHECK(at.on(i, 0, "gravity") == Vec3<double>{0, 0, -m * g});
            // Rounding of one solution of equations of this size.
            CHECK(norm(at.carries(i, 0) - Vec3<double>{0, 0, m * g}) < 1e-12 * m * g);
            CHECK(norm(at.on(i, 0, "joint") - Vec3<double>{0, 0, m * g}) < 1e-12 * m * g);
            CHECK(norm(vec_from(at.turning, i)) < 1e-12 * m * g * 1.5);
        }
    }
}

TEST_CASE("A swinging rod pulls at its hinge with m g cos + m ω² L/2, and across with a quarter")
{
    const RecordFolder folder("forces_swing");
    for (const Formulation f : both_formulations) {
        INFO(name_of(f));
        record(folder.path / "a.h5", rod("start: [90 deg]"), f); // released level
        const Recorded at(folder.path / "a.h5");
        const auto x = series_of(at.run, "bodies/position"),
                   omega = series_of(at.run, "bodies/angular_velocity");
        double worst = 0;
        for (std::size_t i = 0; i < at.run.frames(); ++i) {
            const Vec3<double> along = (1 / norm(vec_from(x, i))) * vec_from(x, i); // to the centre
            const Vec3<double> weight{0, 0, -m * g}, across = weight - dot(weight, along) * along;
            const double w = norm(vec_from(omega, i));
            const Vec3<double> truth =
                (-dot(weight, along) - m * w * w * 1.5) * along - 0.25 * across;
            worst = std::max(worst, norm(at.carries(i, 0) - truth) / (m * g));
        }
        MESSAGE("largest error of the reaction, of the weight: " << worst);
        // It follows from place and velocity of the frame by one solution of linear equations:
        // rounding; measured 1.2e-15.
        CHECK(worst < 2e-14);
        CHECK(near(at.carries(0, 0).z, m * g / 4, 1e-12)); // release
    }
}

TEST_CASE("What acts on all bodies but from outside is nothing, and the two formulations agree")
{
    const RecordFolder folder("forces_pairs");
    const char* text = R"(title: Two links and a spring
bodies:
  - {name: upper, box: [1, 0.1, 0.1], mass: 1, position: [0.5, 0, 0]}
  - {name: lower, box: [1, 0.1, 0.1], mass: 2, position: [1.5, 0, 0]}
particles:
  - {name: bob, mass: 0.5, position: [3, 0, 0]}
joints:
  - name: first
    type: revolute
    bodies: [world, upper]
    at: [0, 0, 0]
    axis: [0, 0, 1]
    damping: 0.3
  - {name: second, type: revolute, bodies: [lower, upper], at: [1, 0, 0], axis: [0, 0, 1]}
springs:
  - name: rubber
    from: {body: lower, at: [0.5, 0, 0]}
    to: bob
    stiffness: 20
    rest_length: 0.8
    damping: 1
gravity: [0, -9.81, 0]
run: {until: 1, step: 0.002, integrator: runge_kutta4}
)";
    for (const Formulation f : both_formulations)
        record(folder.path / text_of(name_of(f), ".h5"), text, f, 25);
    const Recorded one(folder.path / "maximal.h5"), other(folder.path / "reduced.h5");
    CHECK(one.run.head().force_causes ==
          std::vector<std::string>{"gravity", "spring", "damper", "joint"});
    REQUIRE(one.run.frames() == 21);
    double apart = 0;
    for (std::size_t i = 0; i < 21; ++i) {
        for (const Recorded* at : {&one, &other}) {
            Vec3<double> spring = zero3<double>(), joint = zero3<double>();
            for (std::size_t body = 0; body < 3; ++body) {
                spring += at->on(i, body, "spring");
                joint += at->on(i, body, "joint");
            }
            CHECK(norm(spring) < 1e-12 * 20); // Newton's third law
            CHECK(norm(joint - at->carries(i, 0)) <
                  1e-11 * 3.5 * g); // only the first has an outside
            // The second pulls at `upper`, its body b, as at `lower` the other way.
            CHECK(norm(at->on(i, 1, "joint") + at->carries(i, 1)) < 1e-11 * 3.5 * g);
        }
        for (std::size_t j = 0; j < 2; ++j)
            apart = std::max(apart, norm(one.carries(i, j) - other.carries(i, j)));
    }
    MESSAGE("reactions of the two formulations differ by " << apart << " N");
    CHECK(apart < 1e-6); // the error of the motion itself: fourth order, step 2 ms
}

TEST_CASE("In every scene both formulations say the same of what acts and what joints carry")
{
    const Input nothing;
    double worst = 0;
    int joints = 0;
    for (const auto& entry : std::filesystem::directory_iterator(tests_folder() / "../scenes")) {
        if (entry.path().extension() != ".yaml")
            continue;
        const auto scene = read_scene(entry.path());
        REQUIRE(scene);
        const Model& model = *scene->model;
        if (model.joints().empty() || model.any_held())
            continue;
        INFO(entry.path().filename().string());
        StepSettings settings = scene->run.step;
        settings.stabilisation = Stabilisation::none;
        std::vector<Acting> acting;
        for (const Formulation f : both_formulations) {
            settings.formulation = f;
            acting.emplace_back(model, settings, nothing);
            acting.back().look(start_of(model, FormKind::momentum, f));
        }
        const std::vector<bool> unique = reactions_unique(model);
        const std::vector<Cause> causes = causes_of(model, settings, {});
        // The largest force and torque of all that acts.
        double force = 0, torque = 0;
        for (std::size_t i = 0; i < model.bodies().size(); ++i)
            for (const Cause cause : causes) {
                force = std::max(force, norm(acting[0].on(i, cause).F));
                torque = std::max(torque, norm(acting[0].on(i, cause).tau));
            }
        for (std::size_t j = 0; j < unique.size(); ++j) {
            force = std::max(force, norm(acting[0].joint(j).F));
            torque = std::max(torque, norm(acting[0].joint(j).tau));
        }
        // A stiff spring passes the rounding of its length on, some ε k ℓ: within the bound below.
        for (const Spring& spring : model.springs())
            force = std::max(force, 4 * std::numeric_limits<double>::epsilon() / 1e-13 *
                                        spring.stiffness * spring.rest_length);
        torque = std::max(torque, force * 1.0); // levers are of the size of a metre in all scenes
        const auto apart = [&](const Wrench<double>& a, const Wrench<double>& b) {
            return std::max(norm(a.F - b.F) / std::max(force, 1e-300),
                            norm(a.tau - b.tau) / std::max(torque, 1e-300));
        };
        double here = 0;
        for (std::size_t i = 0; i < model.bodies().size(); ++i)
            for (std::size_t c = 0; c < cause_count; ++c) {
                const auto cause = static_cast<Cause>(c);
                here = std::max(here, apart(acting[0].on(i, cause), acting[1].on(i, cause)));
                if (std::find(causes.begin(), causes.end(), cause) == causes.end())
                    CHECK(norm(acting[0].on(i, cause).F) + norm(acting[0].on(i, cause).tau) == 0);
            }
        for (std::size_t j = 0; j < unique.size(); ++j, ++joints)
            if (unique[j])
                here = std::max(here, apart(acting[0].joint(j), acting[1].joint(j)));
        CHECK(here < 1e-13); // rounding; measured 3.6e-15
        worst = std::max(worst, here);
    }
    CHECK(joints > 30);
    MESSAGE("largest difference, of the largest force and torque: " << worst);
}

TEST_CASE("A body that is held pulls with its weight; joints that repeat each other say so")
{
    const RecordFolder folder("forces_held");
    record(folder.path / "held.h5", R"(bodies:
  - {name: top, mass: 2, inertia: [1, 1, 1], center_of_mass: [0, 0, -1], held: {point: [0, 0, 0]}}
gravity: [0, 0, -9.81]
run: {until: 0.1, step: 0.01, integrator: runge_kutta4}
)");
    const Recorded held(folder.path / "held.h5");
    REQUIRE(held.run.head().joints.size() == 1);
    CHECK(held.run.head().joints[0].kind == "held");
    CHECK(norm(held.carries(10, 0) - Vec3<double>{0, 0, 2 * g}) < 1e-12 * 2 * g);

    record(folder.path / "door.h5", R"(bodies:
  - {name: door, box: [1, 0.1, 2], mass: 20, position: [0.5, 0, 0]}
joints:
  - {name: low, type: revolute, bodies: [world, door], at: [0, 0, -0.8], axis: [0, 0, 1]}
  - {name: high, type: revolute, bodies: [world, door], at: [0, 0, 0.8], axis: [0, 0, 1]}
gravity: [0, 0, -9.81]
run: {until: 0.05, step: 0.01, integrator: runge_kutta4}
)");
    const Recorded door(folder.path / "door.h5");
    for (const auto& joint : door.run.head().joints)
        CHECK(!joint.unique);
    // Their sum is what the equations say.
    CHECK(norm(door.carries(0, 0) + door.carries(0, 1) - Vec3<double>{0, 0, 20 * g}) <
          1e-11 * 20 * g);
}

TEST_CASE("Forces are recorded where they are asked for, and files without them are read")
{
    const RecordFolder folder("forces_asked");
    const auto file = folder.path / "a.h5";
    record(file, rod("start: [1]", 0.1), Formulation::maximal, 1, {false});
    CHECK(!opened(file).has("forces/force"));
    CHECK(opened(file).head().joints.empty());

    std::string many = "particles:\n";
    for (int i = 0; i <= static_cast<int>(TrajectoryOptions::forces_up_to); ++i)
        many += text_of("  - {name: p", i, ", mass: 1, position: [", i, ", 0, 0]}\n");
    many += "gravity: [0, 0, -9.81]\nrun: {until: 0.02, step: 0.01}\n";
    record(file, many);
    CHECK(!opened(file).has("forces/force"));
    record(file, many, Formulation::maximal, 1, {true});
    CHECK(opened(file).has("forces/force"));

    // As layout 1.1 was: nothing of it there.
    record(file, rod("start: [1]", 0.1));
    const hid_t old = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    REQUIRE(old >= 0);
    H5Ldelete(old, "forces", H5P_DEFAULT);
    for (const char* name : {"joints/names", "joints/kind", "joints/a", "joints/b", "joints/unique",
                             "joints/reaction_force", "joints/reaction_torque"})
        CHECK(H5Ldelete(old, name, H5P_DEFAULT) >= 0);
    H5Fclose(old);
    const TrajectoryReader run = opened(file);
    CHECK(!run.has("forces/force"));
    CHECK(run.frames() == 11);
    CHECK(run.head().step_of_frame.back() == 10);
}
