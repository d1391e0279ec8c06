#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scenes and a robot, each with a few things wrong: lines lost, doubled and exchanged, numbers that are absurd, names that
are those of others. They run or are refused with a reason; nothing crashes, hangs, or ends without a word. Always the same texts."""
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import command
from command import ROOT, CommandTest

SCENES = ("astronaut", "bicycle", "branching_tree", "closed_ring", "double_pendulum", "falling_cat", "five_link_chain", "four_bar",
          "free_robot_arm", "heavy_ball_chain", "heavy_top", "kapitza", "knee", "net", "rod_on_rail", "simple_pendulum",
          "slider_crank", "two_blocks")
TOUCHING = ("landing", "bouncing_ball", "rubber_balls", "rattleback", "block_on_slope", "ball_comes_to_roll", "newtons_cradle",
            "kanes_rod", "painleves_rod", "bullet_and_sheet")
FLYING = ("leaking_bucket", "satellite", "small_aircraft", "two_stages", "sounding_rocket", "fuel_transfer", "chain_on_scale",
          "control_moment", "dual_spin", "turning_aircraft", "springboard", "chimney")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?(?![\w.])")
ABSURD = ("nan", ".nan", ".inf", "-.inf", "1e308", "-1e308", "1e-308", "5e-324", "0", "-1", "1e18", "1e-18", "-1e6", "1e150", "1e-150",
          "1e999", "~", '"x"', "[]", "{}", "[1, 2]", "true", "180 deg")


def mutated(text, dice):
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        lines, numbers = text.split("\n"), list(NUMBER.finditer(text))
        words = list(re.finditer(r"[A-Za-z_]\w*", text))
        i, j, way = dice.randrange(len(lines)), dice.randrange(len(lines)), dice.randrange(7)
        if way == 0:
            del lines[i]
        elif way == 1:
            lines.insert(j, lines[i])
        elif way == 2:
            lines[i], lines[j] = lines[j], lines[i]
        if way <= 2:
            text = "\n".join(lines)
        elif way == 3 and words:
            one, other = dice.choice(words), dice.choice(words)
            text = text[:one.start()] + other.group() + text[one.end():]
        elif numbers:
            one = dice.choice(numbers)
            new = dice.choice(numbers).group() if way == 4 else dice.choice(ABSURD)
            text = text[:one.start()] + new + text[one.end():]
    return text


class Mutated(CommandTest):
    def outcomes(self, name, texts, *options):
        seen = {0: 0, 1: 0, 2: 0}
        for number, text in enumerate(texts):
            file = self.write(name, text)
            for way in (("check",), ("run", "--until", "0.005", "--step", "0.001", "--quiet")):
                done = self.poinsot(way[0], file, *way[1:], *options)
                with self.subTest(text=number, way=way[0]):
                    self.assertIn(done.returncode, (0, 1, 2), text + done.stderr)
                    said = [line for line in done.stderr.splitlines() if not line.startswith(("WARNING", "  "))]
                    self.assertEqual(done.returncode == 1, said != [], text + done.stdout + done.stderr)
                seen[done.returncode] = seen.get(done.returncode, 0) + 1
        return seen

    def test_scenes(self):
        dice = random.Random(20)
        scenes = [(ROOT / f"scenes/{name}.yaml").read_text(encoding="utf-8") for name in SCENES]
        seen = self.outcomes("scene.yaml", [mutated(dice.choice(scenes), dice) for _ in range(150)])
        self.assertGreater(seen[0], 30)
        self.assertGreater(seen[1], 100)

    def test_scenes_that_touch_or_fly(self):
        for names, seed in ((TOUCHING, 1), (FLYING, 2)):
            dice = random.Random(seed)
            scenes = [(ROOT / f"scenes/{name}.yaml").read_text(encoding="utf-8") for name in names]
            seen = self.outcomes("scene.yaml", [mutated(dice.choice(scenes), dice) for _ in range(60)])
            self.assertGreater(seen[0], 10)
            self.assertGreater(seen[1], 30)

    def test_what_is_beyond_the_largest_numbers_ends_with_its_name(self):
        scene = (ROOT / "scenes/landing.yaml").read_text(encoding="utf-8").replace("speed: -5.0", "speed: 1.0e5")
        done = self.poinsot("run", self.write("fast.yaml", scene), "--formulation", "reduced", "--quiet")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("is not a number", done.stderr)
        far = (ROOT / "scenes/rattleback.yaml").read_text(encoding="utf-8")
        far = re.sub(r"(name: belly.*position: )\[.*?\]", r"\1[0, 0, 1.0e308]", far)
        done = self.poinsot("check", self.write("far.yaml", far))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("beyond the largest numbers", done.stderr)

    def test_robots(self):
        dice = random.Random(23)
        arm = (ROOT / "scenes/robots/arm.urdf").read_text(encoding="utf-8")
        for base in ("fixed", "floating"):
            seen = self.outcomes("arm.urdf", [mutated(arm, dice) for _ in range(50)], "--base", base)
            self.assertGreater(seen[0], 10)
            self.assertGreater(seen[1], 20)


if __name__ == "__main__":
    command.main()
