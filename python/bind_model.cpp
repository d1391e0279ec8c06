// SPDX-License-Identifier: MIT
#include "python/bind_shapes.hpp"
#include "python/loops.hpp"
#include "python/views.hpp"

#include "poinsot/constraints/bind.hpp"
#include "poinsot/dynamics/derivatives.hpp"
#include "poinsot/dynamics/momentum.hpp"
#include "poinsot/solve/redundancy.hpp"

#include <pybind11/stl.h>

namespace poinsot {

namespace {

py::ssize_t extent(std::size_t n)
{
    return static_cast<py::ssize_t>(n);
}

Vec3<double> gravity_in(const Described& d, const py::object& gravity)
{
    return gravity.is_none() ? d.model().gravity().uniform : vector_in(gravity, "gravity");
}

/// Forward dynamics knows the tree alone: what else binds the bodies would be left out in silence.
void want_tree(const Described& d, const char* what)
{
    const Model& model = d.model();
    const auto refuse = [&](const std::string& why) {
        throw py::value_error(
            text_of(what, " knows the tree of joints alone, but ", why, "; use a Simulation"));
    };
    for (const int j : model.tree().rows) {
        const Joint& joint = model.joints()[static_cast<std::size_t>(j)];
        if (joint.motion)
            refuse(text_of("the motion of joint '", joint.name, "' is prescribed"));
        if (facts_of(joint.kind).rows > 0)
            refuse(text_of("joint '", joint.name, "' closes a loop"));
    }
    for (const Joint& joint : model.joints())
        for (const CoordinateLaw& law : joint.laws)
            if (law.prescribed)
                refuse(text_of("the motion of joint '", joint.name, "' is prescribed"));
    for (const Gear& gear : model.gears())
        refuse(text_of("gear '", gear.name, "' binds two joints"));
    for (const Body& body : model.bodies())
        if (body.held)
            refuse(text_of("body '", body.name, "' is held at a point"));
}

py::dict redundancy(const Described& d)
{
    const Redundancy found = redundancy_of(d.model());
    py::list repeats;
    for (const Redundancy::Repeat& repeat : found.repeats)
        repeats.append(py::dict(py::arg("name") = repeat.name, py::arg("rows") = repeat.rows,
                                py::arg("repeated") = repeat.repeated,
                                py::arg("others") = repeat.others,
                                py::arg("text") = repeat.text()));
    return py::dict(py::arg("rows") = found.rows, py::arg("rank") = found.rank,
                    py::arg("ways_to_move") = found.freedom, py::arg("repeats") = repeats);
}

Placed placed_at(const Described& d, std::span<const double> q, std::span<const double> v)
{
    Placed placed;
    LinkageSpace<double> w(d.linkage);
    place_bodies(d.linkage, d.model(), q, v, placed, w);
    return placed;
}

py::object shapes_at(const std::shared_ptr<Described>& d, const py::object& q_given)
{
    const Array q = q_given.is_none() ? array_of(start_coordinates(d->linkage, d->model()).q)
                                      : coordinates_in(*d, q_given);
    const std::vector<double> still(d->nv(), 0.0);
    return shapes_of(d, placed_at(*d, span_of(q), still));
}

BodyArrays forward_kinematics(const Described& d, const py::object& q_given,
                              const py::object& v_given)
{
    const Array q = coordinates_in(d, q_given);
    Placed placed;
    if (v_given.is_none()) {
        const std::vector<double> still(d.nv(), 0.0);
        const py::gil_scoped_release free;
        placed = placed_at(d, span_of(q), still);
    } else {
        const Array v = velocities_in(d, v_given, "v");
        const py::gil_scoped_release free;
        placed = placed_at(d, span_of(q), span_of(v));
    }
    return arrays_of(placed);
}

Array jacobian_of(const Described& d, const py::object& q_given, const std::string& body,
                  const py::object& point_given, const py::object& out)
{
    const Array q = coordinates_in(d, q_given);
    const NamedFrame& frame = d.frame(body);
    const Vec3<double> point =
        point_given.is_none() ? zero3<double>() : vector_in(point_given, "point");
    Array J = filled_by(out, {6, extent(d.nv())}, {q});
    {
        const std::span<double> into = span_in(J);
        const py::gil_scoped_release free;
        LinkageSpace<double> w(d.linkage);
        place_links<double>(d.linkage, span_of(q), w);
        place_links_in_world(d.linkage, w);
        int link = world;
        Vec3<double> P = zero3<double>();
        if (frame.at.body != world) {
            const LinkedBody& on = d.linkage.bodies[static_cast<std::size_t>(frame.at.body)];
            link = on.link;
            P = point_in_world<double>(link, on.x + on.R * place(frame.at.pose, point), w);
        }
        jacobian<double>(d.linkage, link, P, into, w);
    }
    return J;
}

/// Where a frame of a body is, from where the bodies are: position and quaternion.
std::pair<Array, Array> frame_pose(const Described& d, const py::object& q_given,
                                   const std::string& name)
{
    const Array q = coordinates_in(d, q_given);
    const NamedFrame& frame = d.frame(name);
    Pose<double> at = frame.at.pose;
    if (frame.at.body != world) {
        const Placed placed = placed_at(d, span_of(q), std::vector<double>(d.nv(), 0.0));
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(frame.at.body)];
        at = Pose<double>{body.x + body.lever(zero3<double>()), quat_of(body.R)} * at;
    }
    return {array_of(at.x), array_of(at.q)};
}

Array inverse_dynamics_of(const Described& d, const py::object& q_given, const py::object& v_given,
                          const py::object& a_given, const py::object& gravity,
                          const py::object& out)
{
    const Array q = coordinates_in(d, q_given);
    const Array v = velocities_in(d, v_given, "v"), a = velocities_in(d, a_given, "a");
    const Vec3<double> g = gravity_in(d, gravity);
    Array tau = filled_by(out, {extent(d.nv())}, {q, v, a});
    {
        const std::span<double> into = span_in(tau);
        const py::gil_scoped_release free;
        LinkageSpace<double> w(d.linkage);
        inverse_dynamics<double>(d.linkage, d.inertias, span_of(q), span_of(v), span_of(a), {}, g,
                                 into, w);
    }
    return tau;
}

Array bias_of(const Described& d, const py::object& q_given, const py::object& v_given,
              const py::object& gravity, const py::object& out)
{
    const Array q = coordinates_in(d, q_given), v = velocities_in(d, v_given, "v");
    const Vec3<double> g = gravity_in(d, gravity);
    Array tau = filled_by(out, {extent(d.nv())}, {q, v});
    {
        const std::span<double> into = span_in(tau);
        const py::gil_scoped_release free;
        LinkageSpace<double> w(d.linkage);
        bias_forces<double>(d.linkage, d.inertias, span_of(q), span_of(v), g, into, w);
    }
    return tau;
}

Array gravity_of(const Described& d, const py::object& q_given, const py::object& gravity,
                 const py::object& out)
{
    const Array q = coordinates_in(d, q_given);
    const Vec3<double> g = gravity_in(d, gravity);
    Array tau = filled_by(out, {extent(d.nv())}, {q});
    {
        const std::span<double> into = span_in(tau);
        const py::gil_scoped_release free;
        LinkageSpace<double> w(d.linkage);
        gravity_forces<double>(d.linkage, d.inertias, span_of(q), g, into, w);
    }
    return tau;
}

Array mass_matrix_of(const Described& d, const py::object& q_given, const py::object& out)
{
    const Array q = coordinates_in(d, q_given);
    Array M = filled_by(out, {extent(d.nv()), extent(d.nv())}, {q});
    {
        const std::span<double> into = span_in(M);
        const py::gil_scoped_release free;
        LinkageSpace<double> w(d.linkage);
        place_links<double>(d.linkage, span_of(q), w);
        joint_inertia<double>(d.linkage, d.inertias, into, w);
    }
    return M;
}

Array forward_dynamics_of(const Described& d, const py::object& q_given, const py::object& v_given,
                          const py::object& tau_given, const py::object& gravity,
                          const py::object& out)
{
    want_tree(d, "forward_dynamics");
    const Array q = coordinates_in(d, q_given);
    const Array v = velocities_in(d, v_given, "v"), tau = velocities_in(d, tau_given, "tau");
    const Vec3<double> g = gravity_in(d, gravity);
    Array a = filled_by(out, {extent(d.nv())}, {q, v, tau});
    {
        const std::span<double> into = span_in(a);
        const py::gil_scoped_release free;
        LinkageSpace<double> w(d.linkage);
        forward_dynamics<double>(d.linkage, d.inertias, span_of(q), span_of(v), span_of(tau), {}, g,
                                 into, w);
    }
    return a;
}

/// ∂τ/∂q, ∂τ/∂v and ∂τ/∂a.
py::tuple inverse_derivatives(const Described& d, const py::object& q_given,
                              const py::object& v_given, const py::object& a_given,
                              const py::object& gravity)
{
    const Array q = coordinates_in(d, q_given);
    const Array v = velocities_in(d, v_given, "v"), a = velocities_in(d, a_given, "a");
    const Vec3<double> g = gravity_in(d, gravity);
    const Extents square{extent(d.nv()), extent(d.nv())};
    Array by_q(square), by_v(square), by_a(square);
    {
        const std::span<double> q_into = span_in(by_q), v_into = span_in(by_v),
                                a_into = span_in(by_a);
        const py::gil_scoped_release free;
        LinkageSpace<double> w(d.linkage);
        DerivativeSpace<double> scratch(d.linkage);
        place_links<double>(d.linkage, span_of(q), w);
        inverse_dynamics_derivatives<double>(d.linkage, d.inertias, span_of(v), span_of(a), {}, g,
                                             q_into, v_into, w, scratch);
        joint_inertia<double>(d.linkage, d.inertias, a_into, w);
    }
    return py::make_tuple(by_q, by_v, by_a);
}

/// ∂a/∂q, ∂a/∂v and ∂a/∂τ.
py::tuple forward_derivatives(const Described& d, const py::object& q_given,
                              const py::object& v_given, const py::object& tau_given,
                              const py::object& gravity)
{
    want_tree(d, "forward_dynamics_derivatives");
    const Array q = coordinates_in(d, q_given);
    const Array v = velocities_in(d, v_given, "v"), tau = velocities_in(d, tau_given, "tau");
    const Vec3<double> g = gravity_in(d, gravity);
    ForwardDifferentiator differentiator(d.linkage);
    const ForwardDerivatives<double>* found = nullptr;
    {
        const py::gil_scoped_release free;
        found =
            &differentiator.at(d.linkage, d.inertias, span_of(q), span_of(v), span_of(tau), {}, g);
    }
    const Extents square{extent(d.nv()), extent(d.nv())};
    return py::make_tuple(array_of(found->by_q, square), array_of(found->by_v, square),
                          array_of(found->by_tau, square));
}

Placed placed_in(const Described& d, const py::object& q_given, const py::object& v_given)
{
    const Array q = coordinates_in(d, q_given), v = velocities_in(d, v_given, "v");
    const py::gil_scoped_release free;
    return placed_at(d, span_of(q), span_of(v));
}

Array six_of(const Momentum<double>& M)
{
    return array_of(std::array{M.p.x, M.p.y, M.p.z, M.L.x, M.L.y, M.L.z});
}

Array centroidal_matrix_of(const Described& d, const py::object& q_given, const py::object& out)
{
    const Array q = coordinates_in(d, q_given);
    Array A = filled_by(out, {6, extent(d.nv())}, {q});
    const Placed placed = placed_at(d, span_of(q), std::vector<double>(d.nv(), 0.0));
    // About the centre of everything, what is welded to the world included.
    const Vec3<double> center = system_center_of(placed.bodies).x;
    {
        const std::span<double> into = span_in(A);
        const py::gil_scoped_release free;
        LinkageSpace<double> w(d.linkage);
        place_links<double>(d.linkage, span_of(q), w);
        place_links_in_world(d.linkage, w);
        compose<double>(d.linkage, d.inertias, w);
        centroidal_matrix<double>(d.linkage, center, into, w);
    }
    return A;
}

double kinetic_energy_of(const Described& d, const py::object& q_given, const py::object& v_given)
{
    const Array q = coordinates_in(d, q_given), v = velocities_in(d, v_given, "v");
    const py::gil_scoped_release free;
    LinkageSpace<double> w(d.linkage);
    place_links<double>(d.linkage, span_of(q), w);
    link_twists<double>(d.linkage, span_of(v), w);
    return kinetic_energy<double>(d.linkage, d.inertias, span_of(v), w);
}

double potential_energy_of(const Described& d, const py::object& q_given, const py::object& gravity)
{
    const Array q = coordinates_in(d, q_given);
    const Vec3<double> g = gravity_in(d, gravity);
    const py::gil_scoped_release free;
    const Placed placed = placed_at(d, span_of(q), std::vector<double>(d.nv(), 0.0));
    return potential_energy(placed.bodies, g);
}

Array displaced(const Described& d, const py::object& q_given, const py::object& u_given,
                const py::object& out)
{
    const Array q = coordinates_in(d, q_given), u = velocities_in(d, u_given, "u");
    Array made = filled_by(out, {extent(d.nq())}, {q, u});
    displace<double>(d.linkage, span_of(q), span_of(u), span_in(made));
    return made;
}

py::tuple closed(const Described& d, const py::object& q_given, const py::object& v_given)
{
    const Array q = coordinates_in(d, q_given);
    const Array v = v_given.is_none() ? array_of(std::vector<double>(d.nv(), 0.0))
                                      : velocities_in(d, v_given, "v");
    const Coordinates found = closed_coordinates(d, span_of(q), span_of(v));
    return py::make_tuple(array_of(found.q), array_of(found.v));
}

py::slice slice_of(int first, int count)
{
    return {first, first + count, 1};
}

template <class View>
py::list views_of(const Ptr& model, std::size_t count)
{
    py::list list;
    for (std::size_t i = 0; i < count; ++i)
        list.append(View{model, i});
    return list;
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& list)
{
    std::vector<std::string> names;
    for (const Named& one : list)
        names.push_back(one.name);
    return names;
}

} // namespace

// ---- what the parts share -----------------------------------------------------------------------

BodyArrays arrays_of(const Placed& placed)
{
    const py::ssize_t n = extent(placed.bodies.size());
    BodyArrays made{Array({n, py::ssize_t{3}}), Array({n, py::ssize_t{4}}),
                    Array({n, py::ssize_t{3}}), Array({n, py::ssize_t{3}}),
                    Array({n, py::ssize_t{3}})};
    double* const position = made.position.mutable_data();
    double* const orientation = made.orientation.mutable_data();
    double* const center = made.center.mutable_data();
    double* const velocity = made.velocity.mutable_data();
    double* const angular = made.angular_velocity.mutable_data();
    for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
        const PlacedBody& body = placed.bodies[i];
        put_at(position + 3 * i, body.x + body.lever(zero3<double>()));
        const Quat<double> q = quat_of(body.R);
        orientation[4 * i] = q.w, orientation[4 * i + 1] = q.x;
        orientation[4 * i + 2] = q.y, orientation[4 * i + 3] = q.z;
        put_at(center + 3 * i, body.x);
        put_at(velocity + 3 * i, body.v);
        put_at(angular + 3 * i, body.omega);
    }
    return made;
}

Array coordinates_in(const Described& model, const py::handle& given)
{
    Array q = numbers_in(given, "q", {extent(model.nq())}, "(nq,)");
    want_finite(q, "q", [&](std::size_t i) { return model.owner_of_q(i); });
    const std::string bad = model.bad_quaternion(span_of(q));
    if (!bad.empty())
        throw py::value_error(bad);
    return q;
}
Array velocities_in(const Described& model, const py::handle& given, const char* name)
{
    Array v = numbers_in(given, name, {extent(model.nv())}, "(nv,)");
    want_finite(v, name, [&](std::size_t i) { return model.owner_of_v(i); });
    return v;
}

void bind_model(py::module_& module)
{
    using py::arg;
    const auto none = py::none();
    bind_views(module);
    py::class_<Described, Ptr>(module, "Model")
        .def_property_readonly("title", [](const Described& d) { return d.scene.title; })
        .def_property_readonly("file", [](const Described& d) { return d.scene.file; })
        .def_property_readonly("nq", [](const Described& d) { return d.linkage.nq; })
        .def_property_readonly("nv", [](const Described& d) { return d.linkage.nv; })
        .def_property_readonly(
            "bodies",
            [](const Ptr& d) { return views_of<BodyView>(d, d->model().bodies().size()); })
        .def_property_readonly(
            "joints",
            [](const Ptr& d) { return views_of<JointView>(d, d->model().joints().size()); })
        .def_property_readonly("body_names",
                               [](const Described& d) { return names_of(d.model().bodies()); })
        .def_property_readonly("tank_names",
                               [](const Described& d) { return names_of(d.model().tanks()); })
        .def_property_readonly("rotor_names",
                               [](const Described& d) { return names_of(d.model().rotors()); })
        .def_property_readonly("joint_names",
                               [](const Described& d) { return names_of(d.model().joints()); })
        .def_property_readonly("masses",
                               [](const Described& d) {
                                   std::vector<double> m;
                                   for (const BodyMass& one : d.model().masses())
                                       m.push_back(one.m);
                                   return array_of(m);
                               })
        .def_property_readonly(
            "gravity_vector",
            [](const Described& d) { return array_of(d.model().gravity().uniform); })
        .def(
            "geodetic",
            [](const Described& d, const py::object& position, double time) {
                return geodetic_of(d.model(), position, time);
            },
            arg("position"), arg("time") = 0.0)
        .def(
            "cartesian",
            [](const Described& d, double latitude, double longitude, double altitude,
               double time) {
                return cartesian_of(d.model(), latitude, longitude, altitude, time);
            },
            arg("latitude"), arg("longitude"), arg("altitude"), arg("time") = 0.0)
        .def(
            "air",
            [](const Described& d, const py::object& position, double time) {
                return air_dict(d.model(), position, time);
            },
            arg("position"), arg("time") = 0.0)
        .def(
            "gravitation",
            [](const Described& d, const py::object& position) {
                return gravitation_at(d.model(), position);
            },
            arg("position"))
        .def_property_readonly("flow_names",
                               [](const Described& d) { return names_of(d.model().flows()); })
        .def_property_readonly("control_names",
                               [](const Described& d) { return names_of(d.model().controls()); })
        .def_property_readonly("cut_names",
                               [](const Described& d) { return names_of(d.model().cuts()); })
        .def_property_readonly("bushing_names",
                               [](const Described& d) {
                                   auto names = names_of(d.model().bushings());
                                   names.resize(d.model().described_bushings());
                                   return names;
                               })
        .def_property_readonly("joint_order", [](const Described& d) { return names_of(d.movers); })
        .def_property_readonly("frames",
                               [](const Ptr& d) {
                                   py::dict made;
                                   for (const NamedFrame& frame : d->frames)
                                       made[py::str(frame.name)] = FrameView{d, frame};
                                   return made;
                               })
        .def_readonly("warnings", &Described::warnings)
        .def_readonly("not_used", &Described::not_used)
        .def_property_readonly("redundancy", &redundancy)
        .def(
            "body",
            [](const Ptr& d, const std::string& name) {
                return BodyView{d, d->body(name)};
            },
            arg("name"))
        .def(
            "joint",
            [](const Ptr& d, const std::string& name) {
                return JointView{d, d->joint(name)};
            },
            arg("name"))
        .def(
            "q_slice",
            [](const Described& d, const std::string& name) {
                const Mover& m = d.mover(name);
                return slice_of(m.q, m.nq);
            },
            arg("name"))
        .def(
            "v_slice",
            [](const Described& d, const std::string& name) {
                const Mover& m = d.mover(name);
                return slice_of(m.v, m.nv);
            },
            arg("name"))
        .def("start",
             [](const Described& d) {
                 const Coordinates start = start_coordinates(d.linkage, d.model());
                 return py::make_tuple(array_of(start.q), array_of(start.v));
             })
        .def("displace", &displaced, arg("q"), arg("u"), py::kw_only(), arg("out") = none)
        .def("close", &closed, arg("q"), arg("v") = none)
        .def("forward_kinematics", &forward_kinematics, arg("q"), arg("v") = none)
        .def("frame_pose", &frame_pose, arg("q"), arg("frame"))
        .def("shapes", &shapes_at, arg("q") = none)
        .def("jacobian", &jacobian_of, arg("q"), arg("body"), arg("point") = none, py::kw_only(),
             arg("out") = none)
        .def("inverse_dynamics", &inverse_dynamics_of, arg("q"), arg("v"), arg("a"),
             arg("gravity") = none, py::kw_only(), arg("out") = none)
        .def("forward_dynamics", &forward_dynamics_of, arg("q"), arg("v"), arg("tau"),
             arg("gravity") = none, py::kw_only(), arg("out") = none)
        .def("bias", &bias_of, arg("q"), arg("v"), arg("gravity") = none, py::kw_only(),
             arg("out") = none)
        .def("gravity", &gravity_of, arg("q"), arg("gravity") = none, py::kw_only(),
             arg("out") = none)
        .def("mass_matrix", &mass_matrix_of, arg("q"), py::kw_only(), arg("out") = none)
        .def("inverse_dynamics_derivatives", &inverse_derivatives, arg("q"), arg("v"), arg("a"),
             arg("gravity") = none)
        .def("forward_dynamics_derivatives", &forward_derivatives, arg("q"), arg("v"), arg("tau"),
             arg("gravity") = none)
        .def(
            "momentum",
            [](const Described& d, const py::object& q, const py::object& v,
               const py::object& about) {
                const Vec3<double> A =
                    about.is_none() ? zero3<double>() : vector_in(about, "about");
                return six_of(momentum_about(placed_in(d, q, v).bodies, A));
            },
            arg("q"), arg("v"), arg("about") = none)
        .def(
            "centroidal_momentum",
            [](const Described& d, const py::object& q, const py::object& v) {
                return six_of(centroidal_momentum(placed_in(d, q, v).bodies));
            },
            arg("q"), arg("v"))
        .def("centroidal_matrix", &centroidal_matrix_of, arg("q"), py::kw_only(), arg("out") = none)
        .def(
            "center_of_mass",
            [](const Described& d, const py::object& q_given) {
                const Array q = coordinates_in(d, q_given);
                const Placed placed = placed_at(d, span_of(q), std::vector<double>(d.nv(), 0.0));
                return array_of(system_center_of(placed.bodies).x);
            },
            arg("q"))
        .def("kinetic_energy", &kinetic_energy_of, arg("q"), arg("v"))
        .def("potential_energy", &potential_energy_of, arg("q"), arg("gravity") = none)
        .def("__repr__", [](const Described& d) {
            return text_of("<poinsot.Model '", d.scene.title, "': ", d.model().bodies().size(),
                           " bodies, ", d.model().joints().size(), " joints, nq ", d.linkage.nq,
                           ", nv ", d.linkage.nv, ">");
        });
}

} // namespace poinsot
