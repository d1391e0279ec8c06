#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a run says of its contacts: laws that make energy, problems that were not solved, steps taken in parts."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import CommandTest, ROOT

class ContactTold(CommandTest):
    def scene(self, name, *changes):
        text = (ROOT / "scenes" / f"{name}.yaml").read_text()
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write(f"{name}.yaml", text)

    def test_a_law_that_makes_energy_is_warned_of_and_its_contact_named(self):
        for integrator in ("runge_kutta4", "impulsive"):
            change = ("runge_kutta4", integrator)
            rod = self.scene("kanes_rod", change)
            said = self.poinsot("run", rod)
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertIn("WARNING: the law of impact 'newton' made energy", said.stdout)
            self.assertRegex(said.stdout, r"(?m)^  tip, ground: [0-9.]+ J, first at t = 0\.08")
            made = self.run_json(rod, "--ledger", "bodies")
            gain, = made["contact"]["gains"]
            self.assertEqual(gain["name"], "tip, ground")
            event, = (e for e in made["events"] if e["kind"] == "gain")
            self.assertEqual(event["name"], "tip, ground")
            self.assertIn("makes energy here", event["text"])
            # What the ledger says contacts did in all is what the gain says: the tip strikes once.
            causes = made["ledger"]["total"]["posted"]
            work = sum(part["work"] for cause, part in causes.items() if cause.startswith("contact"))
            self.assertAlmostEqual(work, gain["energy"], delta=1e-6 * gain["energy"])
            self.assertGreater(work, 0)

            quiet = self.scene("kanes_rod", change, ("law: newton", "law: energetic"))
            self.assertNotIn("WARNING", self.poinsot("run", quiet).stdout)
            self.assertEqual(self.run_json(quiet)["contact"]["gains"], [])

    def test_contact_that_was_not_solved_is_told(self):
        few = self.scene("tower", ("contact: {", "contact: {solver: sweeps, sweeps: 2, "))
        said = self.poinsot("run", few, "--until", "0.05")
        self.assertRegex(said.stdout, r"In \d+ steps contact was not solved to 1\.0e-10")
        made = self.run_json(few, "--until", "0.05")["contact"]
        self.assertGreater(made["unsolved_steps"], 0)
        self.assertGreater(made["residual"], 1e-10)
        exact = self.run_json(self.scene("tower"), "--until", "0.05")["contact"]
        self.assertEqual(exact["unsolved_steps"], 0)
        self.assertLess(exact["residual"], 1e-10)

    def test_steps_in_which_something_fast_was_hit_are_counted(self):
        # Located in time it strikes at its moment, after 1.2955 m at 1000 m/s (the sheet has not moved yet);
        # by impulses at the end of the step it is in.
        first = next(e for e in self.run_json(self.scene("bullet_and_sheet"))["events"] if e["kind"] == "impact")
        self.assertEqual(first["name"], "bullet, sheet")
        self.assertAlmostEqual(first["time"], 0.0012955, delta=1e-12)
        steps = ("runge_kutta4", "impulsive")
        seen = self.run_json(self.scene("bullet_and_sheet", steps))
        self.assertGreaterEqual(seen["contact"]["divided_steps"], 1)
        first = next(e for e in seen["events"] if e["kind"] == "impact")
        self.assertEqual(first["name"], "bullet, sheet")
        self.assertAlmostEqual(first["time"], 0.002, delta=1e-12)
        unseen = ("material: steel}", "material: steel, continuous: false}")
        blind = self.run_json(self.scene("bullet_and_sheet", steps, unseen))
        self.assertEqual(blind["contact"]["divided_steps"], 0)
        self.assertNotIn("events", blind)  # it passes unseen
        for made in (seen, blind):
            self.assertEqual(made["contact"]["unlooked_steps"], 0)

    def test_penalty_contact_warns_of_what_is_too_fast_for_its_looks(self):
        soft = self.scene("bullet_and_sheet", ("material: steel}", "material: steel, response: penalty}"))
        self.assertGreater(self.run_json(soft)["contact"]["unlooked_steps"], 0)
        self.assertIn("WARNING: in", self.poinsot("run", soft).stdout)


if __name__ == "__main__":
    command.main()
