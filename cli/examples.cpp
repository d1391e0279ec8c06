// SPDX-License-Identifier: MIT
// poinsot examples: the scenes that come with Poinsot, with a one-line story each.
#include "cli/commands.hpp"

#include "poinsot/io/ledger_text.hpp"
#include "poinsot/io/number.hpp"
#include "poinsot/io/urdf.hpp"
#include "poinsot/io/yaml_tree.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace poinsot {

namespace {

constexpr std::size_t most_problems = 50; // to print: who has more has one that repeats

/// Control characters of a name made visible, lines kept.
std::string for_terminal(const std::string& text)
{
    std::string all;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        all += visible(std::string_view(text).substr(begin, end - begin)) + "\n";
        begin = end + 1;
    }
    return all;
}

} // namespace

void put(std::FILE* where, std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), where) < text.size())
        return; // where it matters, `all_said` sees it
}

int all_said(int status)
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return status;
    return complain("standard output: cannot be written");
}

int complain(const Problems& problems)
{
    const auto& list = problems.list();
    const std::size_t shown = std::min(list.size(), most_problems);
    for (std::size_t i = 0; i < shown; ++i)
        complain(list[i].place + ": " + list[i].what);
    if (shown < list.size())
        put(stderr, fmt::format("… and {} more\n", list.size() - shown));
    if (list.size() > 1)
        put(stderr, fmt::format("{} problems\n", list.size()));
    return wrong_input;
}
int complain(const std::string& problem)
{
    put(stderr, for_terminal(problem));
    return wrong_input;
}
int refuse(const Problems& problems, bool json)
{
    using nlohmann::ordered_json;
    if (!json)
        return complain(problems);
    auto list = ordered_json::array();
    for (const Problem& problem : problems.list())
        list.push_back({{"place", problem.place}, {"what", problem.what}});
    say("{}\n", ordered_json{{"problems", list}}.dump(1, ' ', false,
                                                      ordered_json::error_handler_t::replace));
    return wrong_input;
}

Problems empty_options(const CLI::App& command)
{
    Problems found;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& value : option->results())
            if (value.empty())
                found.add(option->get_name(), "is empty; give a value, or leave it out");
    return found;
}

std::optional<std::filesystem::path> examples_folder()
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (const char* named = std::getenv("POINSOT_SCENES"))
        return fs::path(named);
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path source = POINSOT_SOURCE_FOLDER; // where it was built
    for (const fs::path& folder :
         {program.parent_path().parent_path() / "share/poinsot/scenes", source / "scenes"})
        if (fs::is_directory(folder, error))
            return folder;
    return std::nullopt;
}

std::vector<std::filesystem::path> example_scenes()
{
    std::vector<std::filesystem::path> scenes;
    std::error_code error;
    if (const auto folder = examples_folder())
        for (const auto& entry : std::filesystem::directory_iterator(*folder, error))
            if (entry.path().extension() == ".yaml")
                scenes.push_back(entry.path());
    std::sort(scenes.begin(), scenes.end());
    return scenes;
}

Result<Scene> find_scene(const std::string& name)
{
    if (is_urdf(name)) {
        Problems robot;
        robot.add(name, "is a robot, and scenes are asked for: name it under 'robots' in one");
        return robot;
    }
    std::error_code error;
    const bool bare = name.find_first_of("/.") == std::string::npos;
    if (bare && !std::filesystem::exists(name, error))
        for (const auto& scene : example_scenes())
            if (scene.stem() == name)
                return read_scene(scene);
    if (bare && !std::filesystem::exists(name, error)) {
        std::vector<std::string> names;
        for (const auto& scene : example_scenes())
            names.push_back(scene.stem().string());
        const std::string near =
            nearest_word(name, std::vector<std::string_view>(names.begin(), names.end()));
        Problems found;
        if (!near.empty())
            found.add(name, "there is no such file, nor an example of this name; did you mean '",
                      near, "'? `poinsot examples` lists those that come with Poinsot");
        if (found.any())
            return found;
    }
    return read_scene(name);
}

namespace {

int examples(bool json)
{
    const auto scenes = example_scenes();
    if (scenes.empty())
        return complain(
            "There are no example scenes: set POINSOT_SCENES to the folder they are in.");
    auto list = nlohmann::ordered_json::array();
    int status = done;
    for (const auto& path : scenes) {
        const auto scene = read_scene(path);
        if (!scene) {
            status = complain(scene.problems());
            continue;
        }
        if (json)
            list.push_back({{"name", path.stem().string()},
                            {"file", path.string()},
                            {"title", scene->title},
                            {"story", scene->story}});
        else
            say("{:<24} {}\n", path.stem().string(), scene->story);
    }
    if (json)
        say("{}\n", list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    else
        say("\nRun one by its name, as in: poinsot run {}\n", scenes.front().stem().string());
    return status;
}

} // namespace

void add_examples_command(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand("examples", "The scenes that come with Poinsot");
    command->footer("Example: poinsot examples");
    static bool json = false;
    command->add_flag("--json", json, "For machines: name, file, title and story of each");
    command->callback([&status] { status = examples(json); });
}

} // namespace poinsot
