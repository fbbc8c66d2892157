"""Plugin of pytest that records calls: `python -m pytest -p trace_calls`, for `run-truth.mjs`.

TRACE_ROOT is the repository, TRACE_OUT the file to write: JSON with `calls` (place of the call, definition that ran),
`outside` (place of the call, name of what ran outside of the repository) and `tests` (definitions that each test file ran).
TRACE_TEST is the test file that is run alone, where there is one.
"""
import json
import os
import sys
import threading

ROOT = os.path.realpath(os.environ["TRACE_ROOT"]) + os.sep
OUT = os.environ["TRACE_OUT"]
SKIPPED = tuple(ROOT + name + os.sep for name in (".venv", "venv", ".tox", "node_modules"))

places = {}
calls = set()
outside = set()
tests = {}
# The test file that this process runs alone: all that runs, also while files are loaded, is then its doing.
OWN = os.environ.get("TRACE_TEST")
current = tests.setdefault(OWN, set()) if OWN else None


def place_of(code):
    found = places.get(code)
    if found is None:
        path = os.path.realpath(code.co_filename)
        own = path.startswith(ROOT) and not path.startswith(SKIPPED)
        found = (path[len(ROOT):], code.co_firstlineno, code.co_name) if own else False
        places[code] = found
    return found


def profile(frame, event, arg):
    if event == "call":
        own = place_of(frame.f_code)
        if own and current is not None:
            current.add(own)
        back = frame.f_back
        if back is None:
            return
        caller = place_of(back.f_code)
        if not caller:
            return
        if own:
            calls.add((caller[0], back.f_lineno, own))
        else:
            outside.add((caller[0], back.f_lineno, frame.f_code.co_name))
    elif event == "c_call":
        caller = place_of(frame.f_code)
        if caller:
            outside.add((caller[0], frame.f_lineno, getattr(arg, "__name__", "?")))


def start():
    threading.setprofile(profile)
    sys.setprofile(profile)


def pytest_runtest_setup(item):
    global current
    if OWN:
        return
    path = os.path.relpath(os.path.realpath(str(item.fspath)), ROOT)
    current = tests.setdefault(path, set())
    start()


def pytest_runtest_teardown(item, nextitem):
    start()


def pytest_sessionfinish(session, exitstatus):
    sys.setprofile(None)
    threading.setprofile(None)
    with open(OUT, "w", encoding="utf-8") as out:
        json.dump(
            {
                "calls": [[path, line, *target] for path, line, target in sorted(calls)],
                "outside": sorted(outside),
                "tests": {path: sorted(ran) for path, ran in sorted(tests.items())},
            },
            out,
        )


start()
