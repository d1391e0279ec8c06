// SPDX-License-Identifier: MIT
// poinsot examples: the scenes that come with Poinsot, with a one-line story each.
#include "cli/commands.hpp"

#include "poinsot/io/ledger_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace poinsot {

int complain(const Problems& problems)
{
    fmt::print(stderr, "{}", problems.text());
    const std::size_t n = problems.list().size();
    if (n > 1)
        fmt::print(stderr, "{} problems\n", n);
    return wrong_input;
}
int complain(const std::string& problem)
{
    fmt::print(stderr, "{}\n", problem);
    return wrong_input;
}

std::optional<std::filesystem::path> examples_folder()
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (const char* named = std::getenv("POINSOT_SCENES"))
        return fs::path(named);
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path source = fs::path(__FILE__).parent_path().parent_path();
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
    std::error_code error;
    const bool bare = name.find_first_of("/.") == std::string::npos;
    if (bare && !std::filesystem::exists(name, error))
        for (const auto& scene : example_scenes())
            if (scene.stem() == name)
                return read_scene(scene);
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
            fmt::print("{:<24} {}\n", path.stem().string(), scene->story);
    }
    if (json)
        fmt::print("{}\n", list.dump(1));
    else
        fmt::print("\nRun one by its name, as in: poinsot run {}\n",
                   scenes.front().stem().string());
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
