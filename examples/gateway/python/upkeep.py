"""The thread that delivers what is due: authorised payments to the core, as soon as there are some."""

from __future__ import annotations

import logging
import threading

import xs2a

# A read may have left evidence, which is due a second later, and another node may have made an order due.
SLEEP_SECONDS = 1.0
SLEEP_SECONDS_AFTER_FAILURE = 5.0

log = logging.getLogger("gateway.upkeep")


class Upkeep:
    """Begins at once."""

    def __init__(self, engine: xs2a.Engine) -> None:
        self._engine = engine
        self._woken = threading.Event()
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name="upkeep")
        self._thread.start()

    def wake(self) -> None:
        """Something may be due now: to be called after each completed SCA."""
        self._woken.set()

    def stop(self) -> None:
        """Ends the thread after the order that it is delivering; the others stay due. It closes the engine,
        which is what ends a run."""
        self._is_stopping = True
        self._woken.set()
        try:
            self._engine.close()
        finally:
            self._thread.join()

    def _run(self) -> None:
        while not self._is_stopping:
            self._woken.wait(self._run_once())
            self._woken.clear()

    def _run_once(self) -> float:
        """Delivers; returns how long to sleep after that."""
        try:
            report = self._engine.run_due()
            if any((report.submitted, report.withdrawn, report.failed, report.dead_letters)):
                log.info("delivered %s", report)
        except Exception as error:  # only stop() ends this thread
            log.error("nothing can be delivered: %s", error)
            return SLEEP_SECONDS_AFTER_FAILURE
        return SLEEP_SECONDS
