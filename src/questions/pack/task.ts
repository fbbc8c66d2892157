/**
 * Reads a task: words to search for, places in files, and names. Tasks are sentences, issues, or the output of a
 * failing test.
 */
import { posix } from 'node:path';
import { parseQuery } from '../../search/query.js';

interface TaskPlace {
  /** As written: often absolute, or from another directory. */
  path: string;
  line: number;
}

export interface Task {
  /** Query of the search. */
  query: string;
  /** The failure is first, its callers follow. */
  places: TaskPlace[];
  /** Names written like identifiers, with what qualifies them: `Cart.total`. */
  names: string[];
  /** Tests that a report says have failed. */
  failed: FailedTest[];
}

/** A longer query is slower and says less: a question is asked at the beginning. */
const MAX_QUERY = 600;
const MAX_PLACES = 24;
const MAX_NAMES = 32;

/** Bounded, and only where a word begins: tasks hold whole files, and lines without a space. */
const FILE = String.raw`(?<![\w@$.+~/\\()[\]-])((?:[A-Za-z]:)?[\w@$.+~/\\()[\]-]{0,400}[\w)\]]\.[A-Za-z]\w{0,9})`;
const PLACES: readonly RegExp[] = [
  // src/cart.ts:12:5, (cart.ts:12), main.go:33 +0x1d
  new RegExp(String.raw`${FILE}:(\d{1,7})(?!\d)`, 'g'),
  // File "cart.py", line 12
  /["']([^"'\n]{1,400}\.[A-Za-z]\w{0,9})["'],? line (\d{1,7})/g,
  // cart.ts(12,5), cart.cs:line 12, Cart.php on line 12
  new RegExp(String.raw`${FILE}(?:\((\d{1,7})(?:,\d+)?\)|:line (\d{1,7})| on line (\d{1,7}))`, 'g'),
];

/** Lines of a trace: places are taken from them, their words say nothing of the task. */
const FRAME =
  /^\s*(?:at\s.+[:(]\d+|File "[^"]+", line \d+|#\d+\s|\.{3} \d+ more|goroutine \d+|\S+\.go:\d+( \+0x|$)|\d+: +0x)/;

/** Names of several words, and qualified ones. */
const COMPOUND = /[a-z\d][A-Z]|[^\W_]_|\./;

/** Python and Ruby write callers first; everyone else begins with the failure. */
const CALLERS_FIRST = /most recent call last/i;

export function readTask(text: string): Task {
  const lines = text.split(/\r?\n/);
  const prose = lines.filter((line) => !FRAME.test(line)).join('\n');
  const places = placesIn(text);
  // A frame's name is known better by its place: others of that name are not meant.
  const found = namesIn(places.length > 0 ? prose : text);
  const failed = failedTests(lines);
  // Reports have words of their own, such as `Error:` and `Test:`, which are no names of the code.
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

/** Places of a trace that begins at `from` (-1: none) and names callers first, turned round; they are what the task is about. */
function failureFirst<T extends { at: number }>(places: T[], from: number): T[] {
  if (from < 0) return places;
  const frames = places.filter(({ at }) => at > from);
  return [...frames.reverse(), ...places.filter(({ at }) => at < from)];
}

/** `file:///`, brackets around it or a call before it (`Cart.total(Cart.java`), and other systems' slashes. */
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

/** Names are looked for in so much of a task. */
const MAX_NAMED = 20_000;
const MIN_NAME = 3;

function queryOf(prose: string, names: readonly string[]): string {
  if (prose.length <= MAX_QUERY) return prose;
  const head = prose.slice(0, MAX_QUERY).replace(/\S*$/, '');
  // Names say most of the rest.
  const further = names.filter((name) => !head.includes(name)).slice(0, 12);
  return [head || prose.slice(0, MAX_QUERY), ...further].join(' ');
}

// Reads which tests failed out of the reports of test runners.

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

/** Reports name a test more than once: a summary also tells the file. */
function remember(found: Map<string, FailedTest>, test: FailedTest): void {
  const key = test.names.join('\0');
  const known = found.get(key);
  if (known === undefined) found.set(key, test);
  else known.path ??= test.path;
}
