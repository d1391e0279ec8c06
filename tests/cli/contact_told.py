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
            work = sum(part["work"] for cause, part in causes.items() if cause.startswith("contact")
                       and cause != "contact_correction")
            self.assertAlmostEqual(work, gain["energy"], delta=1e-6 * gain["energy"])
            self.assertGreater(work, 0)

            quiet = self.scene("kanes_rod", change, ("law: newton", "law: energetic"))
            self.assertNotIn("WARNING", self.poinsot("run", quiet).stdout)
            self.assertEqual(self.run_json(quiet)["contact"]["gains"], [])

    def test_poissons_law_is_warned_of_where_it_makes_energy(self):
        """A body strikes two walls at once: with one tip on a rough one that is dead, with the other on one that springs."""
        def wedge(law, integrator, formulation):
            return self.write("wedge.yaml", f"""
gravity: [0, 0, 0]
bodies:
  - {{name: body, mass: 1.16, inertia: {{xx: 0.829, yy: 0.795, zz: 0.341, xy: -0.033, xz: 0.1, yz: 0.164}},
     velocity: [0.285, -1.032, -1.397], angular_velocity: [-0.774, 0.293, 0.442]}}
materials: [{{name: tip, friction: 1, restitution: 0}}, {{name: springy, friction: 0, restitution: 0.87}},
            {{name: dead, friction: 0.93, restitution: 0.2}}]
surfaces:
  - {{name: left tip, body: body, ball: 0.01, position: [0.9430346906326695, 0.004849328240651324, 1.3598412071474595], groups: [left tips], meets: [left walls]}}
  - {{name: left wall, half_space: true, material: dead, position: [0.935, 0.006, 1.354], orientation: {{axis: [0.115, 0.803, 0], angle: 0.947}}, groups: [left walls], meets: [left tips]}}
  - {{name: right tip, body: body, ball: 0.01, position: [0.23757726332223902, -1.1152526508410048, 1.2824422880464175], groups: [right tips], meets: [right walls]}}
  - {{name: right wall, half_space: true, material: springy, position: [0.243, -1.11, 1.289], orientation: {{axis: [0.525, -0.542, 0], angle: 2.286}}, groups: [right walls], meets: [right tips]}}
contact: {{material: tip, law: {law}, overlaps: keep}}
run: {{until: 0.01, step: 0.001, integrator: {integrator}, formulation: {formulation}}}
""")

        for integrator in ("runge_kutta4", "impulsive"):
            for formulation in ("maximal", "reduced"):
                made = self.run_json(wedge("poisson", integrator, formulation))
                gain, = made["contact"]["gains"]
                self.assertEqual((gain["name"], gain["by"]), ("right tip, right wall", "law"))
                books = made["ledger"]["total"]
                self.assertGreater(books["closing"]["kinetic_energy"], 1.2 * books["opening"]["kinetic_energy"])
                said = self.poinsot("run", wedge("poisson", integrator, formulation)).stdout
                self.assertIn("WARNING: the law of impact 'poisson' made energy; energetic and moreau make none", said)
                self.assertRegex(said, r"(?m)^  right tip, right wall: [0-9.]+ J, first at t = 0")
                for quiet in ("energetic", "moreau"):
                    made = self.run_json(wedge(quiet, integrator, formulation))
                    self.assertEqual(made["contact"]["gains"], [])
                    books = made["ledger"]["total"]
                    self.assertLess(books["closing"]["kinetic_energy"], books["opening"]["kinetic_energy"])

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

    def test_what_moves_as_told_and_presses_what_cannot_give_way_ends_the_run_with_their_names(self):
        # At 0.5 m/s the plate reaches the box at 0.3 s, and the box the wall at 0.5 s.
        press = """
gravity: [0, 0, 0]
bodies: [{name: plate, box: [0.1, 1, 1], mass: 1, position: [-0.3, 0, 0]},
         {name: box, box: [0.2, 0.2, 0.2], mass: 1}]
surfaces: [{name: wall, half_space: true, position: [0.2, 0, 0], orientation: {axis: [0, 1, 0], angle: -90 deg}}]
contact: {}
joints: [{name: drive, bodies: [world, plate], %s}]
run: {until: 1, step: 0.001, integrator: impulsive}
"""
        told = self.write("told.yaml", press % "type: weld, motion: {shift: [{rate: 0.5}, 0, 0]}")
        driven = self.write("driven.yaml", press % "type: prismatic, axis: [1, 0, 0], motor: "
                                                   "{type: velocity, target: 0.5, gain: 1.0e+4, most: 20}")
        for formulation in ("maximal", "reduced"):
            said = self.poinsot("run", told, "--formulation", formulation)
            self.assertNotEqual(said.returncode, 0)
            self.assertRegex(said.stdout + said.stderr,
                             r"step (499|50\d): what moves as told presses things together that cannot give way")
            for name in ("'plate'", "'box'", "'wall'", "motor with a bound"):
                self.assertIn(name, said.stdout + said.stderr)
            bounded = self.poinsot("run", driven, "--formulation", formulation)
            self.assertEqual(bounded.returncode, 0, bounded.stdout + bounded.stderr)
            self.assertNotIn("not solved", bounded.stdout)

    def test_what_was_not_solved_makes_energy_and_the_law_is_not_blamed(self):
        few = self.scene("tower", ("contact: {", "contact: {solver: sweeps, sweeps: 100, "))
        made = self.run_json(few, "--until", "0.3")["contact"]
        self.assertTrue(made["gains"])
        self.assertEqual({gain["by"] for gain in made["gains"]}, {"unsolved"})
        said = self.poinsot("run", few, "--until", "0.3").stdout
        self.assertIn("WARNING: contact was not solved to 1.0e-10, and that made energy", said)
        self.assertNotIn("the law of impact 'energetic' made energy", said)
        # Energies are some joules: what is below their rounding is no gain.
        self.assertGreater(min(gain["energy"] for gain in made["gains"]), 1e-18)

    def test_what_bounces_while_it_spins_is_not_kept_there_however_long_the_step(self):
        """Two cones strike each other twice and part; a point of a rim comes back by its turning alone."""
        def cones(step):
            return self.write("cones.yaml", f"""
bodies:
  - {{name: one, cone: {{radius: 0.162796, height: 0.216358}}, mass: 4.82511, position: [1.2, 0, -0.057049035164634936],
     velocity: [-3.7554388623509967, 0, 0.17853680309741554],
     angular_velocity: [3.9465357175242088, -4.3712538863732755, -4.0759188705675431],
     orientation: {{axis: [0.3077854848672445, 0.034332051808742652, 0.050565949442213633], angle: 2.85039}}, material: m0}}
  - {{name: other, cone: {{radius: 0.141017, height: 0.162984}}, mass: 4.02575,
     position: [-1.2, 1.4695761589768238e-16, -0.028690628801814375],
     velocity: [3.976106467675196, -4.869326058707517e-16, 0.09506416228380199],
     angular_velocity: [2.4511803121971845, 1.0887460148440899, -2.8116180540183096],
     orientation: {{axis: [-1.1954034115841343, 0.76786404842321931, -1.2439881466260616], angle: 1.35305}}, material: m1}}
materials: [{{name: m0, friction: 0.731484, restitution: 0.584202}}, {{name: m1, friction: 0.912981, restitution: 0.989559}}]
contact: {{}}
run: {{until: 1.0, step: {step}, integrator: runge_kutta4}}
""")
        ends = [self.run_json(cones(step)) for step in (0.002, 0.001, 0.0005)]
        energies = [end["ledger"]["total"]["closing"]["kinetic_energy"] for end in ends]
        for end, energy in zip(ends, energies):
            self.assertEqual(len([e for e in end["events"] if e["kind"] == "impact"]), 2)
            self.assertAlmostEqual(energy, energies[-1], delta=1e-8 * energies[-1])  # fourth order in the step

    def test_energy_that_the_integrator_makes_where_surfaces_touch_is_told(self):
        # A rattleback that spins by a radian in a step.
        said = self.poinsot("run", ROOT / "scenes" / "rattleback.yaml", "--step", "0.05", "--until", "1").stdout
        self.assertRegex(said, r"WARNING: the integrator (made|lost) 0\.\d+ J, [1-9]\d*(\.\d+)? % of the largest energy, "
                               r"up to t = [0-9.]+ s: ")
        heap = self.write("heap.yaml", """
gravity: [0,0,-9.81]
contact: {material: m}
materials: [{name: m, friction: 0, restitution: 0.4}]
bodies:
  - {name: b0, box: [0.2,0.15,0.1], mass: 1, position: [-0.001,-0.005,0.12], orientation: {axis: [1,-0.11,0], angle: 0.40}, angular_velocity: [0,0,5]}
  - {name: b1, capsule: {radius: 0.05, height: 0.2}, mass: 1, position: [-0.016,-0.017,0.4], orientation: {axis: [1,-0.41,0], angle: 0.05}, angular_velocity: [0,0,5]}
  - {name: b2, cone: {radius: 0.1, height: 0.15}, mass: 3, position: [0.006,-0.029,0.68], orientation: {axis: [1,-0.56,0], angle: 0.05}, angular_velocity: [0,0,0]}
surfaces: [{name: g, half_space: true}]
run: {until: 1.5, step: 0.005, integrator: runge_kutta4}
""")  # rims that run on faces which move
        self.assertNotIn("WARNING", self.poinsot("run", heap).stdout)
        self.assertLess(self.run_json(heap)["contact"]["strayed"]["part"], 1e-5)
        disc = ROOT / "scenes" / "eulers_disc.yaml"  # the contact goes round in 80 ms
        for step in ("0.005", "0.001"):
            self.assertLess(self.run_json(disc, "--step", step, "--until", "0.1")["contact"]["strayed"]["part"], 1e-6)
            self.assertNotIn("WARNING", self.poinsot("run", disc, "--step", step, "--until", "0.1").stdout)

    def test_a_step_by_impulses_is_told_with_its_moment_its_surfaces_and_its_reason(self):
        said = self.poinsot("run", self.scene("painleves_rod")).stdout
        self.assertRegex(said, r"In (1 step, |\d+ steps, first )at t = [0-9.e-]+ s between 'tip' and 'ground', no forces hold")
        self.assertNotIn("In 1 steps", said)
        self.assertNotIn("or events had no end", said)
        why, = self.run_json(self.scene("painleves_rod"))["contact"]["by_impulses"]
        self.assertEqual((why["why"], why["name"]), ("no forces", "tip, ground"))

    def test_what_puts_apart_is_contacts_and_the_table_lines_up(self):
        two = self.write("two.yaml", """
bodies: [{name: a, ball: 0.5, mass: 1, position: [0, 0, 1], velocity: [0.1, 0.2, 0]},
         {name: b, ball: 0.5, mass: 1, position: [0.9, 0, 1]}]
contact: {overlaps: separate}
run: {until: 0.1, step: 0.01}
""")
        posted = self.run_json(two)["ledger"]["total"]["posted"]
        self.assertIn("contact_correction", posted)
        self.assertNotIn("stabilisation", posted)
        table = self.poinsot("run", self.scene("bouncing_ball")).stdout.splitlines()
        rows = [line for line in table if line.startswith(("  opening", "  + ", "  = closing"))]
        self.assertTrue(any("contact_restitution" in row for row in rows))
        self.assertEqual(len({len(row) for row in rows}), 1, rows)

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

    def test_penalty_contact_warns_of_what_it_lets_in(self):
        # Springs are as stiff as the step resolves for the lighter one: with a hundred times its weight on it, it is
        # pressed in by 430 g h^2 (docs/scenes.md) times that: by more than it is high.
        stack = """
gravity: [0, 0, -9.81]
bodies: [{name: light, box: [0.1, 0.1, 0.1], mass: 1, position: [0, 0, 0.05]},
         {name: heavy, box: [0.1, 0.1, 0.1], mass: %s, position: [0, 0, 0.15]}]
surfaces: [{name: floor, half_space: true}]
contact: {response: penalty}
run: {until: 0.5, step: 0.001}
"""
        heavy = self.write("heavy.yaml", stack % 100)
        told = self.run_json(heavy)["contact"]["sunk_in"]
        self.assertGreater(told["part"], 0.25)
        self.assertGreater(told["depth"], 0.025)
        self.assertRegex(self.poinsot("run", heavy).stdout,
                         r"WARNING: penalty contact let '\w+' and '\w+' into each other by 0\.\d+ m at t = [0-9.]+ s, "
                         r"[0-9.e+]+ % of the smallest side \(0\.1 m\)")
        alike = self.write("alike.yaml", stack % 1)
        self.assertLess(self.run_json(alike)["contact"]["sunk_in"]["part"], 0.2)  # 0.08 at rest
        self.assertNotIn("into each other", self.poinsot("run", alike).stdout)


if __name__ == "__main__":
    command.main()
