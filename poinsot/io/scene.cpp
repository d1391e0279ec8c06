// SPDX-License-Identifier: MIT
#include "poinsot/io/scene.hpp"

#include "poinsot/io/mesh.hpp"
#include "poinsot/io/number.hpp"
#include "poinsot/io/yaml_tree.hpp"
#include "poinsot/mass/principal.hpp"
#include "poinsot/mass/solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

namespace poinsot {

namespace {

// The one table of keys. A key that is not here is unknown to the reader; one that is here and
// never asked for stops at a check. schema/scene.schema.json is compared with it by
// tests/cli/schema.py.
constexpr SceneKey keys[] = {
    {"scene", "title"},
    {"scene", "story"},
    {"scene", "gravity"},
    {"scene", "bodies"},
    {"scene", "particles"},
    {"scene", "springs"},
    {"scene", "drag"},
    {"scene", "loads"},
    {"scene", "run"},
    {"scene", "ledger"},
    {"scene", "output"},
    {"gravity", "uniform"},
    {"gravity", "G"},
    {"body", "name"},
    {"body", "box"},
    {"body", "ball"},
    {"body", "ellipsoid"},
    {"body", "cylinder"},
    {"body", "capsule"},
    {"body", "cone"},
    {"body", "mesh"},
    {"body", "mass"},
    {"body", "density"},
    {"body", "inertia"},
    {"body", "center_of_mass"},
    {"body", "position"},
    {"body", "orientation"},
    {"body", "velocity"},
    {"body", "angular_velocity"},
    {"body", "angular_velocity_body"},
    {"body", "held"},
    {"round", "radius"},
    {"round", "height"},
    {"inertia", "xx"},
    {"inertia", "yy"},
    {"inertia", "zz"},
    {"inertia", "xy"},
    {"inertia", "xz"},
    {"inertia", "yz"},
    {"orientation", "axis"},
    {"orientation", "angle"},
    {"orientation", "euler"},
    {"orientation", "sequence"},
    {"held", "point"},
    {"held", "along"},
    {"particle", "name"},
    {"particle", "mass"},
    {"particle", "position"},
    {"particle", "velocity"},
    {"spring", "name"},
    {"spring", "from"},
    {"spring", "to"},
    {"spring", "stiffness"},
    {"spring", "damping"},
    {"spring", "rest_length"},
    {"end", "body"},
    {"end", "at"},
    {"end", "world"},
    {"drag", "name"},
    {"drag", "body"},
    {"drag", "linear"},
    {"drag", "quadratic"},
    {"load", "name"},
    {"load", "body"},
    {"load", "force"},
    {"load", "torque"},
    {"load", "at"},
    {"load", "axes"},
    {"load", "from"},
    {"load", "until"},
    {"run", "until"},
    {"run", "step"},
    {"run", "integrator"},
    {"run", "state_form"},
    {"run", "renormalise"},
    {"run", "tolerance"},
    {"run", "energy_tolerance"},
    {"tolerance", "relative"},
    {"tolerance", "absolute"},
    {"tolerance", "most_substeps"},
    {"ledger", "detail"},
    {"ledger", "about"},
    {"ledger", "every"},
    {"output", "every"},
};

/// What the builder and the simulation find, by how their sentence begins: the key it is about, and
/// what to do. Places of the builder are names; here they become lines and columns.
struct Remedy {
    std::string_view begins, key, remedy;
};
constexpr Remedy remedies[] = {
    {"mass must", "mass", "give the mass in kg, greater than zero"},
    {"no body has this inertia", "inertia",
     "give moments about the centre of mass, in kg m²; none may exceed the sum of the other two"},
    {"the inertia about one axis", "inertia", ""},
    {"inertia is too large", "inertia", "give it in kg m²"},
    {"orientation must", "orientation", "divide by its norm, or write {axis: …, angle: …}"},
    {"a particle cannot", "held", ""},
    {"the line it is held on", "held", "give along as a direction such as [0, 1, 0]"},
    {"both ends", "to", "fix one end to another body, or to {world: […]}"},
    {"stiffness must", "stiffness", "give it in N/m"},
    {"damping must", "damping", "give it in N s/m"},
    {"rest length must", "rest_length", "give it in m"},
    {"drag coefficients", "linear", "give linear in N s/m and quadratic in N s²/m²"},
    {"a particle feels no torque", "torque", ""},
    {"must begin before", "from", "exchange from and until, or leave until out"},
    {"G must", "G", "give it in N m²/kg²; 6.674e-11 is nature's"},
};

struct Named {
    std::string kind; // "body", "spring", …
    const YamlNode* node;
};

class Reader {
  public:
    Reader(const std::string& text, std::string file) : lines_(text), file_(std::move(file)) {}

    Result<Scene> read(const YamlNode& root);

  private:
    // ---- what every part needs ----

    template <class... Parts>
    void problem(const YamlNode& at, const Parts&... parts)
    {
        const std::string quote = lines_.quoted(at.line, at.column);
        found_.add(place_of(file_, at.line, at.column), visible(text_of(parts...)),
                   quote.empty() ? "" : "\n", quote);
    }

    /// A map whose keys are those of a place in the table. `what` names it in problems.
    class Fields {
      public:
        Fields(Reader& reader, const YamlNode& node, std::string_view place, std::string what);
        ~Fields();
        Fields(const Fields&) = delete;

        const YamlNode* find(std::string_view key);
        /// The value, or a problem that says it is needed and how it may look.
        const YamlNode* need(std::string_view key, std::string_view example);
        std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }
        const YamlNode& node() const { return node_; }
        const std::string& what() const { return what_; }
        bool ok() const { return map_; }
        /// For keys that another one makes meaningless.
        void ignore(std::string_view key) { asked_.insert(key); }

      private:
        Reader& reader_;
        const YamlNode& node_;
        std::string_view place_;
        std::string what_;
        bool map_ = true;
        std::set<std::string_view> asked_;
    };

    static std::string shown(const YamlNode& node);
    double number(const YamlNode& node, const std::string& what, double otherwise = 0);
    double positive(const YamlNode& node, const std::string& what, double otherwise = 1);
    double angle(const YamlNode& node, const std::string& what);
    int count(const YamlNode& node, const std::string& what);
    bool truth(const YamlNode& node, const std::string& what, bool otherwise);
    std::string word(const YamlNode& node, const std::string& what);
    Vec3<double> vector(const YamlNode& node, const std::string& what,
                        const Vec3<double>& otherwise = zero3<double>());
    std::vector<double> numbers(const YamlNode& node, const std::string& what, std::size_t n);
    std::optional<Mat3<double>> rows(const YamlNode& node, const std::string& what);
    int body_named(const YamlNode& node, const std::string& what);
    const std::vector<YamlNode>& items(Fields& scene, std::string_view key);

    // ---- the parts of a scene ----

    void read_gravity(const YamlNode& node);
    void read_body(const YamlNode& node);
    void read_particle(const YamlNode& node);
    void read_spring(const YamlNode& node);
    void read_drag(const YamlNode& node);
    void read_load(const YamlNode& node);
    void read_run(const YamlNode& node);
    void read_ledger(const YamlNode& node);

    std::string name_of_item(Fields& f, const char* kind, bool needed);
    void read_mass(Fields& f, Body& body);
    std::optional<MassProperties> read_shape(Fields& f, Body& body, double density);
    Quat<double> read_orientation(const YamlNode& node, const std::string& what);
    Sym3<double> read_inertia(const YamlNode& node, const std::string& what);
    Anchor read_end(const YamlNode& node, const std::string& what);

    // ---- the end ----

    void build();
    void check_settings(const Model* model);
    void translate(const Problems& problems, const std::map<std::string, const YamlNode*>& places);

    const Lines lines_;
    std::string file_;
    Problems found_;
    Scene scene_;
    std::map<std::string, Named> names_; // of everything that has one
    std::map<std::string, int> given_;   // how many names were given to a kind that has none
    std::map<std::string, int> bodies_;  // index by name
    std::vector<const YamlNode*> body_nodes_, spring_nodes_, drag_nodes_, load_nodes_;
    const YamlNode* gravity_node_ = nullptr;
    const YamlNode* run_node_ = nullptr;
    const YamlNode* ledger_node_ = nullptr;
    const YamlNode* root_ = nullptr;
    const YamlNode* tolerance_node_ = nullptr;
    bool chose_integrator_ = false;
};

Reader::Fields::Fields(Reader& reader, const YamlNode& node, std::string_view place,
                       std::string what)
    : reader_(reader), node_(node), place_(place), what_(std::move(what))
{
    std::vector<std::string_view> known;
    for (const SceneKey& k : keys)
        if (k.place == place)
            known.push_back(k.key);
    if (!node.is_map()) {
        map_ = false;
        reader.problem(node, what_, " must be a map with keys such as '", known.front(), ":', is ",
                       shown(node));
        return;
    }
    std::map<std::string, const YamlNode*> seen;
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
        const YamlNode& key = node.keys[i];
        if (!key.is_scalar()) {
            reader.problem(key, "a key of ", what_, " must be a word, is ", shown(key));
            continue;
        }
        if (std::find(known.begin(), known.end(), key.text) == known.end()) {
            const std::string near = nearest_word(key.text, known);
            reader.problem(key, "unknown key '", key.text, "' in ", what_,
                           near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
                           near.empty() ? "; known here: " : " Known here: ",
                           fmt::format("{}", fmt::join(known, ", ")));
            continue;
        }
        const auto [first, fresh] = seen.try_emplace(key.text, &key);
        if (!fresh)
            reader.problem(key, "duplicate key '", key.text, "' in ", what_, "; it stands in line ",
                           first->second->line, " already: keep one of the two");
    }
}

Reader::Fields::~Fields()
{
    // A key in the table that no one asks for would be ignored in silence.
    for (const SceneKey& k : keys)
        if (map_ && k.place == place_)
            check(asked_.contains(k.key), "every known key of a scene is asked for");
}

const YamlNode* Reader::Fields::find(std::string_view key)
{
    asked_.insert(key);
    for (std::size_t i = 0; i < node_.keys.size() && i < node_.items.size(); ++i)
        if (node_.keys[i].is_scalar() && node_.keys[i].text == key)
            return &node_.items[i];
    return nullptr;
}
const YamlNode* Reader::Fields::need(std::string_view key, std::string_view example)
{
    const YamlNode* value = find(key);
    if (!value && map_)
        reader_.problem(node_, what_, " needs '", key, "', for example '", key, ": ", example, "'");
    return value;
}

std::string Reader::shown(const YamlNode& node)
{
    switch (node.kind) {
    case YamlNode::Kind::null:
        return "empty";
    case YamlNode::Kind::scalar:
        return (node.quoted ? "the text '" : "'") +
               (node.text.size() > 60 ? node.text.substr(0, 57) + "..." : node.text) + "'";
    case YamlNode::Kind::list:
        return fmt::format("a list of {}", node.items.size());
    case YamlNode::Kind::map:
        return "a map";
    }
    return "";
}

double Reader::number(const YamlNode& node, const std::string& what, double otherwise)
{
    if (!node.is_scalar()) {
        problem(node, what, " must be a number, is ", shown(node));
        return otherwise;
    }
    const ParsedNumber parsed = parse_number(node.text);
    if (node.quoted) {
        problem(node, what, " must be a number, is ", shown(node),
                parsed.value ? "; remove the quotes" : "");
        return otherwise;
    }
    if (!parsed.value) {
        problem(node, what, " must be a number, but '", node.text, "' ", parsed.problem);
        return otherwise;
    }
    return *parsed.value;
}
double Reader::positive(const YamlNode& node, const std::string& what, double otherwise)
{
    const double value = number(node, what, otherwise);
    if (value > 0)
        return value;
    problem(node, what, " must be greater than zero, is ", value);
    return otherwise;
}
double Reader::angle(const YamlNode& node, const std::string& what)
{
    if (!node.is_scalar()) {
        problem(node, what, " must be an angle in radians or such as '30 deg', is ", shown(node));
        return 0;
    }
    const ParsedNumber parsed = parse_angle(node.text);
    if (!parsed.value)
        problem(node, what, " must be an angle, but '", node.text, "' ", parsed.problem);
    return parsed.value.value_or(0);
}
int Reader::count(const YamlNode& node, const std::string& what)
{
    const double value = number(node, what, 1);
    if (value >= 1 && value <= 1e9 && value == std::floor(value))
        return static_cast<int>(value);
    problem(node, what, " must be a whole number of at least 1 and at most 1000000000, is ", value);
    return 1;
}
bool Reader::truth(const YamlNode& node, const std::string& what, bool otherwise)
{
    if (node.is_scalar() && !node.quoted && (node.text == "true" || node.text == "false"))
        return node.text == "true";
    problem(node, what, " must be true or false, is ", shown(node));
    return otherwise;
}
std::string Reader::word(const YamlNode& node, const std::string& what)
{
    // A block of text has lines and tabs; other control characters a terminal would obey.
    std::string plain = node.text;
    std::erase_if(plain, [](char c) { return c == '\n' || c == '\t'; });
    if (node.is_scalar() && !plain.empty() && visible(plain) == plain)
        return node.text;
    if (node.is_scalar() && !plain.empty())
        problem(node, what, " has a control character in it: '", node.text, "'; remove it");
    else
        problem(node, what, " must be text, is ", node.is_scalar() ? "empty" : shown(node));
    return "";
}
std::vector<double> Reader::numbers(const YamlNode& node, const std::string& what, std::size_t n)
{
    if (!node.is_list() || node.items.size() != n) {
        problem(node, what, " must be a list of ", n, " numbers, is ", shown(node));
        return {};
    }
    std::vector<double> values;
    for (const YamlNode& item : node.items)
        values.push_back(number(item, what));
    return values;
}
Vec3<double> Reader::vector(const YamlNode& node, const std::string& what,
                            const Vec3<double>& otherwise)
{
    const auto v = numbers(node, what, 3);
    return v.empty() ? otherwise : Vec3<double>{v[0], v[1], v[2]};
}
std::optional<Mat3<double>> Reader::rows(const YamlNode& node, const std::string& what)
{
    std::array<Vec3<double>, 3> r;
    const std::size_t before = found_.list().size();
    for (std::size_t i = 0; i < 3; ++i)
        r[i] = vector(node.items[i], fmt::format("row {} of {}", i + 1, what));
    if (found_.list().size() != before)
        return std::nullopt;
    return Mat3<double>{r[0], r[1], r[2]};
}
int Reader::body_named(const YamlNode& node, const std::string& what)
{
    const std::string name = word(node, what);
    if (name.empty())
        return world;
    const auto found = bodies_.find(name);
    if (found != bodies_.end())
        return found->second;
    // A few thousand names, for the first few problems: comparing all with all takes minutes.
    std::vector<std::string_view> known;
    for (const auto& [body, index] : bodies_) {
        if (known.size() == 2000)
            break;
        known.push_back(body);
    }
    const std::string near = found_.list().size() < 50 ? nearest_word(name, known) : "";
    const bool more = known.size() > 10;
    if (more)
        known.resize(10);
    problem(node, what, ": there is no body '", name, "'",
            near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
            known.empty()
                ? std::string("; the scene has none")
                : fmt::format(" Bodies here: {}{}", fmt::join(known, ", "), more ? ", …" : ""));
    return world;
}
const std::vector<YamlNode>& Reader::items(Fields& scene, std::string_view key)
{
    static const std::vector<YamlNode> none;
    const YamlNode* list = scene.find(key);
    if (!list)
        return none;
    if (list->is_list())
        return list->items;
    problem(*list, "'", key, "' must be a list, each item beginning with '- ', is ", shown(*list));
    return none;
}

// ---- parts --------------------------------------------------------------------------------------

void Reader::read_gravity(const YamlNode& node)
{
    gravity_node_ = &node;
    if (node.is_list()) {
        scene_.description.gravity.uniform = vector(node, "gravity");
        return;
    }
    Fields f(*this, node, "gravity", "gravity");
    if (const YamlNode* uniform = f.find("uniform"))
        scene_.description.gravity.uniform = vector(*uniform, f.of("uniform"));
    if (const YamlNode* G = f.find("G"))
        scene_.description.gravity.G = number(*G, f.of("G"));
    if (f.ok() && node.keys.empty())
        problem(node, "gravity is empty: give uniform: [0, 0, -9.81] or G, or leave it out");
}

std::string Reader::name_of_item(Fields& f, const char* kind, bool needed)
{
    const YamlNode* node = needed ? f.need("name", kind) : f.find("name");
    if (!node) {
        // Springs and loads need none; one is given so that problems and files can speak of them.
        for (int& i = given_[kind]; !needed;) {
            std::string name = fmt::format("{} {}", kind, ++i);
            if (names_.try_emplace(name, Named{kind, &f.node()}).second)
                return name;
        }
        return "";
    }
    const std::string name = word(*node, fmt::format("name of a {}", kind));
    if (name.empty())
        return name;
    if (visible(name) != name)
        problem(*node, "name of a ", kind, " must be one line without tabs, is ", shown(*node));
    for (const char* reserved : {"origin", "center_of_mass", "world"})
        if (name == reserved)
            problem(*node, "'", name, "' has a meaning of its own in scenes; choose another name");
    const auto [first, fresh] = names_.try_emplace(name, Named{kind, node});
    if (!fresh)
        problem(*node, "duplicate name '", name, "': the ", first->second.kind, " in line ",
                first->second.node->line, " has it already; names must be unique");
    return name;
}

std::optional<MassProperties> Reader::read_shape(Fields& f, Body& body, double density)
{
    std::optional<MassProperties> made;
    std::string first;
    const auto one_shape = [&](std::string_view key) -> const YamlNode* {
        const YamlNode* node = f.find(key);
        if (node && !first.empty()) {
            problem(*node, f.what(), " has two shapes, ", first, " and ", key, "; keep one");
            return nullptr;
        }
        if (node)
            first = key;
        return node;
    };
    const auto sides = [&](const YamlNode& node, const std::string& what) {
        const auto v = vector(node, what, {1, 1, 1});
        if (v.x > 0 && v.y > 0 && v.z > 0)
            return v;
        problem(node, what, " must be three lengths greater than zero");
        return Vec3<double>{1, 1, 1};
    };
    const auto round = [&](const YamlNode& node, const std::string& what) {
        Fields r(*this, node, "round", what);
        const YamlNode* radius = r.need("radius", "0.1");
        const YamlNode* height = r.need("height", "0.5");
        return std::array<double, 2>{radius ? positive(*radius, r.of("radius")) : 1,
                                     height ? positive(*height, r.of("height")) : 1};
    };
    if (const YamlNode* node = one_shape("box")) {
        const Box shape{sides(*node, f.of("box"))};
        body.shape = shape;
        made = solid_box(shape.size, density);
    }
    if (const YamlNode* node = one_shape("ball")) {
        const Ball shape{positive(*node, "radius of the ball, " + f.of("ball"))};
        body.shape = shape;
        made = solid_ball(shape.radius, density);
    }
    if (const YamlNode* node = one_shape("ellipsoid")) {
        const Ellipsoid shape{sides(*node, f.of("ellipsoid"))};
        body.shape = shape;
        made = solid_ellipsoid(shape.semi_axes, density);
    }
    if (const YamlNode* node = one_shape("cylinder")) {
        const auto [r, h] = round(*node, f.of("cylinder"));
        body.shape = Cylinder{r, h};
        made = solid_cylinder(r, h, density);
    }
    if (const YamlNode* node = one_shape("capsule")) {
        const auto [r, h] = round(*node, f.of("capsule"));
        body.shape = Capsule{r, h};
        made = solid_capsule(r, h, density);
    }
    if (const YamlNode* node = one_shape("cone")) {
        const auto [r, h] = round(*node, f.of("cone"));
        body.shape = Cone{r, h};
        made = solid_cone(r, h, density);
    }
    if (const YamlNode* node = one_shape("mesh")) {
        const std::string path = word(*node, f.of("mesh"));
        body.shape = MeshShape{path};
        made = {1, zero3<double>(), diagonal(1.0, 1.0, 1.0)}; // of a mesh that cannot be read
        if (!path.empty()) {
            const auto beside = std::filesystem::path(file_).parent_path() / path;
            const auto mesh = read_mesh(beside);
            const auto mass = mesh ? mass_of_surface(mesh->surface, density, beside.string())
                                   : Result<MassProperties>(mesh.problems());
            if (mass)
                made = *mass;
            else
                for (const Problem& p : mass.problems().list())
                    problem(*node, f.of("mesh"), ": ", p.place, ": ", p.what);
        }
    }
    return made;
}

void Reader::read_mass(Fields& f, Body& body)
{
    const YamlNode* mass = f.find("mass");
    const YamlNode* density = f.find("density");
    const YamlNode* inertia = f.find("inertia");
    const YamlNode* center = f.find("center_of_mass");
    const double m = mass ? number(*mass, f.of("mass"), 1) : 1;
    const double rho = density ? positive(*density, f.of("density")) : 1;
    const auto solid = read_shape(f, body, rho);
    MassProperties& made = body.mass_properties;
    made = {1, zero3<double>(), diagonal(1.0, 1.0, 1.0)}; // what a problem below leaves behind

    if (mass && density)
        problem(*density, f.what(), " has both mass and density; keep one");
    if (!inertia && center)
        problem(*center, "center_of_mass of ", f.what(), " is given without inertia; ",
                solid ? "the shape has a centre of its own: leave it out, or give inertia as well"
                      : "give inertia as well");
    if (inertia) {
        if (density)
            problem(*density, f.what(), " has both inertia and density; with inertia, give mass");
        else if (!mass)
            f.need("mass", "1.0");
        made = {m, solid ? solid->center : zero3<double>(),
                read_inertia(*inertia, f.of("inertia"))};
        if (center)
            made.center = vector(*center, f.of("center_of_mass"));
        else if (solid && norm(solid->center) > 0)
            problem(*inertia, f.what(),
                    " has its own inertia: give center_of_mass as well, since "
                    "that of its shape is not at the origin of the body frame");
    } else if (solid) {
        if (!mass && !density && f.ok())
            problem(f.node(), f.what(), " needs 'mass' or 'density' beside its shape");
        // The distribution is that of the solid, whatever the mass is; a wrong mass is the
        // builder's to find.
        made = mass && solid->mass > 0 ? rescaled(*solid, m / solid->mass, 1) : *solid;
        if (mass)
            made.mass = m;
        if (mass && !(m > 0))
            made.inertia = diagonal(1.0, 1.0, 1.0);
    } else if (f.ok()) {
        made.mass = m;
        problem(f.node(), f.what(),
                " needs an extent: a shape (box, ball, ellipsoid, cylinder, capsule, cone or mesh) "
                "with mass or density, or mass and inertia; a point mass goes to 'particles'");
    }
}

Sym3<double> Reader::read_inertia(const YamlNode& node, const std::string& what)
{
    const Sym3<double> otherwise = diagonal(1.0, 1.0, 1.0);
    if (node.is_list() && node.items.size() == 3 && node.items[0].is_list()) {
        const auto m = rows(node, what);
        if (!m)
            return otherwise;
        const double largest = std::max({std::abs(m->r0.x), std::abs(m->r1.y), std::abs(m->r2.z)});
        const double apart = std::max({std::abs(m->r0.y - m->r1.x), std::abs(m->r0.z - m->r2.x),
                                       std::abs(m->r1.z - m->r2.y)});
        if (!(apart <= 1e-9 * largest)) {
            problem(node, what, " must be symmetric; entries across the diagonal differ by ",
                    apart);
            return otherwise;
        }
        return {m->r0.x, m->r1.y, m->r2.z, m->r0.y, m->r0.z, m->r1.z};
    }
    if (node.is_list()) {
        const Vec3<double> d = vector(node, what, {1, 1, 1});
        return diagonal(d.x, d.y, d.z);
    }
    if (node.is_map()) {
        Fields f(*this, node, "inertia", what);
        const auto entry = [&](std::string_view key, bool needed) {
            const YamlNode* value = needed ? f.need(key, "1.0") : f.find(key);
            return value ? number(*value, f.of(key), needed ? 1 : 0) : needed ? 1.0 : 0.0;
        };
        return {entry("xx", true),  entry("yy", true),  entry("zz", true),
                entry("xy", false), entry("xz", false), entry("yz", false)};
    }
    problem(node, what, " must be [Ixx, Iyy, Izz], three rows, or {xx: …, yy: …, zz: …}, is ",
            shown(node));
    return otherwise;
}

Quat<double> Reader::read_orientation(const YamlNode& node, const std::string& what)
{
    const Quat<double> otherwise = identity_quat<double>();
    if (node.is_list() && node.items.size() == 3 && node.items[0].is_list()) {
        const auto R = rows(node, what);
        if (!R)
            return otherwise;
        const double off = orthonormality_error(*R);
        const double det = dot(R->r0, cross(R->r1, R->r2));
        if (off <= 1e-6 && det > 0)
            return quat_of(*R);
        problem(node, what, " must be a rotation matrix; ",
                det > 0 ? text_of("its rows are off from unit vectors at right angles by ", off)
                        : std::string("its rows are left-handed or degenerate"),
                "; check signs, or write {axis: …, angle: …}");
        return otherwise;
    }
    if (node.is_list()) {
        const auto q = numbers(node, what + " as w, x, y, z", 4);
        return q.empty() ? otherwise : Quat<double>{q[0], q[1], q[2], q[3]};
    }
    if (!node.is_map()) {
        problem(node, what,
                " must be [w, x, y, z], {axis: …, angle: …}, {euler: …, sequence: …} or ",
                "three rows, is ", shown(node));
        return otherwise;
    }
    Fields f(*this, node, "orientation", what);
    const YamlNode* axis = f.find("axis");
    const YamlNode* turn = f.find("angle");
    const YamlNode* euler = f.find("euler");
    const YamlNode* sequence = f.find("sequence");
    if ((axis || turn) == (euler || sequence)) {
        problem(node, what, " needs either axis and angle, or euler and sequence");
        return otherwise;
    }
    if (axis || turn) {
        if (!axis)
            f.need("axis", "[0, 0, 1]");
        if (!turn)
            f.need("angle", "30 deg");
        const Vec3<double> n =
            axis ? vector(*axis, f.of("axis"), {0, 0, 1}) : Vec3<double>{0, 0, 1};
        const double phi = turn ? angle(*turn, f.of("angle")) : 0;
        if (!(norm(n) > 0) || !std::isfinite(norm(n))) {
            problem(*axis, f.of("axis"), " must have a direction, is zero or too large");
            return otherwise;
        }
        return exp_quat((phi / norm(n)) * n);
    }
    // Turns about the axes of the body as it turns: R = R₁(a) R₂(b) R₃(c).
    if (!euler)
        f.need("euler", "[10 deg, 20 deg, 30 deg]");
    const std::string order = sequence ? word(*sequence, f.of("sequence")) : "zyx";
    if (!sequence)
        f.need("sequence", "zyx");
    if (order.size() != 3 || order.find_first_not_of("xyz") != std::string::npos ||
        order[0] == order[1] || order[1] == order[2]) {
        if (sequence)
            problem(*sequence, f.of("sequence"), " must be three axes such as zyx or zxz, no two ",
                    "neighbours the same, is '", order, "'");
        return otherwise;
    }
    if (!euler || !euler->is_list() || euler->items.size() != 3) {
        if (euler)
            problem(*euler, f.of("euler"), " must be a list of 3 angles, is ", shown(*euler));
        return otherwise;
    }
    Quat<double> q = otherwise;
    for (std::size_t i = 0; i < 3; ++i) {
        const double a = angle(euler->items[i], f.of("euler"));
        q = q * exp_quat(Vec3<double>{order[i] == 'x' ? a : 0, order[i] == 'y' ? a : 0,
                                      order[i] == 'z' ? a : 0});
    }
    return q;
}

void Reader::read_body(const YamlNode& node)
{
    Body body;
    const YamlNode* named = nullptr;
    for (std::size_t i = 0; i < node.keys.size() && i < node.items.size(); ++i)
        if (node.keys[i].is_scalar() && node.keys[i].text == "name")
            named = &node.items[i];
    Fields f(*this, node, "body",
             named && named->is_scalar() ? "body '" + named->text + "'"
                                         : text_of("body ", body_nodes_.size() + 1));
    body.name = name_of_item(f, "body", true);
    read_mass(f, body);
    if (const YamlNode* x = f.find("position"))
        body.pose.x = vector(*x, f.of("position"));
    if (const YamlNode* q = f.find("orientation"))
        body.pose.q = read_orientation(*q, f.of("orientation"));
    if (const YamlNode* v = f.find("velocity"))
        body.velocity = vector(*v, f.of("velocity"));
    const YamlNode* omega = f.find("angular_velocity");
    const YamlNode* omega_b = f.find("angular_velocity_body");
    if (omega && omega_b)
        problem(*omega_b, f.what(), " has angular_velocity in world and in body axes; keep one");
    if (omega)
        body.angular_velocity = vector(*omega, f.of("angular_velocity"));
    else if (omega_b)
        body.angular_velocity =
            rotate(normalised(body.pose.q), vector(*omega_b, f.of("angular_velocity_body")));
    if (const YamlNode* held = f.find("held")) {
        Fields h(*this, *held, "held", f.of("held"));
        body.held = Held{};
        if (const YamlNode* point = h.need("point", "[0, 0, 0]"))
            body.held->point = vector(*point, h.of("point"));
        if (const YamlNode* along = h.find("along"))
            body.held->along = vector(*along, h.of("along"), {1, 0, 0});
    }
    const int index = scene_.description.add(std::move(body));
    bodies_.try_emplace(scene_.description.bodies.back().name, index);
    body_nodes_.push_back(&node);
}

void Reader::read_particle(const YamlNode& node)
{
    const std::size_t number_of_it = body_nodes_.size() + 1;
    const YamlNode* named = nullptr;
    for (std::size_t i = 0; i < node.keys.size() && i < node.items.size(); ++i)
        if (node.keys[i].is_scalar() && node.keys[i].text == "name")
            named = &node.items[i];
    Fields f(*this, node, "particle",
             named && named->is_scalar() ? "particle '" + named->text + "'"
                                         : text_of("particle ", number_of_it));
    const std::string name = name_of_item(f, "particle", true);
    const YamlNode* mass = f.need("mass", "1.0");
    const YamlNode* x = f.find("position");
    const YamlNode* v = f.find("velocity");
    const int index =
        scene_.description.add_particle(name, mass ? number(*mass, f.of("mass"), 1) : 1,
                                        x ? vector(*x, f.of("position")) : zero3<double>(),
                                        v ? vector(*v, f.of("velocity")) : zero3<double>());
    bodies_.try_emplace(name, index);
    body_nodes_.push_back(&node);
}

Anchor Reader::read_end(const YamlNode& node, const std::string& what)
{
    Anchor end;
    const auto center_of = [&](int body) {
        return body == world ? zero3<double>()
                             : scene_.description.bodies[static_cast<std::size_t>(body)]
                                   .mass_properties.center;
    };
    if (node.is_scalar()) {
        end.body = body_named(node, what);
        end.point = center_of(end.body);
        return end;
    }
    Fields f(*this, node, "end", what);
    const YamlNode* body = f.find("body");
    const YamlNode* at = f.find("at");
    const YamlNode* place = f.find("world");
    if (!f.ok())
        return end;
    if (!body == !place) {
        problem(node, what, " needs either body (and at, in its frame) or world: [x, y, z]");
        return end;
    }
    if (place) {
        if (at)
            problem(*at, what, " is in the world: 'at' belongs to a body");
        end.point = vector(*place, f.of("world"));
        return end;
    }
    end.body = body_named(*body, f.of("body"));
    end.point = at ? vector(*at, f.of("at")) : center_of(end.body);
    return end;
}

void Reader::read_spring(const YamlNode& node)
{
    Fields f(*this, node, "spring", text_of("spring ", spring_nodes_.size() + 1));
    const std::size_t before = found_.list().size();
    Spring spring;
    spring.name = name_of_item(f, "spring", false);
    const YamlNode* from = f.need("from", "{world: [0, 0, 0]}");
    const YamlNode* to = f.need("to", "{body: name, at: [0, 0, 0]}");
    if (from)
        spring.a = read_end(*from, f.of("from"));
    if (to)
        spring.b = read_end(*to, f.of("to"));
    const bool ends = f.ok() && found_.list().size() == before;
    const YamlNode* stiffness = f.find("stiffness");
    const YamlNode* damping = f.find("damping");
    if (!stiffness && !damping && f.ok())
        problem(node, f.what(), " needs 'stiffness' or 'damping', or it does nothing");
    if (stiffness)
        spring.stiffness = number(*stiffness, f.of("stiffness"));
    if (damping)
        spring.damping = number(*damping, f.of("damping"));
    if (const YamlNode* rest = f.find("rest_length"))
        spring.rest_length = number(*rest, f.of("rest_length"));
    if (!ends) { // whatever its ends are, its numbers are looked at
        spring.a = {world, zero3<double>()};
        spring.b = {0, zero3<double>()};
    }
    scene_.description.springs.push_back(std::move(spring));
    spring_nodes_.push_back(&node);
}

void Reader::read_drag(const YamlNode& node)
{
    Fields f(*this, node, "drag", text_of("drag ", drag_nodes_.size() + 1));
    Drag drag;
    drag.name = name_of_item(f, "drag", false);
    if (const YamlNode* body = f.need("body", "name"))
        drag.body = std::max(0, body_named(*body, f.of("body")));
    const YamlNode* linear = f.find("linear");
    const YamlNode* quadratic = f.find("quadratic");
    if (!linear && !quadratic && f.ok())
        problem(node, f.what(), " needs 'linear' or 'quadratic', or it does nothing");
    if (linear)
        drag.linear = number(*linear, f.of("linear"));
    if (quadratic)
        drag.quadratic = number(*quadratic, f.of("quadratic"));
    scene_.description.drags.push_back(std::move(drag));
    drag_nodes_.push_back(&node);
}

void Reader::read_load(const YamlNode& node)
{
    Fields f(*this, node, "load", text_of("load ", load_nodes_.size() + 1));
    AppliedLoad load;
    load.name = name_of_item(f, "load", false);
    int index = world;
    if (const YamlNode* body = f.need("body", "name"))
        index = body_named(*body, f.of("body"));
    load.body = std::max(0, index);
    const YamlNode* force = f.find("force");
    const YamlNode* torque = f.find("torque");
    if (!force && !torque && f.ok())
        problem(node, f.what(), " needs 'force' or 'torque', or it does nothing");
    if (force)
        load.force = vector(*force, f.of("force"));
    if (torque)
        load.torque = vector(*torque, f.of("torque"));
    if (const YamlNode* at = f.find("at")) {
        load.point = vector(*at, f.of("at"));
        if (!force)
            problem(*at, f.of("at"),
                    " is where a force acts, and there is none; a torque has no place");
    } else if (index >= 0)
        load.point =
            scene_.description.bodies[static_cast<std::size_t>(index)].mass_properties.center;
    if (const YamlNode* axes = f.find("axes")) {
        const std::string which = word(*axes, f.of("axes"));
        if (which != "world" && which != "body")
            problem(*axes, f.of("axes"), " must be world or body, is '", which, "'");
        load.body_axes = which == "body";
    }
    if (const YamlNode* from = f.find("from"))
        load.from = number(*from, f.of("from"));
    if (const YamlNode* until = f.find("until"))
        load.until = number(*until, f.of("until"), load.until);
    if (index < 0 && !scene_.description.bodies.empty() && scene_.description.bodies[0].particle)
        load.torque = load.point =
            zero3<double>(); // its body is unknown: judge the rest of it only
    scene_.description.loads.push_back(std::move(load));
    load_nodes_.push_back(&node);
}

void Reader::read_run(const YamlNode& node)
{
    run_node_ = &node;
    Fields f(*this, node, "run", "run");
    RunSettings& run = scene_.run;
    if (const YamlNode* until = f.find("until"))
        run.until = number(*until, f.of("until"), run.until);
    if (const YamlNode* step = f.find("step"))
        run.step.h = number(*step, f.of("step"), run.step.h);
    const auto choose = [&](const YamlNode& at, std::string_view key, auto named,
                            const auto& known) {
        const std::string name = word(at, f.of(key));
        const auto chosen = named(name);
        if (!chosen && !name.empty()) {
            const std::string near = nearest_word(name, known);
            problem(at, "there is no ", key, " '", name, "'",
                    near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
                    fmt::format(" Known are: {}", fmt::join(known, ", ")));
        }
        return chosen;
    };
    if (const YamlNode* name = f.find("integrator")) {
        std::vector<std::string_view> known;
        for (const MethodFacts& m : methods)
            known.push_back(m.name);
        if (const auto method = choose(*name, "integrator", method_named, known)) {
            run.step.method = *method;
            chose_integrator_ = true;
        }
    }
    if (const YamlNode* name = f.find("state_form")) {
        const std::vector<std::string_view> known{"momentum", "velocity", "matrix"};
        if (const auto form = choose(*name, "state_form", form_named, known))
            run.step.form = *form;
    }
    if (const YamlNode* renormalise = f.find("renormalise"))
        run.step.renormalise = truth(*renormalise, f.of("renormalise"), true);
    if (const YamlNode* tolerance = f.find("tolerance")) {
        if (chose_integrator_ || !f.find("integrator"))
            tolerance_node_ = tolerance; // else it is not known whether it has a use
        if (tolerance->is_map()) {
            Fields t(*this, *tolerance, "tolerance", f.of("tolerance"));
            if (const YamlNode* relative = t.find("relative"))
                run.step.tolerance.relative = number(*relative, t.of("relative"), 1e-10);
            if (const YamlNode* absolute = t.find("absolute"))
                run.step.tolerance.absolute = number(*absolute, t.of("absolute"), 1e-13);
            if (const YamlNode* most = t.find("most_substeps"))
                run.step.tolerance.most_substeps = count(*most, t.of("most_substeps"));
        } else
            run.step.tolerance.relative = number(*tolerance, f.of("tolerance"), 1e-10);
    }
    if (const YamlNode* energy = f.find("energy_tolerance"))
        run.ledger.energy_tolerance = positive(*energy, f.of("energy_tolerance"));
}

void Reader::read_ledger(const YamlNode& node)
{
    ledger_node_ = &node;
    Fields f(*this, node, "ledger", "ledger");
    if (const YamlNode* detail = f.find("detail")) {
        const std::string name = word(*detail, f.of("detail"));
        if (name == "off")
            scene_.run.ledger.detail = Postings::Detail::off;
        else if (name == "totals")
            scene_.run.ledger.detail = Postings::Detail::totals;
        else if (name == "bodies")
            scene_.run.ledger.detail = Postings::Detail::bodies;
        else
            problem(*detail, f.of("detail"), " must be off, totals or bodies, is '", name, "'");
    }
    if (const YamlNode* every = f.find("every"))
        scene_.run.ledger_every = count(*every, f.of("every"));
    const YamlNode* about = f.find("about");
    if (!about)
        return;
    if (about->is_list())
        scene_.about = AboutPoint{vector(*about, f.of("about"))};
    else if (about->is_scalar() && about->text == "origin")
        scene_.about = AboutOrigin{};
    else if (about->is_scalar() && about->text == "center_of_mass")
        scene_.about = AboutCenterOfMass{};
    else {
        const int body = body_named(*about, "about of ledger (origin, center_of_mass, a point or a "
                                            "body)");
        if (body >= 0)
            scene_.about = AboutBody{about->text};
    }
}

// ---- the whole ----------------------------------------------------------------------------------

Result<Scene> Reader::read(const YamlNode& root)
{
    root_ = &root;
    {
        Fields f(*this, root, "scene", "the scene");
        if (!f.ok())
            return found_;
        if (const YamlNode* title = f.find("title"))
            scene_.title = word(*title, "title");
        if (const YamlNode* story = f.find("story"))
            scene_.story = word(*story, "story");
        if (const YamlNode* gravity = f.find("gravity"))
            read_gravity(*gravity);
        for (const YamlNode& body : items(f, "bodies"))
            read_body(body);
        for (const YamlNode& particle : items(f, "particles"))
            read_particle(particle);
        for (const YamlNode& spring : items(f, "springs"))
            read_spring(spring);
        for (const YamlNode& drag : items(f, "drag"))
            read_drag(drag);
        for (const YamlNode& load : items(f, "loads"))
            read_load(load);
        if (const YamlNode* run = f.find("run"))
            read_run(*run);
        if (const YamlNode* ledger = f.find("ledger"))
            read_ledger(*ledger);
        if (const YamlNode* output = f.find("output")) {
            Fields o(*this, *output, "output", "output");
            if (const YamlNode* every = o.find("every"))
                scene_.output_every = count(*every, o.of("every"));
        }
    }
    build();
    if (found_.any())
        return found_;
    scene_.run.ledger.about = book_point(scene_.about, *scene_.model);
    return std::move(scene_);
}

void Reader::build()
{
    // Under these names problems come back, whatever the user's names are and how often.
    Builder marked = scene_.description;
    std::map<std::string, const YamlNode*> places{
        {"model", root_}, {"gravity", gravity_node_ ? gravity_node_ : root_}};
    const auto mark = [&](auto& things, const auto& nodes, const char* kind) {
        for (std::size_t i = 0; i < things.size(); ++i) {
            things[i].name = text_of(kind, " ", i + 1);
            places[things[i].name] = nodes[i];
        }
    };
    mark(marked.bodies, body_nodes_, "body");
    mark(marked.springs, spring_nodes_, "spring");
    mark(marked.drags, drag_nodes_, "drag");
    mark(marked.loads, load_nodes_, "load");
    if (const auto trial = marked.build(); !trial) {
        translate(trial.problems(), places);
        check_settings(nullptr);
        return;
    }
    const auto model = scene_.description.build();
    if (!model) { // only names can be wrong still, and they were reported
        check(found_.any(), "a description with unique names builds");
        check_settings(nullptr);
        return;
    }
    scene_.model = std::make_shared<const Model>(*model);
    if (!chose_integrator_ && scene_.model->any_held())
        scene_.run.step.method = Method::runge_kutta4; // the splitting of free flights cannot hold
    check_settings(scene_.model.get());
}

void Reader::check_settings(const Model* model)
{
    std::shared_ptr<const Model> stand_in = scene_.model;
    if (!model) {
        Builder one;
        one.add_particle("any", 1, zero3<double>(), zero3<double>());
        stand_in = std::make_shared<const Model>(*one.build());
    }
    if (tolerance_node_ && !chooses_its_steps(scene_.run.step.method))
        problem(*tolerance_node_, "tolerance has no effect with ",
                facts_of(scene_.run.step.method).name,
                ": its steps are as long as 'step' says; remove it, or choose the integrator "
                "adaptive, adams or bdf");
    RunSettings settings = scene_.run;
    settings.ledger.about = {};
    const auto started = Simulation::start(stand_in, settings);
    if (started)
        return;
    const YamlNode* run = run_node_ ? run_node_ : root_;
    const YamlNode* ledger = ledger_node_ ? ledger_node_ : root_;
    for (const Problem& p : started.problems().list()) {
        const YamlNode* at = p.place == "ledger_every" ? ledger : run;
        const std::string key = p.place == "ledger_every" ? "every" : p.place;
        for (std::size_t i = 0; i < at->keys.size() && i < at->items.size(); ++i)
            if (at->keys[i].text == key) {
                at = &at->items[i];
                break;
            }
        std::string remedy;
        if (p.place == "step" || p.place == "until")
            remedy = "; give a time in s, as in 'run: {until: 10, step: 0.001}'";
        problem(*at, p.place, " ", p.what, remedy);
    }
}

void Reader::translate(const Problems& problems,
                       const std::map<std::string, const YamlNode*>& places)
{
    for (const Problem& p : problems.list()) {
        const auto place = places.find(p.place);
        if (place == places.end())
            continue; // "needs a name": reported where the name is missing
        const YamlNode* at = place->second;
        const std::string kind = p.place.substr(0, p.place.find(' '));
        if (p.what.find("body that does not exist") != std::string::npos)
            continue; // its name was reported
        std::string thing, remedy;
        for (std::size_t i = 0; i < at->keys.size() && i < at->items.size(); ++i)
            if (at->keys[i].text == "name")
                thing = at->items[i].text;
        for (const Remedy& r : remedies)
            if (p.what.starts_with(r.begins)) {
                remedy = r.remedy;
                std::string_view key = r.key;
                if (kind == "drag" && key == "linear") {
                    const std::size_t drag = std::stoul(p.place.substr(kind.size() + 1)) - 1;
                    if (scene_.description.drags[drag].linear >= 0)
                        key = "quadratic"; // the other of the two
                }
                for (std::size_t i = 0; i < at->keys.size() && i < at->items.size(); ++i)
                    if (at->keys[i].text == key) {
                        at = &at->items[i];
                        break;
                    }
                break;
            }
        const bool whole = p.place == "model" || p.place == "gravity";
        problem(*at,
                whole           ? p.place
                : thing.empty() ? p.place
                                : kind + " '" + thing + "'",
                ": ", p.what, remedy.empty() ? "" : "; ", remedy);
    }
}

} // namespace

bool chooses_its_steps(Method method)
{
    return method == Method::adaptive || method == Method::adams || method == Method::bdf;
}

std::span<const SceneKey> scene_keys()
{
    return keys;
}

BookPoint book_point(const LedgerAbout& about, const Model& model)
{
    if (std::holds_alternative<AboutCenterOfMass>(about))
        return system_center;
    if (const auto* at = std::get_if<AboutPoint>(&about))
        return [A = at->point](const Placed&) { return A; };
    if (const auto* body = std::get_if<AboutBody>(&about)) {
        std::size_t index = 0;
        while (index < model.bodies().size() && model.bodies()[index].name != body->name)
            ++index;
        check(index < model.bodies().size(), "the ledger is kept about a body of the scene");
        return [index](const Placed& placed) { return placed.bodies[index].x; };
    }
    return {};
}

Result<Scene> read_scene_text(const std::string& text, const std::string& file)
{
    Problems found;
    if (text.size() > largest_scene) {
        found.add(file, "is larger than ", largest_scene >> 20,
                  " MB: this is not a scene; results "
                  "are written with --out");
        return found;
    }
    const auto tree = parse_yaml(text, file);
    if (!tree)
        return tree.problems();
    auto scene = Reader(text, file).read(*tree);
    if (scene) {
        scene->text = text;
        scene->file = file;
    }
    return scene;
}

Result<Scene> read_scene(const std::filesystem::path& path)
{
    Problems found;
    std::error_code error;
    const auto kind = std::filesystem::status(path, error).type();
    if (kind == std::filesystem::file_type::not_found) {
        found.add(path.string(), "there is no such file; `poinsot examples` lists the scenes that "
                                 "come with Poinsot");
        return found;
    }
    if (kind == std::filesystem::file_type::directory) {
        found.add(path.string(), "is a directory; name a scene file in it");
        return found;
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::string text;
    if (in) {
        // Read up to the limit and one more byte: a device may have no end.
        text.resize(1 << 16);
        std::size_t used = 0;
        while (in && used <= largest_scene) {
            if (used == text.size())
                text.resize(std::min(2 * text.size(), largest_scene + 1));
            in.read(text.data() + used, static_cast<std::streamsize>(text.size() - used));
            used += static_cast<std::size_t>(in.gcount());
            if (used == text.size() && text.size() == largest_scene + 1)
                break;
        }
        text.resize(used);
    }
    if (!in && !in.eof()) {
        found.add(path.string(), "cannot be read: ", std::strerror(errno ? errno : EIO),
                  "; check that you may read it");
        return found;
    }
    return read_scene_text(text, path.string());
}

} // namespace poinsot
