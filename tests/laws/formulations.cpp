// SPDX-License-Identifier: MIT
#include "formulations.hpp"

namespace poinsot {

Builder scene_description(const std::string& name)
{
    const auto scene = read_scene(tests_folder() / "../scenes" / (name + ".yaml"));
    if (!scene)
        FAIL(scene.problems().text());
    return scene->description;
}

std::shared_ptr<const Model> scene(const std::string& name)
{
    return built(scene_description(name));
}

RunSettings run_in(Formulation formulation, Method method, double h, double until)
{
    RunSettings run = run_with(method, h, until);
    run.step.formulation = formulation;
    run.ledger.detail = Postings::Detail::totals;
    return run;
}

RunSettings tight(Formulation formulation, double h, double until, double tolerance)
{
    RunSettings run = run_in(formulation, Method::adaptive, h, until);
    run.step.tolerance = {tolerance, tolerance, 10000000};
    return run;
}

void measured(const nlohmann::json& line)
{
    std::cout << "measured: " << line.dump() << std::endl;
}

double gap(const Model& model, const Placed& placed)
{
    double worst = 0;
    for (std::size_t j = 0; j < placed.joints.size(); ++j)
        switch (model.joints()[j].kind) {
        case JointKind::weld:
        case JointKind::revolute:
        case JointKind::universal:
        case JointKind::ball:
        case JointKind::point:
            worst = std::max(worst, norm(placed.joints[j].x_a - placed.joints[j].x_b));
            break;
        default:
            break;
        }
    return worst;
}

} // namespace poinsot
