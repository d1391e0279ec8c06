// SPDX-License-Identifier: MIT
#pragma once

// The books in words: what was conserved, what was lost, by cause. For people as a table, for
// machines as JSON.

#include "poinsot/io/scene.hpp"

#include <string>

namespace poinsot {

/// "off", "totals" or "bodies".
std::string_view name_of(Postings::Detail detail);
std::optional<Postings::Detail> detail_named(std::string_view name);

/// "the world origin", "the centre of mass of everything", …
std::string name_of(const LedgerAbout& about);

/// Opening, each cause, residual, closing; the stores; what is missing, and the verdict. The books
/// of a run that did not finish are not said to balance.
std::string ledger_table(const Ledger& ledger, const Model& model, const LedgerAbout& about,
                         bool finished = true);

/// The same as one JSON object, every number exact.
std::string ledger_json(const Ledger& ledger, const Model& model, const LedgerAbout& about);

/// The residual so far in a few characters, relative to the largest terms: for a line of progress.
std::string residual_so_far(const Ledger& ledger);

} // namespace poinsot
