// SPDX-License-Identifier: MIT
#include "poinsot/base/result.hpp"

#include <array>
#include <charconv>

namespace poinsot {

void TextPart::append_to(std::string& text) const
{
    std::array<char, 32> digits;
    char *const begin = digits.data(), *const end = begin + digits.size();
    switch (kind_) {
    case Kind::words:
        text += words_;
        break;
    case Kind::whole:
        text.append(begin, std::to_chars(begin, end, whole_).ptr);
        break;
    case Kind::natural:
        text.append(begin, std::to_chars(begin, end, natural_).ptr);
        break;
    case Kind::number:
        text.append(begin, std::to_chars(begin, end, number_, std::chars_format::general, 12).ptr);
        break;
    }
}

std::string joined(std::initializer_list<TextPart> parts)
{
    std::string text;
    for (const TextPart& part : parts)
        part.append_to(text);
    return text;
}

Problems::Problems() = default;
Problems::Problems(const Problems&) = default;
Problems::Problems(Problems&&) noexcept = default;
Problems& Problems::operator=(const Problems&) = default;
Problems& Problems::operator=(Problems&&) noexcept = default;
Problems::~Problems() = default;

void Problems::put(std::string_view place, std::string_view key,
                   std::initializer_list<TextPart> what)
{
    list_.push_back({std::string(place), joined(what), std::string(key)});
}

void Problems::add(const Problems& more)
{
    list_.insert(list_.end(), more.list_.begin(), more.list_.end());
}

std::string Problems::text() const
{
    std::string all;
    for (const Problem& p : list_)
        all += p.place + ": " + p.what + "\n";
    return all;
}

} // namespace poinsot
