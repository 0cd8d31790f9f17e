"""An engine on PostgreSQL: what a server, a pooler or another node does to it, and how it answers."""

from __future__ import annotations

import logging
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
import xs2a
from gateway import authorisation_id, gateway, payment
from payment_journey import INSTANT
from postgres_server import Server, of_its_own, pooler, shared, wait_until
from toy_bank import KARI, ToyBank

DOMESTIC = "/v1/payments/norwegian-domestic-credit-transfers"
TARGET = f"{INSTANT}?allowLogicalDuplicate=true"

# Which node migrates: the holder of this lock, "XS2A" in ASCII.
MIGRATION_LOCK = int.from_bytes(b"XS2A", "big")


@pytest.fixture(name="server", scope="module")
def server_of_the_run() -> Server:
    return shared()


def test_a_payment_is_created_approved_and_delivered(server: Server) -> None:
    bank = ToyBank()
    with gateway(bank, database=server.url(server.database())) as own:
        created = own.create()
        own.approve(created)
        assert own.status(created) == "ACSC"
        assert len(bank.orders) == 1


def test_a_sequence_behind_its_table_is_sys_01_and_logged(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    name = server.database()
    with gateway(database=server.url(name)) as own:
        own.create(TARGET)
        for table in ("payment", "audit"):
            server.sql(name, f"ALTER TABLE xs2a.{table} ALTER COLUMN number RESTART WITH 1")
            caplog.clear()
            with caplog.at_level(logging.ERROR, "xs2a"):
                answer = own.call("POST", TARGET, payment())
            assert (answer.status, answer.reason) == (500, "SYS-01"), answer.body
            assert f"the sequence of `{table}_pkey` is behind its table" in caplog.text
            newest = f"(SELECT max(number) FROM xs2a.{table})"
            server.sql(name, f"SELECT setval(pg_get_serial_sequence('xs2a.{table}', 'number'), {newest})")
            own.create(TARGET)


def test_a_sequence_of_orders_behind_its_table_fails_the_approval(server: Server) -> None:
    name = server.database()
    with gateway(database=server.url(name)) as own:
        links = [authorisation_id(own.create(TARGET)) for _ in range(2)]
        own.engine.complete_sca(links[0], "approved", person=KARI)
        server.sql(name, "ALTER TABLE xs2a.outbox ALTER COLUMN number RESTART WITH 1")
        with pytest.raises(xs2a.StoreError, match="the sequence of `outbox_pkey` is behind its table"):
            own.engine.complete_sca(links[1], "approved", person=KARI)
        server.sql(name, "ALTER TABLE xs2a.outbox ALTER COLUMN number RESTART WITH 100")
        own.engine.complete_sca(links[1], "approved", person=KARI)
        assert own.engine.run_due() == xs2a.RunReport(submitted=2, failed=0)


def test_a_pooler_per_transaction_is_refused_and_one_per_session_used(server: Server) -> None:
    name = server.database()
    with (
        pooler(server, "transaction") as front,
        pytest.raises(xs2a.ConfigError, match="pool_mode=session"),
        gateway(database=front.url(name)),
    ):
        pass
    with pooler(server, "session") as front, gateway(database=front.url(name)) as own:
        own.create()


@pytest.mark.parametrize(
    "options",
    [
        "-c%20search_path%3Dother",
        "-csearch_path%3Dother",
        "--search-path%3Dother",
        "-c%20work_mem%3D8MB%20-c%20SEARCH_PATH%3Dother",
    ],
)
def test_a_schema_of_the_address_is_refused(server: Server, options: str) -> None:
    url = f"{server.url(server.database())}&options={options}"
    with pytest.raises(xs2a.ConfigError, match="the tables are in the schema xs2a"), gateway(database=url):
        pass


@pytest.mark.parametrize(
    "setting", ["lock_timeout", "default_transaction_isolation", "enable_seqscan", "jit"]
)
def test_a_setting_that_each_connection_makes_is_refused(server: Server, setting: str) -> None:
    url = f"{server.url(server.database())}&options=-c%20{setting}%3D1"
    with pytest.raises(xs2a.ConfigError, match=f"`?{setting}"), gateway(database=url):
        pass


def test_a_setting_of_the_address_that_is_not_the_librarys_counts(server: Server) -> None:
    name = server.database()
    with gateway(database=f"{server.url(name)}&options=-c%20work_mem%3D8MB") as own:
        own.create()


def test_a_database_belongs_to_the_bank_that_opened_it_first(server: Server) -> None:
    url = server.url(server.database())
    with gateway(database=url, bank_id="BANKNOKK"):
        pass
    for other, says in (
        ("BANKNOKX", "belongs to the bank `BANKNOKK`, not to `BANKNOKX`"),
        (None, "bank_id: is missing, and the database belongs to the bank `BANKNOKK`"),
    ):
        with pytest.raises(xs2a.ConfigError) as found, gateway(database=url, bank_id=other):
            pass
        assert says in str(found.value)
    with gateway(database=url, bank_id="BANKNOKK") as own:
        own.create()


def test_a_statement_timeout_of_the_role_ends_no_wait_for_another_node(server: Server) -> None:
    name, role = server.database(), f"hasty_{os.getpid()}"
    server.sql(name, f"CREATE ROLE {role} LOGIN SUPERUSER; ALTER ROLE {role} SET statement_timeout = 200")
    with pytest.raises(AssertionError, match="statement timeout"):
        server.sql(name, "SELECT pg_sleep(1)", role)
    migrates = f"BEGIN; SELECT pg_advisory_xact_lock({MIGRATION_LOCK}); SELECT pg_sleep(1.5); COMMIT"
    with subprocess.Popen(server.command(name, migrates), stdout=subprocess.DEVNULL) as other:
        holds = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"
        wait_until(lambda: server.sql(name, holds) == "1")
        with gateway(database=server.url(name, role)) as own:
            assert other.poll() is not None or other.wait(5) == 0, "it did not wait"
            own.create()
    server.sql("postgres", f"DROP DATABASE {name}")
    server.sql("postgres", f"DROP ROLE {role}")


def test_a_role_without_rights_is_refused_at_opening_with_the_tables(server: Server) -> None:
    name, role = server.database(), f"least_{os.getpid()}"
    with gateway(database=server.url(name)):
        pass
    server.sql(name, f"CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA xs2a TO {role}")
    for right, says in (
        ("SELECT", "INSERT on the table xs2a.payment"),
        ("SELECT, INSERT, UPDATE", "DELETE on the table xs2a.used_request_id"),
        ("SELECT, INSERT, UPDATE, DELETE", None),
    ):
        server.sql(name, f"GRANT {right} ON ALL TABLES IN SCHEMA xs2a TO {role}")
        if says is None:
            with gateway(database=server.url(name, role)) as own:
                own.create()
            continue
        with pytest.raises(xs2a.StoreError) as found, gateway(database=server.url(name, role)):
            pass
        assert f"`{role}` lacks" in str(found.value)
        assert says in str(found.value)


def test_a_commit_whose_wait_for_the_standby_ends_has_an_unknown_outcome() -> None:
    with of_its_own() as server, ThreadPoolExecutor(1) as threads:
        name = server.database()
        with gateway(database=server.url(name)) as own:
            server.sql(name, "ALTER SYSTEM SET synchronous_standby_names = 'missing'")
            server.sql(name, "SELECT pg_reload_conf()")
            for end in ("pg_cancel_backend", "pg_terminate_backend"):
                ending = f"SELECT count({end}(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                # The first commits do not wait, until the server has read the setting.
                for _ in range(100):
                    calling = threads.submit(own.call, "POST", TARGET, payment())
                    ended = 0
                    while not ended and not calling.done():
                        ended = int(server.sql(name, ending))
                    if ended:
                        break
                assert ended, "no commit waits"
                answer = calling.result(30)
                assert (answer.status, answer.reason) == (500, "SYS-04"), answer.body


def test_on_a_newer_schema_nothing_is_handed_to_the_core(server: Server) -> None:
    bank, name = ToyBank(), server.database()
    with gateway(bank, database=server.url(name)) as own:
        delivered = own.create(DOMESTIC)
        own.approve(delivered)
        target = f"{delivered['_links']['self']['href']}/cancellation-authorisations"
        cancelling = authorisation_id(own.call("POST", target).json())
        waiting = authorisation_id(own.create(TARGET))
        own.engine.complete_sca(waiting, "approved", person=KARI)
        server.sql(name, "INSERT INTO xs2a.migration (number) VALUES (2)")
        bank.asked.clear()
        for leave in (
            own.engine.run_due,
            lambda: own.engine.complete_sca(cancelling, "approved", person=KARI),
        ):
            with pytest.raises(xs2a.StoreError, match="schema version 2, this library knows version 1"):
                leave()
        assert bank.asked == []
        assert own.call("POST", TARGET, payment()).reason == "SYS-01"
        server.sql(name, "DELETE FROM xs2a.migration WHERE number = 2")
        own.engine.complete_sca(cancelling, "approved", person=KARI)
        own.engine.run_due()
        assert sorted(bank.orders.values()) == ["ACSC", "CANC"]
