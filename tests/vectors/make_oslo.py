"""Writes oslo_days.json and oslo_times.json: Python's zoneinfo says what the clocks in Oslo show.

    python tests/vectors/make_oslo.py      (with the system's tz database, or: pip install tzdata)

Seeded: the same bytes every time.
"""

import datetime
import json
import pathlib
import random
import zoneinfo

HERE = pathlib.Path(__file__).parent
RANDOM = random.Random(20261120)
OSLO = zoneinfo.ZoneInfo("Europe/Oslo")
UTC = datetime.timezone.utc
BATCH_TIMES = ["00:00", "06:00", "10:00", "13:00", "15:30", "18:00"]


def spelt(instant):
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def days():
    for year in (2026, 2027, 2036):
        for month in (1, 3, 6, 7, 10, 12):
            for hour, minute, second in ((21, 59, 59), (22, 0, 0), (22, 59, 59), (23, 0, 0)):
                yield datetime.datetime(year, month, 28, hour, minute, second, tzinfo=UTC)
    for _ in range(40):
        yield datetime.datetime.fromtimestamp(RANDOM.randrange(315_532_800, 4_070_908_800), UTC)


def times():
    changes = ["2026-03-29", "2026-10-25", "2027-03-28", "2027-10-31"]
    for date in changes:
        for time in BATCH_TIMES + ["01:59", "02:00", "02:30", "02:59", "03:00", "03:01"]:
            yield date, time
    for _ in range(20):
        day = datetime.date(2024, 1, 1) + datetime.timedelta(days=RANDOM.randrange(20_000))
        yield day.isoformat(), RANDOM.choice(BATCH_TIMES)


def local(date, time):
    """Fold 0: the first of two, and the clock before the change for none."""
    return datetime.datetime.fromisoformat(f"{date}T{time}").replace(tzinfo=OSLO, fold=0)


def write(name, rows):
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in rows)
    (HERE / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main():
    write("oslo_days.json", [
        {"id": f"day-{number:03}", "comment": "zoneinfo", "instant": spelt(instant),
         "expected": instant.astimezone(OSLO).date().isoformat()}
        for number, instant in enumerate(days(), 1)
    ])
    write("oslo_times.json", [
        {"id": f"time-{number:03}", "comment": "zoneinfo", "date": date, "time": time,
         "expected": spelt(local(date, time))}
        for number, (date, time) in enumerate(times(), 1)
    ])


if __name__ == "__main__":
    main()
