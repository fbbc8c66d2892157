/** Reads a task (a sentence, an issue, or the output of a failing test): words to search for, places in files, and names. */
import { posix } from 'node:path';
import { parseQuery } from '../../search/query.js';

interface TaskPlace {
  /** As written, which is often absolute, or relative to another directory. */
  path: string;
  line: number;
}

export interface Task {
  /** Query of the search. */
  query: string;
  /** Places, the failure before its callers. */
  places: TaskPlace[];
  /** Names written as identifiers, with qualifiers: `Cart.total`. */
  names: string[];
  /** Tests that a report calls failed. */
  failed: FailedTest[];
}

/** Longest query. Longer ones are slower and say less: people ask at the beginning. */
const MAX_QUERY = 600;
const MAX_PLACES = 24;
const MAX_NAMES = 32;

/** A path, bounded in length and only at the beginning of a word: tasks hold whole files, and lines without a space. */
const FILE = String.raw`(?<![\w@$.+~/\\()[\]-])((?:[A-Za-z]:)?[\w@$.+~/\\()[\]-]{0,400}[\w)\]]\.[A-Za-z]\w{0,9})`;
const PLACES: readonly RegExp[] = [
  // src/cart.ts:12:5, (cart.ts:12), main.go:33 +0x1d
  new RegExp(String.raw`${FILE}:(\d{1,7})(?!\d)`, 'g'),
  // File "cart.py", line 12
  /["']([^"'\n]{1,400}\.[A-Za-z]\w{0,9})["'],? line (\d{1,7})/g,
  // cart.ts(12,5), cart.cs:line 12, Cart.php on line 12
  new RegExp(String.raw`${FILE}(?:\((\d{1,7})(?:,\d+)?\)|:line (\d{1,7})| on line (\d{1,7}))`, 'g'),
];

/** Lines of a trace: their places count, their words do not. */
const FRAME =
  /^\s*(?:at\s.+[:(]\d+|File "[^"]+", line \d+|#\d+\s|\.{3} \d+ more|goroutine \d+|\S+\.go:\d+( \+0x|$)|\d+: +0x)/;

/** Names of several words, and qualified names. */
const COMPOUND = /[a-z\d][A-Z]|[^\W_]_|\./;

/** Python and Ruby write callers first, others the failure. */
const CALLERS_FIRST = /most recent call last/i;

export function readTask(text: string): Task {
  const lines = text.split(/\r?\n/);
  const prose = lines.filter((line) => !FRAME.test(line)).join('\n');
  const places = placesIn(text);
  // Frames of a trace are found by place, so their names are not looked up.
  const found = namesIn(places.length > 0 ? prose : text);
  const failed = failedTests(lines);
  // Words of reports, such as `Error:` and `Test:`, are no names of the code.
  const names = failed.length === 0 ? found : found.filter((name) => COMPOUND.test(name));
  return { query: queryOf(prose.trim() === '' ? text : prose, names), places, names, failed };
}

function placesIn(text: string): TaskPlace[] {
  const found = new Map<string, TaskPlace & { at: number }>();
  for (const pattern of PLACES) {
    for (const match of text.matchAll(pattern)) {
      const path = clean(match[1]);
      const line = Number(match[2] ?? match[3] ?? match[4]);
      const key = `${path}:${line}`;
      if (path !== '' && line > 0 && !found.has(key)) found.set(key, { path, line, at: match.index });
    }
  }
  const ordered = failureFirst(
    [...found.values()].sort((a, b) => a.at - b.at),
    text.search(CALLERS_FIRST),
  );
  return ordered.slice(0, MAX_PLACES).map(({ path, line }) => ({ path, line }));
}

/** Turns round the places of a trace that begins at `from` (-1: none) and names callers first. The task is about its failure. */
function failureFirst<T extends { at: number }>(places: T[], from: number): T[] {
  if (from < 0) return places;
  const frames = places.filter(({ at }) => at > from);
  return [...frames.reverse(), ...places.filter(({ at }) => at < from)];
}

/** Removes `file:///`, brackets and a call in front (`Cart.total(Cart.java`), and converts other systems' slashes. */
function clean(path: string): string {
  const bare = path
    .replace(/^.*[\w.>]\(/, '')
    .replace(/^[([]+/, '')
    .replaceAll('\\', '/')
    .replace(/^[A-Za-z]:\//, '/')
    .replace(/^\/{2,}/, '/');
  return posix.normalize(bare).replace(/^(?:\.\.?\/)+/, '');
}

function namesIn(text: string): string[] {
  const found = new Set<string>();
  const last = new Set(parseQuery(text.slice(0, MAX_NAMED)).identifiers);
  for (const [name] of text
    .slice(0, MAX_NAMED)
    .matchAll(/[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*/gu)) {
    const parts = name.split(/\.|::|#|->/);
    const own = parts[parts.length - 1];
    if (last.has(own) && own.length >= MIN_NAME) found.add(parts.join('.'));
    if (found.size >= MAX_NAMES) break;
  }
  return [...found];
}

/** Characters of a task that are searched for names. */
const MAX_NAMED = 20_000;
const MIN_NAME = 3;

function queryOf(prose: string, names: readonly string[]): string {
  if (prose.length <= MAX_QUERY) return prose;
  const head = prose.slice(0, MAX_QUERY).replace(/\S*$/, '');
  // Names follow: they say most about the rest of the task.
  const further = names.filter((name) => !head.includes(name)).slice(0, 12);
  return [head || prose.slice(0, MAX_QUERY), ...further].join(' ');
}

// Finds failed tests in the reports of test runners.

export interface FailedTest {
  /** File of the test as reported; null if none is named. */
  path: string | null;
  /** Names from the outside in: class and method, modules and function, titles. */
  names: string[];
}

/** Most failed tests that are read: if more fail, the first ones show the common cause. */
const MAX_FAILED = 12;
/** Longest line that can be a heading of a report. */
const MAX_LINE = 1_000;

interface Report {
  pattern: RegExp;
  /** Separator of names. */
  between: string | RegExp;
}

/** Patterns of lines, with the groups `path` and `name`. */
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
function failedTests(lines: readonly string[]): FailedTest[] {
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

/** Joins tests that a report names more than once: its summary often adds the file. */
function remember(found: Map<string, FailedTest>, test: FailedTest): void {
  const key = test.names.join('\0');
  const known = found.get(key);
  if (known === undefined) found.set(key, test);
  else known.path ??= test.path;
}
