"""What the control interface works on: a served sandbox, and the snapshots that were taken over it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from xs2a._control.problem import Problem
from xs2a._real_time import bring_to_the_present

if TYPE_CHECKING:
    from xs2a._native import Sandbox

__all__ = ["Control", "Snapshot", "Snapshots"]

_SNAPSHOTS_MAX = 100
_SNAPSHOT_BYTES_MAX = 512 * 1024 * 1024


@dataclass(frozen=True)
class Snapshot:
    """A state that can be restored."""

    id: int
    at: datetime
    image: bytes


class Snapshots:
    """The snapshots of one control interface, in memory: at most 100, and 512 MiB of them."""

    def __init__(self) -> None:
        self._kept: dict[int, Snapshot] = {}
        self._last = 0
        self._changing = threading.Lock()

    def add(self, at: datetime, image: bytes) -> Snapshot:
        """Keeps a state. ``Problem`` if there is no space left for it."""
        with self._changing:
            total = sum(len(snapshot.image) for snapshot in self._kept.values()) + len(image)
            if len(self._kept) >= _SNAPSHOTS_MAX or total > _SNAPSHOT_BYTES_MAX:
                raise Problem(
                    HTTPStatus.INSUFFICIENT_STORAGE,
                    f"at most {_SNAPSHOTS_MAX} snapshots and {_SNAPSHOT_BYTES_MAX >> 20} MiB are kept: "
                    "delete one first",
                )
            self._last += 1
            snapshot = Snapshot(self._last, at, image)
            self._kept[snapshot.id] = snapshot
            return snapshot

    def all(self) -> list[Snapshot]:
        """All of them, oldest first."""
        with self._changing:
            return list(self._kept.values())

    def get(self, snapshot_id: int) -> Snapshot:
        """One of them. ``Problem`` for an unknown one."""
        with self._changing:
            found = self._kept.get(snapshot_id)
        if found is None:
            raise Problem(HTTPStatus.NOT_FOUND, f"there is no snapshot {snapshot_id}")
        return found

    def remove(self, snapshot_id: int) -> None:
        """Deletes one of them. ``Problem`` for an unknown one."""
        with self._changing:
            if self._kept.pop(snapshot_id, None) is None:
                raise Problem(HTTPStatus.NOT_FOUND, f"there is no snapshot {snapshot_id}")


@dataclass(frozen=True)
class Control:
    """A served sandbox."""

    sandbox: Sandbox
    url: str
    """Of the bank, base path included."""
    real_time: bool = False
    """Whether the clock follows the machine's."""
    snapshots: Snapshots = field(default_factory=Snapshots)
    stopping: threading.Event = field(default_factory=threading.Event)
    """Set when the server ends."""

    def keep_up(self) -> None:
        """Moves a clock that follows the machine's to the present, as each call of the bank does."""
        if self.real_time:
            bring_to_the_present(self.sandbox.clock)
