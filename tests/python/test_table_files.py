"""Tables as files: what other readers find in them, and that none is there in half."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import polars
import pyarrow
import pyarrow.parquet
import pytest
import xs2a

NOW = "2026-09-01T10:00:00Z"


@pytest.fixture
def bank() -> xs2a.Sandbox:
    bank = xs2a.Sandbox(now=NOW, seed=1)
    bank.populate(persons=40, companies=1, months=12)
    return bank


def test_a_parquet_file_has_the_table_with_its_types(bank: xs2a.Sandbox, tmp_path: Path) -> None:
    for name in bank.tables():
        path = tmp_path / f"{name}.parquet"
        table = bank.table(name)
        table.write_parquet(path)
        read = pyarrow.parquet.read_table(path)
        assert read.schema == pyarrow.schema(table)
        assert read.schema.metadata == pyarrow.schema(table).metadata
        # Parts have dictionaries of their own; the values are compared.
        assert read.to_pylist() == pyarrow.table(table).to_pylist(), name
        assert polars.read_parquet(path).equals(polars.DataFrame(table)), name
    assert pyarrow.parquet.ParquetFile(tmp_path / "transactions.parquet").metadata.num_rows > 16_384
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(bank.tables())


def test_an_arrow_file_has_the_table_with_its_types(bank: xs2a.Sandbox, tmp_path: Path) -> None:
    table = bank.table("transactions")
    table.write_arrow(tmp_path / "transactions.arrows")
    with pyarrow.ipc.open_stream(str(tmp_path / "transactions.arrows")) as read:
        assert read.read_all().equals(pyarrow.table(table))


def test_a_csv_file_has_the_values_as_text(bank: xs2a.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "transactions.csv"
    table = bank.table("transactions", columns=["id", "booking_date", "amount", "bban", "created_at"])
    table.write_csv(path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == table.column_names
    wanted = pyarrow.table(table).to_pylist()
    assert len(rows) == 1 + len(wanted)
    for row, want in zip(rows[1:], wanted):
        assert row[:2] == [want["id"], str(want["booking_date"])]
        assert Decimal(row[2]) == want["amount"]
        assert row[3:] == [want["bban"] or "", f"{want['created_at']:%Y-%m-%dT%H:%M:%S.%fZ}"]


def test_a_file_has_the_permissions_of_any_new_file(bank: xs2a.Sandbox, tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    bank.table("customers").write_parquet(tmp_path / "customers.parquet")
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert len(modes) == 1


def test_a_relative_path_is_taken(
    bank: xs2a.Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bank.table("customers").write_csv("customers.csv")
    assert os.listdir() == ["customers.csv"]


def test_a_failed_writing_leaves_the_old_file(bank: xs2a.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "customers.parquet"
    table = bank.table("customers")
    table.write_parquet(path)
    before = path.read_bytes()
    bank.close()
    for write in (table.write_parquet, table.write_csv, table.write_arrow):
        with pytest.raises(xs2a.MisuseError, match="closed"):
            write(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["customers.parquet"]


def test_a_folder_that_is_not_there_is_named(bank: xs2a.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "missing" / "customers.parquet"
    with pytest.raises(xs2a.StoreError, match=r"cannot write `.*missing/customers.parquet`: No such file"):
        bank.table("customers").write_parquet(path)


FULL = """
import resource, sys, xs2a
with xs2a.Sandbox(now="2026-09-01T10:00:00Z") as bank:
    bank.populate(persons=40, companies=0, months=12)
    table = bank.table("transactions")
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, resource.RLIM_INFINITY))
    for write in (table.write_parquet, table.write_csv, table.write_arrow):
        try:
            write(sys.argv[1])
        except xs2a.StoreError as error:
            assert "cannot write" in str(error) and "File too large" in str(error), error
        else:
            raise AssertionError("64 KiB were enough")
"""


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "transactions"
    path.write_text("what was there")
    subprocess.run([sys.executable, "-c", FULL, str(path)], check=True, timeout=120)
    assert path.read_text() == "what was there"
    assert os.listdir(tmp_path) == ["transactions"]


def test_progress_gets_the_rows_and_what_it_raises_ends_the_file(bank: xs2a.Sandbox, tmp_path: Path) -> None:
    table = bank.table("transactions")
    reported: list[int] = []
    for write in (table.write_parquet, table.write_csv, table.write_arrow):
        reported.clear()
        write(tmp_path / "whole", progress=reported.append)
        assert reported == sorted(reported)
        assert len(reported) > 1
        assert reported[-1] == pyarrow.table(table).num_rows

    class StoppedError(Exception):
        pass

    def stop(rows: int) -> None:
        raise StoppedError(rows)

    before = (tmp_path / "whole").read_bytes()
    with pytest.raises(StoppedError):
        table.write_csv(tmp_path / "whole", progress=stop)
    assert (tmp_path / "whole").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]
    with pytest.raises(TypeError, match="progress"):
        table.write_csv(tmp_path / "other", progress=3)  # type: ignore[arg-type]
