// SPDX-License-Identifier: MIT
#include "cli/robot.hpp"

#include "poinsot/io/number.hpp"

namespace poinsot {

namespace {

/// "joint=0.3" or "joint=30 deg"; without "=" the coordinate is none.
struct Setting {
    std::string joint;
    std::optional<double> q;
};
std::optional<Setting> parsed(const std::string& text, const char* option, Problems& found)
{
    const std::size_t equals = text.rfind('=');
    Setting made{text.substr(0, equals), std::nullopt};
    if (equals == std::string::npos)
        return made;
    const ParsedNumber q = parse_angle(text.substr(equals + 1));
    if (!q.value) {
        found.add(option, "'", text.substr(equals + 1), "' ", q.problem);
        return std::nullopt;
    }
    made.q = q.value;
    return made;
}

} // namespace

std::vector<CLI::Option*> add_robot_options(CLI::App& command, RobotArguments& args)
{
    return {
        command.add_option("--base", args.base, "Robots: fixed (when left out) or floating"),
        command
            .add_option("--lock", args.locks,
                        "Robots: a joint that is fixed, at zero or as in --lock wrist=0.3; once "
                        "for each joint")
            ->expected(1)
            ->take_all()
            ->allow_extra_args(false),
        command
            .add_option("--package", args.packages,
                        "Robots: where package://name/ leads, as name=folder, or a folder of "
                        "packages; once for each")
            ->expected(1)
            ->take_all()
            ->allow_extra_args(false),
        command.add_flag("--merge-fixed", args.merge_fixed,
                         "Robots: links fixed to one another become one body"),
        command.add_flag("--ignore-mimic", args.ignore_mimic,
                         "Robots: joints that mimic another move freely"),
    };
}

CLI::Option* add_start_option(CLI::App& command, RobotArguments& args)
{
    return command
        .add_option("--start", args.starts,
                    "Robots: where a joint starts, as in --start wrist=0.3; once for each joint")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
}

Problems given_without_robot(const std::vector<CLI::Option*>& options)
{
    Problems found;
    for (const CLI::Option* option : options)
        if (option->count() > 0)
            found.add(option->get_name(), "is for robots (.urdf); leave it out");
    return found;
}

UrdfOptions urdf_options(const RobotArguments& args, Problems& found)
{
    const std::string base = args.base.value_or("fixed");
    if (base != "fixed" && base != "floating")
        found.add("--base", "must be fixed or floating, is '", base, "'");
    UrdfOptions options(base == "floating" ? UrdfBase::floating : UrdfBase::fixed);
    options.merge_fixed = args.merge_fixed;
    options.ignore_mimic = args.ignore_mimic;
    options.package_paths = args.packages;
    for (const std::string& lock : args.locks)
        if (auto made = parsed(lock, "--lock", found))
            options.locks.push_back({std::move(made->joint), made->q.value_or(0.0)});
    return options;
}

Problems start_joints(const RobotArguments& args, UrdfRobot& robot)
{
    Problems found;
    std::vector<std::string_view> names;
    for (const UrdfJoint& joint : robot.joints)
        names.push_back(joint.name);
    for (const std::string& start : args.starts) {
        const auto made = parsed(start, "--start", found);
        if (!made)
            continue;
        const UrdfJoint* joint = robot.joint(made->joint);
        if (!made->q)
            found.add("--start", "'", start, "' must say where, as in ", made->joint, "=0.3");
        else if (!joint) {
            const std::string near = nearest_word(made->joint, names);
            found.add("--start", robot.file, " has no joint '", made->joint, "'",
                      near.empty() ? "; `poinsot check` lists them"
                                   : fmt::format("; did you mean '{}'?", near));
        } else if (const std::string why = robot.why_no_start(*joint); !why.empty())
            found.add("--start", "joint '", made->joint, "' cannot be set: ", why,
                      "; leave it out");
        else
            robot.start_at(*joint, *made->q, 0);
    }
    return found;
}

Result<Scene> find_scene_or_robot(const std::string& name, const RobotArguments& args)
{
    if (!is_urdf(name))
        return find_scene(name);
    Problems found;
    const UrdfOptions options = urdf_options(args, found);
    if (found.any())
        return found;
    auto robot = read_urdf(name, options);
    if (!robot)
        return robot.problems();
    found = start_joints(args, *robot);
    if (found.any())
        return found;
    return scene_of(*robot);
}

} // namespace poinsot
