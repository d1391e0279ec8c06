// SPDX-License-Identifier: MIT
// Questions about what touches: rays, casts, overlaps and closest points by name, and the contacts
// of a run.
#include "python/bind_shapes.hpp"

#include "poinsot/contacts/touch.hpp"

#include <pybind11/stl.h>

namespace poinsot {

namespace {

/// What a question may be about: a surface of the model by its name, or a shape of the caller's.
struct Asked {
    int skin = -1; // −1: a shape
    Collider shape = {};
    Pose<double> pose = identity_pose<double>();
};

double number_in(const py::handle& given, const std::string& what)
{
    const double value = PyFloat_AsDouble(given.ptr());
    if (PyErr_Occurred())
        throw py::error_already_set();
    if (!std::isfinite(value))
        throw py::value_error(text_of(what, " is ", value, "; it must be finite"));
    return value;
}

Shape shape_in(const py::dict& given)
{
    const char* const known = "{'ball': radius}, {'box': [x, y, z]}, {'ellipsoid': [x, y, z]}, or "
                              "'cylinder', 'capsule', 'cone' with {'radius': r, 'height': h}";
    if (given.size() != 1)
        throw py::value_error(text_of("a shape is one of ", known));
    const auto& [key, value] = *given.begin();
    const std::string kind = py::str(key);
    if (kind == "ball")
        return Ball{number_in(value, "radius of the ball")};
    if (kind == "box")
        return Box{vector_in(value, "box")};
    if (kind == "ellipsoid")
        return Ellipsoid{vector_in(value, "ellipsoid")};
    if (kind != "cylinder" && kind != "capsule" && kind != "cone")
        throw py::value_error(
            text_of("there is no shape '", kind, "'",
                    did_you_mean(kind, {"ball", "box", "ellipsoid", "cylinder", "capsule", "cone"}),
                    " A shape is one of ", known));
    if (!py::isinstance<py::dict>(value) || py::len(value) != 2 || !value.contains("radius") ||
        !value.contains("height"))
        throw py::value_error(text_of("a ", kind, " is {'radius': r, 'height': h}"));
    const double r = number_in(value["radius"], "radius"), h = number_in(value["height"], "height");
    if (kind == "cylinder")
        return Cylinder{r, h};
    if (kind == "capsule")
        return Capsule{r, h};
    return Cone{r, h};
}

/// The skins of a model where its bodies are at one moment.
class Shapes {
  public:
    Shapes(std::shared_ptr<Described> described, const Placed& placed)
        : described_(std::move(described)), set_(described_->model(), placed)
    {
    }

    std::size_t count() const { return skins().size(); }
    std::vector<std::string> names() const
    {
        std::vector<std::string> all;
        for (const Skin& skin : skins())
            all.push_back(skin.name);
        return all;
    }
    std::vector<std::optional<std::string>> bodies() const
    {
        std::vector<std::optional<std::string>> all;
        for (std::size_t i = 0; i < skins().size(); ++i)
            all.push_back(body_of(static_cast<int>(i)));
        return all;
    }
    py::tuple pose(const std::string& name) const
    {
        const Pose<double>& at = set_.pose(number(name));
        return py::make_tuple(array_of(at.x), array_of(at.q));
    }

    std::optional<py::dict> ray_cast(const py::object& origin, const py::object& direction,
                                     double max_distance) const
    {
        const Vec3<double> from = vector_in(origin, "origin");
        const Vec3<double> d = towards(vector_in(direction, "direction"));
        const auto met = set_.ray_cast({from, d, reach(max_distance)});
        if (!met)
            return std::nullopt;
        py::dict made = named(met->number);
        made["distance"] = met->hit.t;
        made["point"] = array_of(met->hit.point);
        made["normal"] = array_of(met->hit.normal);
        return made;
    }
    /// Many rays: index of what is met, −1 for nothing, distance, point and normal.
    py::tuple ray_casts(const py::object& origins, const py::object& directions,
                        double max_distance) const
    {
        const py::array first = py::array::ensure(directions);
        if (!first || first.ndim() != 2 || first.shape(1) != 3) {
            PyErr_Clear();
            throw py::value_error("directions must have shape (rays, 3)");
        }
        const py::ssize_t n = first.shape(0);
        const Array d = numbers_in(first, "directions", {n, 3}, "(rays, 3)");
        const py::array any = py::array::ensure(origins);
        const bool one = any && any.ndim() == 1;
        if (!any)
            PyErr_Clear();
        const Array from = one ? numbers_in(origins, "origins", {3}, "(3,) or (rays, 3)")
                               : numbers_in(origins, "origins", {n, 3}, "(3,) or (rays, 3)");
        want_finite(d, "directions", nobody);
        want_finite(from, "origins", nobody);
        const double until = reach(max_distance);
        py::array_t<std::int64_t> index(n);
        Array distance(n), point({n, py::ssize_t{3}}), normal({n, py::ssize_t{3}});
        const auto row = [](const Array& rows, py::ssize_t i) {
            const double* at = rows.data() + 3 * i;
            return Vec3<double>{at[0], at[1], at[2]};
        };
        for (py::ssize_t i = 0; i < n; ++i)
            towards(row(d, i)); // before any is cast
        std::int64_t* const to = index.mutable_data();
        double *const t = distance.mutable_data(), *const p = point.mutable_data(),
                      *const e = normal.mutable_data();
        {
            const py::gil_scoped_release free;
            for (py::ssize_t i = 0; i < n; ++i) {
                const auto met = set_.ray_cast({row(from, one ? 0 : i), towards(row(d, i)), until});
                to[i] = met ? met->number : -1;
                t[i] = met ? met->hit.t : std::numeric_limits<double>::infinity();
                const double none = std::numeric_limits<double>::quiet_NaN();
                const Vec3<double> at = met ? met->hit.point : Vec3<double>{none, none, none};
                const Vec3<double> out = met ? met->hit.normal : Vec3<double>{none, none, none};
                p[3 * i] = at.x, p[3 * i + 1] = at.y, p[3 * i + 2] = at.z;
                e[3 * i] = out.x, e[3 * i + 1] = out.y, e[3 * i + 2] = out.z;
            }
        }
        return py::make_tuple(index, distance, point, normal);
    }

    std::optional<py::dict> shape_cast(const py::object& shape, const py::object& velocity,
                                       double duration, const py::object& position,
                                       const py::object& orientation,
                                       const py::object& angular_velocity)
    {
        const Asked asked = asked_in(shape, position, orientation);
        const Vec3<double> v = vector_in(velocity, "velocity");
        const Vec3<double> omega = angular_velocity.is_none()
                                       ? zero3<double>()
                                       : vector_in(angular_velocity, "angular_velocity");
        if (!(duration > 0) || !std::isfinite(duration))
            throw py::value_error(text_of("duration must be positive and finite, is ", duration));
        const auto met = asked.skin < 0
                             ? set_.shape_cast(asked.shape, {asked.pose, v, omega}, duration)
                             : set_.shape_cast(asked.skin, v, omega, duration);
        if (!met)
            return std::nullopt;
        py::dict made = named(met->number);
        made["time"] = met->touch.time;
        made["point"] = array_of(met->touch.at.on_b);
        made["normal"] = array_of(-met->touch.at.normal); // out of what is met
        made["resolved"] = met->touch.resolved;
        return made;
    }

    py::list overlaps(const py::object& shape, const py::object& position,
                      const py::object& orientation)
    {
        py::list found;
        const auto name = [&](int i) { return skins()[static_cast<std::size_t>(i)].name; };
        if (shape.is_none()) {
            if (!position.is_none() || !orientation.is_none())
                throw py::value_error("position and orientation are for a shape: give one");
            for (const auto& [a, b] : set_.overlaps())
                found.append(py::make_tuple(name(a), name(b)));
            return found;
        }
        const Asked asked = asked_in(shape, position, orientation);
        for (const int i :
             asked.skin < 0 ? set_.overlaps(asked.shape, asked.pose) : set_.overlaps(asked.skin))
            found.append(name(i));
        return found;
    }

    std::optional<py::dict> closest_points(const py::object& shape,
                                           const std::optional<std::string>& other,
                                           const py::object& position,
                                           const py::object& orientation, double max_distance)
    {
        const Asked asked = asked_in(shape, position, orientation);
        const double limit = reach(max_distance);
        int met = -1;
        std::optional<Gap> gap;
        if (other && asked.skin < 0) {
            met = number(*other);
            gap = set_.between(asked.shape, asked.pose, met);
        } else if (other) {
            met = number(*other);
            gap = set_.between(asked.skin, met);
        } else if (const auto near = asked.skin < 0 ? set_.closest(asked.shape, asked.pose, limit)
                                                    : set_.closest(asked.skin, limit)) {
            met = near->number;
            gap = near->gap.gap;
        }
        if (!gap || gap->distance > limit)
            return std::nullopt;
        py::dict made = named(met);
        made["distance"] = gap->distance;
        made["point"] = array_of(gap->on_a);
        made["other_point"] = array_of(gap->on_b);
        made["normal"] = array_of(gap->normal);
        return made;
    }

  private:
    const std::vector<Skin>& skins() const { return described_->model().skins(); }

    int number(const std::string& name) const
    {
        std::vector<std::string_view> known;
        for (std::size_t i = 0; i < skins().size(); ++i) {
            if (skins()[i].name == name)
                return static_cast<int>(i);
            known.push_back(skins()[i].name);
        }
        throw py::key_error(text_of("there is no surface '", name, "'", did_you_mean(name, known)));
    }
    std::optional<std::string> body_of(int skin) const
    {
        const int body = skins()[static_cast<std::size_t>(skin)].body;
        if (body == world)
            return std::nullopt;
        return described_->model().bodies()[static_cast<std::size_t>(body)].name;
    }
    py::dict named(int skin) const
    {
        py::dict made;
        made["name"] = skins()[static_cast<std::size_t>(skin)].name;
        made["body"] = body_of(skin);
        return made;
    }
    /// Of unit length, so that distances are in m.
    static Vec3<double> towards(const Vec3<double>& d)
    {
        if (!(norm(d) > 0))
            throw py::value_error("direction must not be zero");
        return normalised(d);
    }
    static double reach(double max_distance)
    {
        if (!(max_distance >= 0))
            throw py::value_error(text_of("max_distance must not be negative, is ", max_distance));
        return max_distance;
    }
    Asked asked_in(const py::object& shape, const py::object& position,
                   const py::object& orientation) const
    {
        Asked asked;
        if (py::isinstance<py::str>(shape)) {
            if (!position.is_none() || !orientation.is_none())
                throw py::value_error("a surface of the model is where it is: position and "
                                      "orientation are for shapes");
            asked.skin = number(shape.cast<std::string>());
            return asked;
        }
        if (!py::isinstance<py::dict>(shape))
            throw py::value_error("shape must be the name of a surface, or a dict as in "
                                  "{'ball': 0.1}");
        auto made = collider_of(shape_in(shape));
        if (!made)
            throw py::value_error(made.problems().text());
        asked.shape = *made;
        if (!position.is_none())
            asked.pose.x = vector_in(position, "position");
        if (!orientation.is_none()) {
            const Array q = numbers_in(orientation, "orientation", {4}, "(4,)");
            want_finite(q, "orientation", nobody);
            const double* at = q.data();
            const Quat<double> given{at[0], at[1], at[2], at[3]};
            if (!(std::abs(std::sqrt(norm2(given)) - 1) <= 1e-6))
                throw py::value_error("orientation must be a unit quaternion w, x, y, z");
            asked.pose.q = normalised(given);
        }
        return asked;
    }

    std::shared_ptr<Described> described_;
    SkinSet set_;
};

/// The points of touch of a run, one row each.
struct ContactArrays {
    std::vector<std::pair<std::string, std::string>> names; // a and b
    Array point, normal, gap, impulse, moment, slip;
};

Array rows_of(std::size_t n)
{
    return Array({static_cast<py::ssize_t>(n), py::ssize_t{3}});
}
void put_row(Array& rows, std::size_t i, const Vec3<double>& a)
{
    double* const to = rows.mutable_data() + 3 * i;
    to[0] = a.x, to[1] = a.y, to[2] = a.z;
}

} // namespace

py::object shapes_of(std::shared_ptr<Described> described, const Placed& placed)
{
    return py::cast(std::make_unique<Shapes>(std::move(described), placed));
}

py::object contacts_of(const Model& model, std::span<const TouchRecord> touches)
{
    const std::size_t n = touches.size();
    const auto count = static_cast<py::ssize_t>(n);
    ContactArrays made{{},         rows_of(n), rows_of(n),  Array(count),
                       rows_of(n), rows_of(n), Array(count)};
    const auto name = [&](int skin) { return model.skins()[static_cast<std::size_t>(skin)].name; };
    for (std::size_t i = 0; i < n; ++i) {
        const TouchRecord& touch = touches[i];
        made.names.emplace_back(name(touch.a), name(touch.b));
        put_row(made.point, i, touch.point);
        put_row(made.normal, i, touch.normal);
        put_row(made.impulse, i, touch.impulse);
        put_row(made.moment, i, touch.moment);
        made.gap.mutable_data()[i] = touch.gap;
        made.slip.mutable_data()[i] = touch.slip;
    }
    return py::cast(std::move(made));
}

void bind_shapes(py::module_& module)
{
    using py::arg;
    const auto none = py::none();
    const double far = std::numeric_limits<double>::infinity();
    py::class_<Shapes>(module, "Shapes")
        .def("__len__", &Shapes::count)
        .def_property_readonly("names", &Shapes::names)
        .def_property_readonly("bodies", &Shapes::bodies)
        .def("pose", &Shapes::pose, arg("name"))
        .def("ray_cast", &Shapes::ray_cast, arg("origin"), arg("direction"),
             arg("max_distance") = far)
        .def("ray_casts", &Shapes::ray_casts, arg("origins"), arg("directions"),
             arg("max_distance") = far)
        .def("shape_cast", &Shapes::shape_cast, arg("shape"), arg("velocity"), arg("duration"),
             py::kw_only(), arg("position") = none, arg("orientation") = none,
             arg("angular_velocity") = none)
        .def("overlaps", &Shapes::overlaps, arg("shape") = none, py::kw_only(),
             arg("position") = none, arg("orientation") = none)
        .def("closest_points", &Shapes::closest_points, arg("shape"), arg("other") = none,
             py::kw_only(), arg("position") = none, arg("orientation") = none,
             arg("max_distance") = far);
    py::class_<ContactArrays>(module, "Contacts")
        .def("__len__", [](const ContactArrays& c) { return c.names.size(); })
        .def_readonly("names", &ContactArrays::names)
        .def_readonly("point", &ContactArrays::point)
        .def_readonly("normal", &ContactArrays::normal)
        .def_readonly("gap", &ContactArrays::gap)
        .def_readonly("impulse", &ContactArrays::impulse)
        .def_readonly("moment", &ContactArrays::moment)
        .def_readonly("slip", &ContactArrays::slip)
        .def("by_pair", [](const ContactArrays& c) {
            py::dict sums;
            std::map<std::pair<std::string, std::string>, Vec3<double>> all;
            for (std::size_t i = 0; i < c.names.size(); ++i) {
                const double* J = c.impulse.data() + 3 * i;
                const auto at = all.try_emplace(c.names[i], zero3<double>()).first;
                at->second += Vec3<double>{J[0], J[1], J[2]};
            }
            for (const auto& [pair, sum] : all)
                sums[py::make_tuple(pair.first, pair.second)] = array_of(sum);
            return sums;
        });
}

} // namespace poinsot
