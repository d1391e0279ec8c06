// SPDX-License-Identifier: MIT
#include "poinsot/step/happening.hpp"

#include <algorithm>
#include <charconv>

namespace poinsot {

namespace {

std::string what_lets_go(const Model& model, const Release& release)
{
    if (release.bushing >= 0)
        return text_of("bushing '",
                       model.bushings()[static_cast<std::size_t>(release.bushing)].name, "'");
    return text_of("joint '", model.joints()[static_cast<std::size_t>(release.joint)].name, "'");
}

std::string six_digits(double value)
{
    std::array<char, 32> text;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6)
            .ptr;
    return {text.data(), end};
}

const char* why_gained(const Happening& one)
{
    return one.unsolved ? "contact was not solved to its tolerance here"
                        : "the law of impact makes energy here";
}

} // namespace

std::string_view name_of(Happening::Kind kind)
{
    constexpr std::array<std::string_view, Happening::kinds> names{
        "overload", "break", "release", "impact", "impact", "gain", "gain"};
    return names[static_cast<std::size_t>(kind)];
}

std::string name_of(const Model& model, const Happening& one)
{
    const auto i = static_cast<std::size_t>(one.index);
    switch (one.kind) {
    case Happening::Kind::overload:
        return model.cuts()[i].name;
    case Happening::Kind::broken:
    case Happening::Kind::release:
        return model.releases()[i].name;
    case Happening::Kind::stop:
    case Happening::Kind::gain_at_stop:
        return model.joints()[i].name;
    case Happening::Kind::impact:
    case Happening::Kind::gain:
        break;
    }
    return model.skins()[i].name + ", " + model.skins()[static_cast<std::size_t>(one.other)].name;
}

std::string sentence(const Model& model, const Happening& one)
{
    const auto i = static_cast<std::size_t>(one.index);
    switch (one.kind) {
    case Happening::Kind::overload:
        return text_of("cut '", model.cuts()[i].name, "' carries ", six_digits(one.utilisation),
                       " of its strength, by ", one.by);
    case Happening::Kind::broken: {
        const Release& release = model.releases()[i];
        const Cut& cut = model.cuts()[static_cast<std::size_t>(release.when_over)];
        return text_of(what_lets_go(model, release), " breaks: cut '", cut.name, "' carried ",
                       six_digits(one.utilisation), " of its strength, by ", one.by);
    }
    case Happening::Kind::release: {
        const Release& release = model.releases()[i];
        std::string text = what_lets_go(model, release) + " lets go";
        if (release.when_empty >= 0)
            text += text_of(", as tank '",
                            model.tanks()[static_cast<std::size_t>(release.when_empty)].name,
                            "' is empty");
        return text;
    }
    case Happening::Kind::stop: {
        const Joint& joint = model.joints()[i];
        const CoordinateLaw& law = joint.laws[static_cast<std::size_t>(one.other)];
        return text_of("joint '", joint.name, "' strikes its ", one.upper ? "upper" : "lower",
                       " limit ", six_digits(one.upper ? law.upper : law.lower), " with ",
                       six_digits(one.impulse),
                       is_angle(joint.kind, one.other) ? " N m s" : " N s");
    }
    case Happening::Kind::gain_at_stop:
        return text_of("joint '", model.joints()[i].name, "' at its ",
                       one.upper ? "upper" : "lower", " limit puts ", six_digits(one.energy),
                       " J into the motion: ", why_gained(one));
    case Happening::Kind::gain:
        return text_of("'", model.skins()[i].name, "' and '",
                       model.skins()[static_cast<std::size_t>(one.other)].name, "' put ",
                       six_digits(one.energy), " J into the motion: ", why_gained(one));
    case Happening::Kind::impact:
        break;
    }
    return text_of("'", model.skins()[i].name, "' and '",
                   model.skins()[static_cast<std::size_t>(one.other)].name,
                   "' strike each other with ", six_digits(one.impulse), " N s");
}

void Happenings::add(const Happening& one)
{
    if (count_[static_cast<std::size_t>(one.kind)]++ < most_of_a_kind)
        list_.push_back(one);
    else
        ++left_out_;
}

void Happenings::restore(std::vector<Happening> list,
                         const std::array<std::int64_t, Happening::kinds>& counts)
{
    list_ = std::move(list);
    count_ = counts;
    left_out_ = 0;
    for (const std::int64_t count : count_)
        left_out_ += std::max<std::int64_t>(count - most_of_a_kind, 0);
}

void Happenings::sort_from(std::size_t first)
{
    std::stable_sort(list_.begin() + static_cast<std::ptrdiff_t>(first), list_.end(),
                     [](const Happening& a, const Happening& b) { return a.time < b.time; });
}

} // namespace poinsot
