// SPDX-License-Identifier: MIT
// FCL and libccd are BSD; here they are an oracle in a test program, never part of the library.
#include "poinsot/geometry/part_pairs.hpp"

#include "geometry/pairs.hpp"

#ifdef POINSOT_FCL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wextra"
#include <ccd/ccd.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/plane.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#pragma GCC diagnostic pop
#endif

using namespace poinsot;

#ifdef POINSOT_FCL

namespace {

// Kinds that FCL has too, by their place in shape_names(); triangles only as parts of meshes.
constexpr std::size_t kinds[] = {0, 1, 3, 4, 5, 6, 7};

std::shared_ptr<fcl::CollisionGeometryd> as_fcl(const Convex& s)
{
    switch (s.core) {
    case Core::point:
        return std::make_shared<fcl::Sphered>(s.radius);
    case Core::segment:
        return std::make_shared<fcl::Capsuled>(s.radius, 2 * s.size.z);
    case Core::box:
        return std::make_shared<fcl::Boxd>(2 * s.size.x, 2 * s.size.y, 2 * s.size.z);
    case Core::ellipsoid:
        return std::make_shared<fcl::Ellipsoidd>(s.size.x, s.size.y, s.size.z);
    case Core::cylinder:
        return std::make_shared<fcl::Cylinderd>(s.size.x, 2 * s.size.z);
    case Core::cone:
        return std::make_shared<fcl::Coned>(s.size.x, s.size.z);
    default: {
        auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
        for (const Vec3<double>& r : s.polytope->vertices)
            vertices->push_back({r.x, r.y, r.z});
        auto faces = std::make_shared<std::vector<int>>();
        for (const Polytope::Face& face : s.polytope->faces) {
            faces->push_back(face.count);
            for (const int i : s.polytope->corners(face))
                faces->push_back(i);
        }
        return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(s.polytope->faces.size()),
                                              faces);
    }
    }
}

fcl::Transform3d as_fcl(const Convex& s, const Pose<double>& pose)
{
    // FCL's cone has its origin at half height.
    const Vec3<double> x = place(pose, {0, 0, s.core == Core::cone ? 0.5 * s.size.z : 0});
    const Quat<double> q = normalised(pose.q);
    fcl::Transform3d at = fcl::Transform3d::Identity();
    at.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    at.translation() = fcl::Vector3d(x.x, x.y, x.z);
    return at;
}

// libccd's own view of a pair: our support functions, its search.
struct CcdShape {
    const Convex* shape;
    Pose<double> pose;
};
void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out)
{
    const auto& s = *static_cast<const CcdShape*>(object);
    const Vec3<double> d{direction->v[0], direction->v[1], direction->v[2]};
    const double size = norm(d);
    const Vec3<double> own = rotate(conjugate(s.pose.q), d);
    Vec3<double> r = place(s.pose, support(*s.shape, own).r);
    if (size > 0)
        r += (s.shape->radius / size) * d;
    ccdVec3Set(out, r.x, r.y, r.z);
}
void ccd_middle(const void* object, ccd_vec3_t* out)
{
    const auto& s = *static_cast<const CcdShape*>(object);
    const Vec3<double> r = place(s.pose, middle_of(*s.shape));
    ccdVec3Set(out, r.x, r.y, r.z);
}

} // namespace

TEST_CASE("Oracle: FCL finds the same distances and the same overlaps for every pair of shapes")
{
    double worst = 0, worst_round = 0;
    int compared = 0, failed = 0;
    for (const std::size_t i : kinds)
        for (const std::size_t j : kinds) {
            Dice dice(1000 * i + j);
            for (int trial = 0; trial < 40; ++trial) {
                const auto A = random_shape(dice, i), B = random_shape(dice, j);
                const Pose<double> pa{dice.vec(1.5), dice.turn()}, pb{dice.vec(1.5), dice.turn()};
                const Gap gap = gap_between(A.shape, pa, B.shape, pb);
                fcl::CollisionObjectd a(as_fcl(A.shape), as_fcl(A.shape, pa));
                fcl::CollisionObjectd b(as_fcl(B.shape), as_fcl(B.shape, pb));
                if (std::abs(gap.distance) < 1e-4)
                    continue; // FCL's own tolerance decides there
                fcl::CollisionRequestd ask;
                fcl::CollisionResultd hit;
                CHECK((fcl::collide(&a, &b, ask, hit) > 0) == (gap.distance < 0));
                if (gap.distance < 0)
                    continue;
                fcl::DistanceRequestd far(true);
                far.distance_tolerance = 1e-9;
                fcl::DistanceResultd found;
                const double d = fcl::distance(&a, &b, far, found);
                if (d < 0) { // it gave up
                    ++failed;
                    continue;
                }
                ++compared;
                double& error = i <= 1 && j <= 1 ? worst_round : worst;
                error = std::max(error, std::abs(d - gap.distance));
                // Never farther than ours, which a plane between the shapes proves.
                CHECK(d >= gap.distance - 1e-9);
            }
        }
    MESSAGE(compared << " distances, FCL differs by at most " << worst_round
                     << " (closed forms) and " << worst << " (libccd); it gave up on " << failed);
    CHECK(worst_round <= 1e-12);
    // Its search comes near linearly and ends where a step brings less than 1e-9: of curved shapes
    // some hundreds of such steps are missing then. Measured: 7.6e-7.
    CHECK(worst <= 1e-6);
    CHECK(failed * 100 < compared);
}

namespace {

/// A shape in both worlds, of one of four kinds.
struct ShapeTwice {
    Shape ours;
    std::shared_ptr<fcl::CollisionGeometryd> theirs;
};
ShapeTwice random_twice(Dice& dice, int kind)
{
    const double a = dice.in(0.1, 1), b = dice.in(0.1, 1), c = dice.in(0.1, 1);
    switch (kind) {
    case 0:
        return {Ball{a}, std::make_shared<fcl::Sphered>(a)};
    case 1:
        return {Box{{a, b, c}}, std::make_shared<fcl::Boxd>(a, b, c)};
    case 2:
        return {Capsule{a, b}, std::make_shared<fcl::Capsuled>(a, b)};
    default:
        return {Cylinder{a, b}, std::make_shared<fcl::Cylinderd>(a, b)};
    }
}
fcl::Transform3d placed_in_fcl(const Pose<double>& pose)
{
    return as_fcl(Convex{}, pose);
}

} // namespace

TEST_CASE("Oracle: FCL finds the same depth in a half-space, in closed form")
{
    double worst = 0;
    int compared = 0;
    PartWorkspace w;
    const Collider ground = half_space();
    for (int kind = 0; kind < 4; ++kind) {
        Dice dice(3000 + static_cast<std::size_t>(kind));
        for (int trial = 0; trial < 100; ++trial) {
            const ShapeTwice shape = random_twice(dice, kind);
            const Pose<double> at{dice.vec(0.7), dice.turn()}, floor{dice.vec(0.3), dice.turn()};
            const double gap =
                nearest_parts(*collider_of(shape.ours), at, ground, floor, w).gap.distance;
            if (std::abs(gap) < 1e-6)
                continue;
            fcl::CollisionObjectd a(shape.theirs, placed_in_fcl(at));
            fcl::CollisionObjectd b(std::make_shared<fcl::Halfspaced>(fcl::Vector3d(0, 0, 1), 0.0),
                                    placed_in_fcl(floor));
            fcl::CollisionRequestd ask(8, true);
            fcl::CollisionResultd hit;
            fcl::collide(&a, &b, ask, hit);
            CHECK(hit.isCollision() == (gap < 0));
            double depth = 0;
            for (std::size_t i = 0; i < hit.numContacts(); ++i)
                depth = std::max(depth, hit.getContact(i).penetration_depth);
            if (gap >= 0)
                continue;
            ++compared;
            worst = std::max(worst, std::abs(depth + gap));
        }
    }
    MESSAGE(compared << " depths in a half-space, FCL differs by at most " << worst);
    CHECK(compared > 100);
    CHECK(worst <= 1e-13); // both in closed form: rounding of lengths up to 3
}

namespace {

/// One of the shapes that a scene may have, as FCL has it: a compound is its parts.
struct Listed {
    const char* name;
    Collider ours;
    struct Part {
        std::shared_ptr<fcl::CollisionGeometryd> shape;
        Convex convex; // for where FCL has its origin
        Pose<double> pose = identity_pose<double>();
    };
    std::vector<Part> theirs;

    bool bounded() const { return ours.bounded(); }
};
constexpr const char* listed_names[] = {"sphere",   "box",       "capsule",   "cylinder",
                                        "cone",     "ellipsoid", "hull",      "mesh",
                                        "compound", "plane",     "half-space"};

std::shared_ptr<fcl::CollisionGeometryd> as_fcl(const Surface& mesh)
{
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    std::vector<fcl::Vector3d> corners;
    std::vector<fcl::Triangle> faces;
    for (const Vec3<double>& r : mesh.vertices)
        corners.push_back({r.x, r.y, r.z});
    for (const auto& [i, j, k] : mesh.faces)
        faces.emplace_back(static_cast<std::size_t>(i), static_cast<std::size_t>(j),
                           static_cast<std::size_t>(k));
    model->beginModel();
    model->addSubModel(corners, faces);
    model->endModel();
    return model;
}

Listed random_listed(Dice& dice, std::size_t kind)
{
    Listed made{listed_names[kind], {}, {}};
    const double a = dice.in(0.1, 1), b = dice.in(0.1, 1), c = dice.in(0.1, 1);
    const Shape simple[] = {Ball{a},        Box{{a, b, c}}, Capsule{a, b},
                            Cylinder{a, b}, Cone{a, b},     Ellipsoid{{a, b, c}}};
    const std::string name = made.name;
    if (kind < std::size(simple)) {
        made.ours = *collider_of(simple[kind]);
    } else if (name == "hull") {
        std::vector<Vec3<double>> points;
        for (int i = dice.whole(4, 30); i > 0; --i)
            points.push_back(dice.vec(0.8));
        made.ours = *collider_of_hull(points);
    } else if (name == "mesh") { // hills of 32 triangles
        Surface hills;
        for (int i = 0; i < 25; ++i)
            hills.vertices.push_back({0.5 * (i % 5) - 1, 0.5 * (i / 5) - 1, dice.in(0, 0.4)});
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                const int k = 5 * i + j;
                hills.faces.push_back({k, k + 1, k + 6});
                hills.faces.push_back({k, k + 6, k + 5});
            }
        made.ours = *collider_of_mesh(hills);
        made.theirs.push_back({as_fcl(hills), {}});
    } else if (name == "compound") { // of a mesh and two that are convex
        std::vector<PlacedCollider> parts;
        for (const std::size_t k : {std::size_t{7}, std::size_t{1}, std::size_t{4}}) {
            Listed part = random_listed(dice, k);
            const Pose<double> at{dice.vec(0.6), dice.turn()};
            parts.push_back({part.ours, at});
            part.theirs[0].pose = at;
            made.theirs.push_back(part.theirs[0]);
        }
        made.ours = *compound_of(parts);
    } else {
        const fcl::Vector3d up(0, 0, 1);
        made.ours = name == "plane" ? plane() : half_space();
        if (name == "plane")
            made.theirs.push_back({std::make_shared<fcl::Planed>(up, 0.0), {}});
        else
            made.theirs.push_back({std::make_shared<fcl::Halfspaced>(up, 0.0), {}});
    }
    if (made.theirs.empty())
        made.theirs.push_back({as_fcl(made.ours.parts()[0].convex), made.ours.parts()[0].convex});
    return made;
}

/// Asks about every part of one and every part of the other.
template <class Ask>
void each_in_fcl(const Listed& a, const Pose<double>& pa, const Listed& b, const Pose<double>& pb,
                 Ask ask)
{
    for (const Listed::Part& i : a.theirs)
        for (const Listed::Part& j : b.theirs)
            ask(i, pa * i.pose, j, pb * j.pose);
}
bool touch_in_fcl(const Listed::Part& a, const Pose<double>& pa, const Listed::Part& b,
                  const Pose<double>& pb)
{
    const fcl::CollisionObjectd one(a.shape, as_fcl(a.convex, pa));
    const auto touches = [&](const std::shared_ptr<fcl::CollisionGeometryd>& shape,
                             const Pose<double>& pose) {
        const fcl::CollisionObjectd other(shape, as_fcl(b.convex, pose));
        fcl::CollisionRequestd ask(1, true); // without points it is wrong of cylinders on planes
        fcl::CollisionResultd hit;
        return fcl::collide(&one, &other, ask, hit) > 0;
    };
    const fcl::Vector3d up(0, 0, 1);
    const auto below = std::make_shared<fcl::Halfspaced>(up, 0.0);
    // It is wrong of cones in half-spaces: they touch the plane, or are below it.
    if (b.shape->getNodeType() == fcl::GEOM_HALFSPACE && a.convex.core == Core::cone)
        return touches(std::make_shared<fcl::Planed>(up, 0.0), pb) ||
               dot(rotate(pb.q, {0, 0, 1}), pa.x - pb.x) < 0;
    // It crashes with hulls on planes: they are on both sides.
    if (b.shape->getNodeType() == fcl::GEOM_PLANE && a.convex.core == Core::polytope) {
        const Quat<double> over = pb.q * exp_quat(Vec3<double>{std::numbers::pi, 0, 0});
        return touches(below, pb) && touches(below, {pb.x, over});
    }
    return touches(b.shape, pb);
}
bool touch_in_fcl(const Listed& a, const Pose<double>& pa, const Listed& b, const Pose<double>& pb)
{
    bool touch = false;
    each_in_fcl(a, pa, b, pb,
                [&](const auto& i, const auto& at_i, const auto& j, const auto& at_j) {
                    touch = touch || touch_in_fcl(i, at_i, j, at_j);
                });
    return touch;
}
/// The least distance of all parts; below zero where FCL gave up.
double distance_in_fcl(const Listed& a, const Pose<double>& pa, const Listed& b,
                       const Pose<double>& pb)
{
    double least = std::numeric_limits<double>::infinity();
    each_in_fcl(a, pa, b, pb,
                [&](const auto& i, const auto& at_i, const auto& j, const auto& at_j) {
                    const fcl::CollisionObjectd one(i.shape, as_fcl(i.convex, at_i));
                    const fcl::CollisionObjectd other(j.shape, as_fcl(j.convex, at_j));
                    fcl::DistanceRequestd far(true);
                    far.distance_tolerance = 1e-9;
                    fcl::DistanceResultd found;
                    least = std::min(least, fcl::distance(&one, &other, far, found));
                });
    return least;
}

} // namespace

TEST_CASE("Oracle: FCL says the same of every two of the eleven shapes that a scene may have")
{
    double worst = 0;
    int compared = 0, failed = 0, shifted = 0, touches = 0;
    PartWorkspace w;
    constexpr std::size_t count = std::size(listed_names);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i; j < count; ++j) {
            Dice dice(4000 + 100 * i + j);
            int apart = 0, met = 0;
            for (int trial = 0; trial < 24; ++trial) {
                const Listed A = random_listed(dice, i), B = random_listed(dice, j);
                const Pose<double> pa{dice.vec(1.2), dice.turn()}, pb{dice.vec(1.2), dice.turn()};
                const std::string pair = text_of(A.name, " and ", B.name, ", trial ", trial);
                CAPTURE(pair);
                const PartGap found = nearest_parts(A.ours, pa, B.ours, pb, w);
                if (!A.bounded() && !B.bounded()) { // never asked about each other
                    CHECK(found.part_a == -1);
                    continue;
                }
                const double gap = found.gap.distance;
                if (std::abs(gap) < 1e-4)
                    continue; // FCL's own tolerance decides there
                CHECK(touch_in_fcl(A, pa, B, pb) == (gap < 0));
                met += gap < 0;
                if (gap < 0)
                    continue;
                ++apart;
                if (!B.bounded()) {
                    // FCL knows no distance from a plane, but whether it is touched: not where all
                    // but a thousandth of the gap is closed, and where a thousandth more is.
                    for (const double part : {0.999, 1.001}) {
                        const Vec3<double> by = (part * gap) * found.gap.normal;
                        CHECK(touch_in_fcl(A, {pa.x + by, pa.q}, B, pb) == (part > 1));
                    }
                    ++shifted;
                    continue;
                }
                const double d = distance_in_fcl(A, pa, B, pb);
                if (d < 0) { // it gave up
                    ++failed;
                    continue;
                }
                ++compared;
                worst = std::max(worst, std::abs(d - gap));
            }
            touches += met;
            CAPTURE(listed_names[i]);
            CAPTURE(listed_names[j]);
            if (i < 9) { // both of what FCL can say was asked of every pair
                CHECK(apart >= 2);
                CHECK(met >= 2);
            }
        }
    MESSAGE(compared << " distances, FCL differs by at most " << worst << "; " << shifted
                     << " from planes; " << touches << " touch; it gave up on " << failed);
    CHECK(worst <= 1e-6); // as for single shapes
    CHECK(failed * 100 < compared);
}

TEST_CASE("Oracle: libccd finds no shorter way out for any pair of shapes")
{
    double shorter = 0, deeper = 0;
    int compared = 0, failed = 0, agree = 0;
    for (std::size_t i = 0; i < shape_names().size(); ++i)
        for (std::size_t j = 0; j < shape_names().size(); ++j) {
            Dice dice(2000 * i + j);
            for (int trial = 0; trial < 40; ++trial) {
                const auto A = random_shape(dice, i), B = random_shape(dice, j);
                const Pose<double> pa{dice.vec(0.5), dice.turn()}, pb{dice.vec(0.5), dice.turn()};
                const Gap gap = gap_between(A.shape, pa, B.shape, pb);
                if (gap.distance > -1e-4)
                    continue;
                const CcdShape a{&A.shape, pa}, b{&B.shape, pb};
                ccd_t ccd;
                CCD_INIT(&ccd);
                ccd.support1 = ccd.support2 = ccd_support;
                ccd.center1 = ccd.center2 = ccd_middle;
                ccd.max_iterations = 500;
                ccd.epa_tolerance = 1e-7;
                ccd_real_t depth = 0;
                ccd_vec3_t direction, position;
                if (ccdGJKPenetration(&a, &b, &ccd, &depth, &direction, &position) != 0) {
                    ++failed;
                    continue;
                }
                ++compared;
                // Its direction is a way out with a length of its own; its depth is the distance of
                // a face of a polytope inside A ⊖ B, and never more than the true one.
                const Vec3<double> n{direction.v[0], direction.v[1], direction.v[2]};
                const double h = overlap_along(A.shape, pa, B.shape, pb, n);
                shorter = std::max(shorter, -gap.distance - h);
                deeper = std::max(deeper, depth + gap.distance);
                agree += h + gap.distance <= 1e-3 && depth + gap.distance >= -1e-3;
            }
        }
    MESSAGE(compared << " depths, libccd's direction is shorter by at most " << shorter
                     << ", its depth more by at most " << deeper << "; both within 1e-3 in "
                     << agree << "; it failed on " << failed);
    CHECK(shorter <= 1e-10); // ten times depth_accuracy: sizes are up to 2
    CHECK(deeper <= 1e-10);
    CHECK(agree * 10 >= compared * 9); // it stops at a wrong face now and then
    CHECK(failed * 20 < compared);
}

#else

TEST_CASE("Oracle: FCL finds the same distances and the same overlaps for every pair of shapes")
{
    SKIP_TEST("FCL is not installed (libfcl-dev, libccd-dev)");
}

#endif
