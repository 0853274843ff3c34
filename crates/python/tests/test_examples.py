"""Every example runs, and none is longer than a screen; the notebook runs too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NEEDS = {
    "sklearn_model": ["sklearn"],
    "change_frame": ["pandas"],
    "torch_module": ["torch"],
    "transformers_model": ["torch", "transformers"],
    "spacy_model": ["spacy"],
    "ray_data": ["ray", "pyarrow"],
    "spark_data": ["pyspark", "pyarrow"],
    "test_robust": ["pytest"],
}


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_example(name: str, tmp_path: Path) -> None:
    path = EXAMPLES / f"{name}.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 30
    for library in NEEDS[name]:
        pytest.importorskip(library)
    module = ["-m", "pytest", "-q"] if name.startswith("test_") else []
    done = subprocess.run([sys.executable, *module, str(path)], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr + done.stdout


def test_every_example_is_run() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(NEEDS)


def test_the_notebook_runs(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in shown)
