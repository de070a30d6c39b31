"""The package installed by pip, from a copy of the tree, with the module of this build.

Usage: package_test.py BUILD
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import ricochet

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else ROOT / "build" / "release"


class Installed(unittest.TestCase):
    def test_pip(self):
        with tempfile.TemporaryDirectory() as name:
            tree, target = Path(name) / "tree", Path(name) / "site"
            for file in ("CMakeLists.txt", "LICENSE", "pyproject.toml", "setup.py", "io/python/README.md"):
                (tree / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / file, tree / file)
            shutil.copytree(ROOT / "io/python/ricochet", tree / "io/python/ricochet", ignore=shutil.ignore_patterns("__pycache__"))
            environment = {**os.environ, "RICOCHET_BUILD": str(BUILD), "PIP_NO_INDEX": "1", "PIP_ROOT_USER_ACTION": "ignore"}
            environment.pop("PYTHONPATH", None)
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--target",
                            str(target), str(tree)], env=environment, check=True)
            names = {path.name for path in (target / "ricochet").iterdir()}
            self.assertLessEqual({"py.typed", "_core.pyi", "__init__.py", "_study.py"}, names)
            answer = subprocess.run([sys.executable, "-c", "import ricochet; print(ricochet.__file__, ricochet.__version__)"],
                                    env={**environment, "PYTHONPATH": str(target)}, cwd=name, capture_output=True, text=True,
                                    check=True).stdout
            self.assertEqual(answer.split(), [str(target / "ricochet/__init__.py"), ricochet.__version__])


class Described(unittest.TestCase):
    """What a user meets has a docstring and annotations."""

    def test_docstrings_and_annotations(self):
        for file in sorted((ROOT / "io/python/ricochet").glob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            self.assertTrue(ast.get_docstring(tree), file)
            for owner in [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]:
                for node in owner.body:
                    if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                        continue
                    self.assertIsNotNone(node.returns, f"{file}: {node.name}")
                    for argument in [*node.args.args, *node.args.kwonlyargs]:
                        if argument.arg != "self":
                            self.assertIsNotNone(argument.annotation, f"{file}: {node.name}: {argument.arg}")

    def test_public_names(self):
        for name in ricochet.__all__:
            self.assertTrue(getattr(ricochet, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
