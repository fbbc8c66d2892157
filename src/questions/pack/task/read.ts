/** Reads a task: words to search for, places in files, and names. Tasks are sentences, issues, or the output of a failing test. */
import { posix } from 'node:path';
import { parseQuery } from '../../../search/query.js';
import { type FailedTest, failedTests } from './failed-tests.js';

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
