// SPDX-License-Identifier: MIT
// The tree that links and joints of a URDF file make, and which links become bodies.
#include "poinsot/io/urdf_reader.hpp"
#include "poinsot/mass/principal.hpp"

#include <algorithm>
#include <set>

namespace poinsot::urdf {

/// Parents, children and an order from the root down; false where links and joints are no tree.
bool Reader::find_tree()
{
    std::vector<UrdfLink>& links = robot_.links;
    std::vector<UrdfJoint>& joints = robot_.joints;
    std::vector<std::string_view> names;
    for (const UrdfLink& link : links)
        names.push_back(link.name);
    carrier_.assign(links.size(), none);
    std::vector<std::vector<int>> below(links.size());
    bool whole = link_index_.size() == links.size(); // else a name stands for two
    std::size_t offers = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        UrdfJoint& joint = joints[j];
        const std::string owner = "joint '" + joint.name + "'";
        const auto find = [&](const std::string& name, At place, const char* which) {
            const auto found = link_index_.find(name);
            if (found != link_index_.end())
                return found->second;
            whole = false;
            if (!name.empty()) {
                const std::string near = ++offers <= 20 ? near_name(name, names) : "";
                problem(place, owner, ": there is no link '", name, "' to be its ", which,
                        near.empty() ? "; add it or correct the name"
                                     : "; did you mean '" + near + "'?");
            }
            return none;
        };
        joint.parent = find(ends_[j].parent, ends_[j].parent_at, "parent");
        joint.child = find(ends_[j].child, ends_[j].child_at, "child");
        if (joint.parent == none || joint.child == none)
            continue;
        int& above = of(carrier_, joint.child);
        if (joint.parent == joint.child) {
            whole = false;
            problem(at(joint), owner, ": it joins link '", ends_[j].child,
                    "' to itself; name another parent");
        } else if (above != none) {
            whole = false;
            problem(ends_[j].child_at, owner, ": link '", ends_[j].child,
                    "' is the child of joint '", of(joints, above).name, "' (line ",
                    of(joints, above).line,
                    ") already; a link has one parent. Loops cannot be written in URDF");
        } else {
            above = static_cast<int>(j);
            of(below, joint.parent).push_back(joint.child);
        }
    }
    if (!whole) // roots and cycles would be echoes of what is said already
        return false;

    std::vector<int> roots;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (carrier_[i] == none)
            roots.push_back(static_cast<int>(i));
    for (std::size_t k = 1; k < roots.size() && k <= 20; ++k)
        problem(at(of(links, roots[k])), "link '", of(links, roots[k]).name,
                "' has no parent, and nor has '", of(links, roots[0]).name,
                "'; a robot has one root: join it to another link (type fixed, if it does not "
                "move)");
    order_ = roots;
    for (std::size_t head = 0; head < order_.size(); ++head) {
        const auto& next = of(below, order_[head]);
        order_.insert(order_.end(), next.begin(), next.end());
    }
    if (order_.size() < links.size()) {
        // What no root reaches hangs on a cycle. Going up from any of it leads there.
        std::vector<bool> reached(links.size(), false);
        for (const int i : order_)
            of(reached, i) = true;
        const auto lost =
            static_cast<int>(std::find(reached.begin(), reached.end(), false) - reached.begin());
        const auto up = [&](int i) {
            const int j = of(carrier_, i);
            return of(joints, j).parent;
        };
        int i = lost;
        for (std::size_t n = 0; n < links.size(); ++n)
            i = up(i);
        std::string round = "'" + of(links, i).name + "'";
        int shown = 0;
        for (int k = up(i); k != i && shown < 10; k = up(k), ++shown)
            round = "'" + of(links, k).name + "' carries " + round;
        const UrdfJoint& joint = of(joints, of(carrier_, i));
        problem(at(joint), roots.empty() ? "there is no root: " : "",
                "links carry each other in a "
                "circle: ",
                round, shown < 10 ? ", which carries the first" : ", and so on",
                "; take one of these joints out");
        return false;
    }
    robot_.root = roots.front();
    heavy_.assign(links.size(), false);
    for (auto i = order_.rbegin(); i != order_.rend(); ++i) {
        const auto here = static_cast<std::size_t>(*i);
        heavy_[here] = heavy_[here] || links[here].own.mass > 0;
        if (carrier_[here] != none && heavy_[here])
            of(heavy_, of(joints, carrier_[here]).parent) = true;
    }
    return roots.size() == 1;
}

void Reader::lock_joints()
{
    std::vector<std::string_view> names;
    for (const UrdfJoint& joint : robot_.joints)
        names.push_back(joint.name);
    for (const UrdfLock& lock : options_.locks) {
        const std::string place = visible("lock '" + lock.joint + "'");
        const auto index = joint_index_.find(lock.joint);
        if (index == joint_index_.end()) {
            const std::string near = near_name(lock.joint, names);
            found_.add(place, "there is no joint of this name",
                       near.empty() ? "" : "; did you mean '" + visible(near) + "'?");
            continue;
        }
        UrdfJoint& joint = of(robot_.joints, index->second);
        const TypeFacts& facts = facts_of(joint.type);
        if (joint.type == Type::fixed)
            found_.add(place, "this joint is fixed in the file; take the lock away");
        else if (!std::isfinite(lock.q))
            found_.add(place, "it must be locked at a finite coordinate");
        else if (!facts.one_coordinate && lock.q != 0)
            found_.add(place, "a ", facts.name, " joint has no single coordinate; lock it at 0");
        else
            joint.locked = lock.q;
    }
}

/// Where each joint starts: zero, or where the joint it mimics asks it to.
void Reader::follow_mimics()
{
    std::vector<UrdfJoint>& joints = robot_.joints;
    std::vector<std::string_view> names;
    for (const UrdfJoint& joint : joints)
        names.push_back(joint.name);
    std::size_t offers = 0;
    std::vector<int> master(joints.size(), none);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        UrdfJoint& joint = joints[j];
        if (joint.locked) {
            joint.start = *joint.locked;
            joint.why = text_of("locked at ", *joint.locked);
        }
        if (!joint.mimic)
            continue;
        const std::string owner = "joint '" + joint.name + "'";
        const auto found = joint_index_.find(joint.mimic->joint);
        if (found == joint_index_.end()) {
            const std::string near = ++offers <= 20 ? near_name(joint.mimic->joint, names) : "";
            problem(at(joint), owner, ": it mimics '", joint.mimic->joint,
                    "', and there is no such joint",
                    near.empty() ? "; correct the name" : "; did you mean '" + near + "'?");
        } else if (!facts_of(of(joints, found->second).type).one_coordinate) {
            problem(at(joint), owner, ": it mimics '", joint.mimic->joint,
                    "', which has no single coordinate to follow");
        } else if (options_.ignore_mimic) {
            joint.why = "its mimic of '" + joint.mimic->joint + "' is ignored, as asked";
        } else if (joint.locked) {
            joint.why += "; its mimic of '" + joint.mimic->joint + "' has no effect";
        } else {
            master[j] = found->second;
        }
    }
    // Chains of mimics, each from its free end back. No recursion: a chain may be long.
    constexpr int unseen = 0, on_the_way = 1, seen = 2;
    std::vector<int> marks(joints.size(), unseen);
    for (std::size_t first = 0; first < joints.size(); ++first) {
        std::vector<std::size_t> chain;
        std::size_t j = first;
        while (marks[j] == unseen) {
            marks[j] = on_the_way;
            chain.push_back(j);
            if (master[j] == none)
                break;
            j = static_cast<std::size_t>(master[j]);
        }
        if (!chain.empty() && marks[j] == on_the_way && master[j] != none && j != chain.back()) {
            problem(at(joints[j]), "joint '", joints[j].name,
                    "': it mimics itself by way of others; let one of them move freely");
        } else if (!chain.empty() && master[chain.back()] == static_cast<int>(chain.back())) {
            problem(at(joints[j]), "joint '", joints[j].name,
                    "': it mimics itself; name another joint");
        } else {
            for (auto k = chain.rbegin(); k != chain.rend(); ++k) {
                UrdfJoint& joint = joints[*k];
                if (master[*k] == none)
                    continue;
                const UrdfJoint& leader = of(joints, master[*k]);
                const UrdfMimic& mimic = *joint.mimic;
                joint.start = mimic.multiplier * leader.start + mimic.offset;
                if (mimic.multiplier == 0) {
                    joint.locked = joint.start;
                    joint.why =
                        text_of("locked at ", joint.start, ": its mimic has the multiplier 0");
                } else if (leader.locked) {
                    joint.locked = joint.start;
                    joint.why = text_of("locked at ", joint.start, ": it mimics '", leader.name,
                                        "', which is locked");
                }
            }
        }
        for (const std::size_t k : chain)
            marks[k] = seen;
    }
}

// ---- what is rigid ------------------------------------------------------------------------------

void Reader::find_clusters()
{
    const std::size_t count = robot_.links.size();
    cluster_.assign(count, none);
    placed_.assign(count, identity_pose<double>());
    above_.assign(count, none);
    members_.assign(count, {});
    for (const int i : order_) {
        const auto here = static_cast<std::size_t>(i);
        cluster_[here] = i;
        if (carrier_[here] != none) {
            const UrdfJoint& joint = of(robot_.joints, carrier_[here]);
            if (rigid(joint)) {
                const auto above = static_cast<std::size_t>(joint.parent);
                cluster_[here] = cluster_[above];
                above_[here] = robot_.links[above].own.mass > 0 ? joint.parent : above_[above];
                placed_[here] = placed_[above] * child_pose(joint, joint.locked.value_or(0.0));
                placed_[here].q = normalised(placed_[here].q);
            }
        }
        if (robot_.links[here].own.mass > 0)
            of(members_, cluster_[here]).push_back(i);
    }
}

/// Why the builder would not take it as a body.
std::string Reader::why_no_body(const MassProperties& mass) const
{
    const std::string why = why_cannot_exist(mass.inertia);
    if (!why.empty())
        return "no body has its inertia: " + why;
    const Vec3<double> moments = principal_axes(mass.inertia).moments;
    if (moments.z == 0)
        return "it is a point: its inertia is zero";
    if (!(moments.x > 1e-12 * trace(mass.inertia))) // as Builder::build sees it
        return text_of("its inertia about one axis is zero: principal moments ", moments.x, ", ",
                       moments.y, ", ", moments.z);
    return {};
}

void Reader::find_groups()
{
    std::vector<UrdfLink>& links = robot_.links;
    group_.assign(links.size(), none);
    whole_.assign(links.size(), MassProperties{});
    for (const int top : order_) {
        const std::vector<int>& all = of(members_, top);
        if (all.empty())
            continue;
        for (const int i : all) {
            of(group_, i) = i;
            of(whole_, i) = of(links, i).own;
        }
        const auto join = [&](int a, int b) { // the group of b becomes part of that of a
            const auto first = static_cast<std::size_t>(a), second = static_cast<std::size_t>(b);
            const Pose<double> relative = inverse(placed_[first]) * placed_[second];
            whole_[first] = joined(whole_[first], moved(whole_[second], relative));
            group_[second] = a;
        };
        const auto first_of = [&](int i) { // of its group
            while (of(group_, i) != i)
                i = of(group_, i) = of(group_, of(group_, i));
            return i;
        };
        if (options_.merge_fixed) {
            for (std::size_t k = 1; k < all.size(); ++k)
                join(all.front(), all[k]);
            for (std::size_t k = 1; k < all.size(); ++k)
                of(links, all[k]).why =
                    "fixed to '" + of(links, all.front()).name + "' and joined with it, as asked";
        } else {
            const auto bad = [&](int i) {
                return of(group_, i) == i && !why_no_body(of(whole_, i)).empty();
            };
            const auto say = [&](int guilty, int with) {
                UrdfLink& link = of(links, guilty);
                const std::string why = why_no_body(link.own);
                if (!why.empty())
                    warn(inertial_of(link), "link '" + link.name + "'", why, "; it is fixed to '",
                         of(links, with).name, "' and taken together with it, which can exist");
            };
            // From the leaves up, each that cannot stand alone goes to the one it hangs on; what is
            // at the top takes in the next below until it can stand.
            for (auto i = all.rbegin(); i != all.rend(); ++i)
                if (bad(*i)) {
                    const int to = of(above_, *i);
                    if (to == none)
                        continue;
                    say(*i, to);
                    of(links, *i).why = "joined with '" + of(links, to).name +
                                        "', to which it is fixed: alone it cannot be a body";
                    join(to, *i);
                }
            for (std::size_t k = 0; k < all.size(); ++k) {
                if (!bad(all[k]))
                    continue;
                for (std::size_t n = k + 1; n < all.size() && bad(all[k]); ++n)
                    if (of(group_, all[n]) == all[n]) {
                        say(all[k], all[n]);
                        of(links, all[n]).why =
                            "joined with '" + of(links, all[k]).name +
                            "', which is fixed to it and alone cannot be a body";
                        join(all[k], all[n]);
                    }
                if (bad(all[k]) && first_of(all.front()) != all[k]) {
                    const int to = first_of(all.front());
                    say(all[k], to);
                    of(links, all[k]).why = "joined with '" + of(links, to).name +
                                            "', to which it is fixed: alone it cannot be a body";
                    join(to, all[k]);
                }
            }
        }
        for (const int i : all) {
            const auto here = static_cast<std::size_t>(i);
            group_[here] = first_of(i);
            const std::string why = group_[here] == i ? why_no_body(whole_[here]) : std::string();
            if (!why.empty())
                problem(inertial_of(links[here]), "link '", links[here].name, "': ", why,
                        "; give it the inertia of its shape (`poinsot mass` gives that of a mesh)",
                        all.size() == 1 ? ", or fix it to a link that has one" : "");
        }
    }
}

/// Where every link is: a body, a frame of one, or nowhere.
void Reader::find_frames()
{
    std::vector<UrdfLink>& links = robot_.links;
    std::vector<int> body_of(links.size(), none); // by first link of a group
    int bodies = 0;
    for (const int i : order_)
        if (of(group_, i) == i)
            of(body_of, i) = bodies++;
    for (const int i : order_) {
        const auto here = static_cast<std::size_t>(i);
        UrdfLink& link = links[here];
        const auto top = static_cast<std::size_t>(cluster_[here]);
        const auto put = [&](int first_link) {
            const auto first = static_cast<std::size_t>(first_link);
            link.frame = first_link == i
                             ? UrdfFrame{body_of[first], identity_pose<double>()}
                             : UrdfFrame{body_of[first], inverse(placed_[first]) * placed_[here]};
        };
        if (group_[here] != none) {
            link.fate = group_[here] == i ? Fate::body : Fate::joined;
            put(group_[here]);
            continue;
        }
        // No mass. On the body above it in its cluster, else on the world, else on the first below.
        const bool is_top = here == top;
        const UrdfJoint* joint =
            carrier_[here] == none ? nullptr : &of(robot_.joints, carrier_[here]);
        const bool grounded = cluster_[here] == robot_.root && options_.base == UrdfBase::fixed;
        const std::string no_mass = link.inertial_line ? "its mass is 0" : "it has no <inertial>";
        if (!is_top) {
            const UrdfLink& parent = of(links, joint->parent);
            if (parent.frame) {
                link.fate = Fate::frame;
                const Pose<double> q = child_pose(*joint, joint->locked.value_or(0.0));
                link.frame = UrdfFrame{parent.frame->body, parent.frame->pose * q};
                link.why = no_mass + "; a frame fixed to '" + parent.name + "'";
            } else {
                link.why = no_mass + "; fixed to '" + parent.name + "', which is left out";
            }
        } else if (grounded) {
            link.fate = Fate::frame;
            link.frame = UrdfFrame{world, identity_pose<double>()};
            link.why = no_mass + "; a frame of the world";
        } else if (!members_[top].empty()) {
            link.fate = Fate::frame;
            put(of(group_, members_[top].front()));
            link.why = no_mass + "; a frame of '" + of(links, members_[top].front()).name +
                       "', which is fixed to it";
        } else if (heavy_[here]) {
            problem(at(link), "link '", link.name, "' has no mass (", no_mass, "), ",
                    joint ? "moves by joint '" + joint->name + "'" : std::string("floats"),
                    " and carries links that have mass: no force could move it. Give it the mass "
                    "of the part it stands for",
                    joint ? ", or make the joint fixed" : ", or take a fixed base");
        } else {
            link.why = no_mass + ", and it moves nothing that has mass";
        }
    }
}

} // namespace poinsot::urdf
