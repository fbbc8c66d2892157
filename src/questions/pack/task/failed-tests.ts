/** Reads which tests failed out of the reports of test runners. */

export interface FailedTest {
  /** File of the test as the report writes it; null where it names none. */
  path: string | null;
  /** Names from the outside in: class and method, modules and function, titles. */
  names: string[];
}

/** A run in which more tests fail has one cause, which the first ones show. */
const MAX_FAILED = 12;
/** A longer line is no heading of a report. */
const MAX_LINE = 1_000;

interface Report {
  pattern: RegExp;
  /** Between names. */
  between: string | RegExp;
}

/** Patterns begin at the start of a line, and name the groups `path` and `name`. */
const REPORTS: readonly Report[] = [
  // pytest
  { pattern: /^(?:FAILED|ERROR) (?<path>[^\s:]+\.py)::(?<name>[^\s[]+)/, between: '::' },
  { pattern: /^(?<path>[^\s:]+\.py)::(?<name>[^\s[]+)\S* (?:FAILED|ERROR)\b/, between: '::' },
  // unittest
  { pattern: /^(?:FAIL|ERROR): (?<name>\w+) \(/, between: '.' },
  // go test: subtests have no function of their own
  { pattern: /^\s*--- FAIL: (?<name>[^\s/]+)/, between: '.' },
  // cargo test
  { pattern: /^test (?<name>[\w:]+)(?: - should panic)? \.\.\. FAILED/, between: '::' },
  { pattern: /^---- (?<name>[\w:]+) stdout ----/, between: '::' },
  { pattern: /^thread '(?!main')(?<name>[\w:]+)' (?:\(\d+\) )?panicked at/, between: '::' },
  // Vitest, then Jest, which names the file on a line of its own
  { pattern: /^\s*(?:FAIL|×)\s+(?<path>\S+\.\w+) > (?<name>.+)$/, between: ' > ' },
  { pattern: /^\s*FAIL\s+(?<path>\S+\.\w+)(?: \([\d.]+ m?s\))?$/, between: '' },
  { pattern: /^\s*● (?<name>.+)$/, between: ' › ' },
  // node:test and TAP
  { pattern: /^\s*not ok \d+ - (?<name>.+)$/, between: ' > ' },
  { pattern: /^\s*✖ (?<name>.+?) \([\d.]+ms\)$/, between: ' > ' },
  // Gradle, Maven, .NET, PHPUnit
  { pattern: /^(?<name>\w+ > \w+)(?:\(\))? FAILED$/, between: ' > ' },
  { pattern: /^\[ERROR\]\s+(?<name>\w+\.\w+):\d+/, between: '.' },
  { pattern: /^\s*Failed (?<name>[\w.]+)(?:\(.*\))? \[/, between: '.' },
  { pattern: /^\d+\) (?<name>[\w\\]+::\w+)/, between: /\\|::/ },
];

/** Failed tests in the order in which the lines first name them. */
export function failedTests(lines: readonly string[]): FailedTest[] {
  const found = new Map<string, FailedTest>();
  let file: string | null = null;
  for (const line of lines) {
    if (line.length > MAX_LINE || found.size >= MAX_FAILED) continue;
    for (const { pattern, between } of REPORTS) {
      const groups = pattern.exec(line)?.groups;
      if (groups === undefined) continue;
      const { path, name } = groups as { path?: string; name?: string };
      if (name === undefined) file = path ?? null;
      else remember(found, { path: path ?? file, names: name.trim().split(between) });
      break;
    }
  }
  return [...found.values()];
}

/** Reports name a test more than once: a summary also tells the file. */
function remember(found: Map<string, FailedTest>, test: FailedTest): void {
  const key = test.names.join('\0');
  const known = found.get(key);
  if (known === undefined) found.set(key, test);
  else known.path ??= test.path;
}
