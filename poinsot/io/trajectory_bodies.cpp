// SPDX-License-Identifier: MIT
// Bodies, rotors and tanks in a trajectory: what they are, and how they are in each frame.
#include "poinsot/io/trajectory_parts.hpp"

#include "poinsot/forces/gyrostat.hpp"
#include "poinsot/io/trajectory_hdf5.hpp"
#include "poinsot/io/trajectory_series.hpp"

namespace poinsot::hdf5 {

namespace {

std::string_view kind_of(const Shape& shape)
{
    constexpr std::array<std::string_view, 8> names{"none",     "box",     "ball", "ellipsoid",
                                                    "cylinder", "capsule", "cone", "mesh"};
    static_assert(std::variant_size_v<Shape> == names.size());
    return names[shape.index()];
}
/// Three numbers that describe a shape: its sides, half axes, or radius and height.
Vec3<double> size_of(const Shape& shape)
{
    struct Size {
        Vec3<double> operator()(std::monostate) const { return zero3<double>(); }
        Vec3<double> operator()(const Box& s) const { return s.size; }
        Vec3<double> operator()(const Ball& s) const { return {s.radius, s.radius, s.radius}; }
        Vec3<double> operator()(const Ellipsoid& s) const { return s.semi_axes; }
        Vec3<double> operator()(const Cylinder& s) const { return {s.radius, s.height, 0}; }
        Vec3<double> operator()(const Capsule& s) const { return {s.radius, s.height, 0}; }
        Vec3<double> operator()(const Cone& s) const { return {s.radius, s.height, 0}; }
        Vec3<double> operator()(const MeshShape&) const { return zero3<double>(); }
    };
    return std::visit(Size{}, shape);
}

class BodyPart : public FramePart {
  public:
    BodyPart(hid_t file, const Simulation& run)
    {
        const Model& model = run.model();
        const hsize_t n = model.bodies().size();
        std::vector<std::string> names, shapes, meshes;
        std::vector<double> mass, center, inertia, sizes;
        std::vector<std::int8_t> particle;
        for (std::size_t i = 0; i < n; ++i) {
            const Body& body = model.bodies()[i];
            const BodyMass& m = model.masses()[i];
            names.push_back(body.name);
            shapes.emplace_back(kind_of(body.shape));
            const auto* mesh = std::get_if<MeshShape>(&body.shape);
            meshes.push_back(mesh ? mesh->path : "");
            particle.push_back(body.particle ? 1 : 0);
            mass.push_back(m.m);
            push(center, m.center);
            push(sizes, size_of(body.shape));
            const Sym3<double>& I = m.I_b;
            inertia.insert(inertia.end(), {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz});
        }
        const Handle g = group(file, "bodies", "what they are, and where they are in each frame");
        fixed_texts(g, "names", names);
        fixed(g, "particle", {n}, particle);
        fixed(g, "mass", {n}, mass, "kg");
        fixed(g, "center_of_mass", {n, 3}, center, "m");
        fixed(g, "inertia", {n, 3, 3}, inertia, "kg m^2");
        fixed_texts(g, "shape", shapes);
        fixed(g, "shape_size", {n, 3}, sizes, "m");
        fixed_texts(g, "shape_mesh", meshes);
        const hid_t real = H5T_NATIVE_DOUBLE;
        position_ = &series(g, "position", real, {n, 3}, "m");
        orientation_ = &series(g, "orientation", real, {n, 4});
        velocity_ = &series(g, "velocity", real, {n, 3}, "m/s");
        angular_velocity_ = &series(g, "angular_velocity", real, {n, 3}, "rad/s");
        momentum_ = &series(g, "momentum", real, {n, 3}, "kg m/s");
        angular_momentum_ = &series(g, "angular_momentum", real, {n, 3}, "kg m^2/s");
        if (run.settings().step.form == FormKind::matrix)
            rotation_ = &series(g, "rotation", real, {n, 3, 3});
    }
    void add(const Simulation& run, const Placed& placed) override
    {
        const auto each = [&](Series& series, auto&& put) {
            row_.clear();
            for (std::size_t i = 0; i < placed.bodies.size(); ++i)
                put(i, placed.bodies[i]);
            series.add(row_.data());
        };
        each(*position_, [&](std::size_t, const PlacedBody& b) { push(row_, b.x); });
        each(*orientation_, [&](std::size_t i, const PlacedBody&) {
            const Quat<double> q = attitude(run.state(), i);
            row_.insert(row_.end(), {q.w, q.x, q.y, q.z});
        });
        each(*velocity_, [&](std::size_t, const PlacedBody& b) { push(row_, b.v); });
        each(*angular_velocity_, [&](std::size_t, const PlacedBody& b) { push(row_, b.omega); });
        each(*momentum_, [&](std::size_t, const PlacedBody& b) { push(row_, b.p); });
        each(*angular_momentum_, [&](std::size_t, const PlacedBody& b) { push(row_, b.L); });
        if (rotation_)
            each(*rotation_, [&](std::size_t, const PlacedBody& b) {
                push(row_, b.R.r0), push(row_, b.R.r1), push(row_, b.R.r2);
            });
    }

  private:
    Series *position_ = nullptr, *orientation_ = nullptr, *velocity_ = nullptr,
           *angular_velocity_ = nullptr, *momentum_ = nullptr, *angular_momentum_ = nullptr,
           *rotation_ = nullptr;
    std::vector<double> row_;
};

class RotorPart : public FramePart {
  public:
    RotorPart(hid_t file, const Model& model)
    {
        const hsize_t n = model.rotors().size();
        std::vector<std::string> names;
        std::vector<std::int64_t> body;
        std::vector<double> axis, inertia;
        for (const Rotor& rotor : model.rotors()) {
            names.push_back(rotor.name);
            body.push_back(rotor.body);
            push(axis, rotor.axis);
            inertia.push_back(rotor.inertia);
        }
        const Handle g = group(file, "rotors", "what spins in bodies, and how fast in each frame");
        fixed_texts(g, "names", names);
        fixed(g, "body", {n}, body);
        fixed(g, "axis", {n, 3}, axis);
        fixed(g, "inertia", {n}, inertia, "kg m^2");
        momentum_ = &series(g, "momentum", H5T_NATIVE_DOUBLE, {n}, "kg m^2/s");
        spin_ = &series(g, "spin", H5T_NATIVE_DOUBLE, {n}, "rad/s");
    }
    void add(const Simulation& run, const Placed& placed) override
    {
        momentum_->add(placed.rotors.data());
        row_.clear();
        for (std::size_t i = 0; i < placed.rotors.size(); ++i) {
            const Rotor& rotor = run.model().rotors()[i];
            row_.push_back(rotor_spin(rotor, placed.rotors[i],
                                      placed.bodies[static_cast<std::size_t>(rotor.body)]));
        }
        spin_->add(row_.data());
    }

  private:
    Series *momentum_ = nullptr, *spin_ = nullptr;
    std::vector<double> row_;
};

class TankPart : public FramePart {
  public:
    TankPart(hid_t file, const Model& model)
    {
        const hsize_t n = model.tanks().size();
        std::vector<std::string> names;
        std::vector<std::int64_t> body;
        std::vector<double> capacity;
        for (const Tank& tank : model.tanks()) {
            names.push_back(tank.name);
            body.push_back(tank.body);
            capacity.push_back(tank.capacity);
        }
        const Handle g = group(file, "tanks", "what is in tanks of bodies in each frame");
        fixed_texts(g, "names", names);
        fixed(g, "body", {n}, body);
        fixed(g, "capacity", {n}, capacity, "kg");
        content_ = &series(g, "content", H5T_NATIVE_DOUBLE, {n}, "kg");
        level_ = &series(g, "level", H5T_NATIVE_DOUBLE, {n}, "m");
    }
    void add(const Simulation& run, const Placed&) override
    {
        const std::vector<double>& contents = run.state().tanks;
        content_->add(contents.data());
        row_.clear();
        for (std::size_t i = 0; i < contents.size(); ++i)
            row_.push_back(level_of(run.model().tanks()[i], contents[i]));
        level_->add(row_.data());
    }

  private:
    Series *content_ = nullptr, *level_ = nullptr;
    std::vector<double> row_;
};

} // namespace

std::unique_ptr<FramePart> body_part(hid_t file, const Simulation& run)
{
    return std::make_unique<BodyPart>(file, run);
}
std::unique_ptr<FramePart> rotor_part(hid_t file, const Simulation& run)
{
    if (run.model().rotors().empty())
        return nullptr;
    return std::make_unique<RotorPart>(file, run.model());
}
std::unique_ptr<FramePart> tank_part(hid_t file, const Simulation& run)
{
    if (run.model().tanks().empty())
        return nullptr;
    return std::make_unique<TankPart>(file, run.model());
}

} // namespace poinsot::hdf5
