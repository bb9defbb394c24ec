"""The key that registration signs tokens of captains with: made once, and for its owner alone."""

import json
from pathlib import Path

import pytest

from services.registration.signing import UnusableKey, read_or_make


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key"
    made = read_or_make(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_or_make(path).private_bytes_raw() == made.private_bytes_raw()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", ["", "nonsense", json.dumps({"kty": "OKP"})])
def test_a_file_without_a_key_is_said_to_have_none(content: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(content)
    with pytest.raises(UnusableKey):
        read_or_make(tmp_path / "key")
