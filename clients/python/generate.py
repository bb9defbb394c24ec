"""Generates a package of Python for each service into `generated/`: `roundlog_registration`, `roundlog_pairing` …"""

import sys
from pathlib import Path

from openapi_python_client import Config, generate
from openapi_python_client.cli import handle_errors
from openapi_python_client.config import ConfigFile, MetaType

HERE = Path(__file__).parent
DOCUMENTS = HERE.parents[1] / "docs" / "openapi"


def main(into: Path) -> None:
    settings = ConfigFile.load_from_path(HERE / "openapi-python-client.yaml")
    for document in sorted(DOCUMENTS.glob("*.json")):
        config = Config.from_sources(
            settings,
            MetaType.NONE,
            document_source=document,
            file_encoding="utf-8",
            overwrite=True,
            output_path=into / f"roundlog_{document.stem}",
        )
        handle_errors(generate(config=config), fail_on_warning=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else HERE / "generated")
