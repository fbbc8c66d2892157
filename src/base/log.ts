/** Messages for people on stderr, by level, and the log file of a repository's index. Stdout carries results alone. */
import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { plainFileAt, readPlainFile, standingAt } from './atomic.js';
import { SocraticodeError } from './errors.js';
import { safeJson, signs, visibleLine, visibleText, withoutSecrets } from './printable.js';

// Log file of a repository's index, `log.jsonl` in its state directory: one JSON object per line. It holds no source
// text, no query and no secrets, and failing to write it is ignored.

/** Some 2,500 lines: two months of fifty commits a day. One older file of this size is kept. */
const MAX_LOG_BYTES = 512 * 1024;
/** Length of a line: one write of this size is never mixed with another process's. */
const MAX_LINE_BYTES = 4_096;
/** Characters of one text; JSON may need six bytes for each of them. */
const MAX_TEXT = 500;
/** Larger files are not ours: at most a few lines are added while the file is renamed. */
const MAX_READ_BYTES = 8 << 20;
/** Readable for the owner alone, even in a shared repository: messages name branches, remotes and paths. */
const MODE = 0o600;
const APPEND =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  // Refuses a link, and a pipe, which would wait for its other end. Windows has neither flag.
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Counts, milliseconds, codes and ids. */
export type LogData = Readonly<Record<string, string | number | boolean | null>>;

export interface LogLine {
  /** ISO 8601. */
  time: string;
  level: string;
  pid: number;
  command: string;
  /** Kind of the event, for programs. */
  event: string | null;
  message: string;
  data: LogData;
}

export function logPath(state: string): string {
  return join(state, 'log.jsonl');
}

/** Adds a line if the state directory exists. Never throws. */
export function appendLog(state: string, line: LogLine): void {
  try {
    if (standingAt(state)?.isDirectory()) append(logPath(state), textOf(line));
  } catch {
    // Read-only, full, or not ours.
  }
}

function append(path: string, text: string, again = true): void {
  const fd = openSync(path, APPEND, MODE);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return;
    // A file with a second name may be a file of the user.
    if (stat.size <= MAX_LOG_BYTES && stat.nlink === 1) return void writeSync(fd, text);
    // Another process may have renamed it by now.
    if (plainFileAt(path)?.ino === stat.ino) renameSync(path, `${path}.1`);
  } finally {
    closeSync(fd);
  }
  if (again) append(path, text, false);
}

function textOf({ data, event, message, ...head }: LogLine): string {
  const clean = Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? tidy(value) : value]);
  const whole = { ...Object.fromEntries(clean), ...head, ...(event === null ? {} : { event }), message: tidy(message) };
  const text = safeJson(whole);
  const bounded = Buffer.byteLength(text) < MAX_LINE_BYTES ? text : safeJson({ ...head, message: tidy(message) });
  return `${bounded}\n`;
}

function tidy(text: string): string {
  // The answer of an embedding server may quote source text.
  const own = text.slice(0, 2 * MAX_TEXT).replace(/\banswered (\d{3}): .*/s, 'answered $1');
  const line = visibleLine(withoutSecrets(own));
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}${signs.cut}` : line;
}

/** The last lines that `wanted` accepts, oldest first; invalid lines are skipped. Never throws. */
export function readLog(state: string, count: number, wanted: (line: LogLine) => boolean = () => true): LogLine[] {
  const found: LogLine[] = [];
  for (const path of [logPath(state), `${logPath(state)}.1`]) {
    const lines = boundedText(path).split('\n');
    for (let i = lines.length - 1; i >= 0 && found.length < count; i--) {
      const line = parse(lines[i]);
      if (line !== null && wanted(line)) found.push(line);
    }
  }
  return found.reverse();
}

function boundedText(path: string): string {
  try {
    return readPlainFile(path, MAX_READ_BYTES)?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}

function parse(text: string): LogLine | null {
  if (text === '') return null;
  try {
    const { time, level, pid, command, event, message, ...data } = JSON.parse(text) as Record<string, unknown>;
    const texts = [time, level, command, message];
    if (!texts.every((each) => typeof each === 'string') || typeof pid !== 'number') return null;
    const line = { time, level, pid, command, message, event: typeof event === 'string' ? event : null };
    return { ...line, data } as LogLine;
  } catch {
    return null;
  }
}

const LEVELS = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 } as const;
type LogLevel = keyof typeof LEVELS;

let threshold: number = LEVELS[parseLevel(process.env.SOCRATICODE_LOG_LEVEL) ?? 'warn'];
let command = '';
/** State directories of open repositories, in the order of opening. */
const open: string[] = [];
let last: string | null = null;
const printed = new Set<string>();

function parseLevel(text: string | undefined): LogLevel | undefined {
  return text !== undefined && Object.hasOwn(LEVELS, text) ? (text as LogLevel) : undefined;
}

export function setLogLevel(level: LogLevel): void {
  threshold = LEVELS[level];
}

/** True if the user has chosen a log level. */
export function isLogLevelChosen(): boolean {
  return parseLevel(process.env.SOCRATICODE_LOG_LEVEL) !== undefined;
}

export function isVerbose(): boolean {
  return threshold >= LEVELS.debug;
}

/** Sets the command name for the log file: `search`, `index`, `hook`, … */
export function setLogCommand(name: string): void {
  command = name;
}

/**
 * Writes the log to this state directory from now on. If another repository was opened before, the log stays with that one: a
 * process that opens several was asked about the first. Returns a function that ends it; a later failure is still written
 * there.
 */
export function keepLog(state: string): () => void {
  open.push(state);
  return () => {
    const at = open.indexOf(state);
    if (at >= 0) open.splice(at, 1);
    last = state;
  };
}

/** Messages hold names from repositories, locks and remotes, so control characters are escaped. */
function print(level: LogLevel, message: string): void {
  if (LEVELS[level] <= threshold) process.stderr.write(`git-socraticode: ${visibleText(message)}\n`);
}

function keep(level: LogLevel, message: string, event: string | null = null, data: LogData = {}): void {
  const state = open[0] ?? last;
  // A quieter terminal does not make the file quieter.
  if (state === null || LEVELS[level] > Math.max(threshold, LEVELS.info)) return;
  const [time, pid] = [new Date().toISOString(), process.pid];
  appendLog(state, { time, level, pid, command, event, message, data });
}

function write(level: LogLevel, message: string): void {
  print(level, message);
  keep(level, message);
}

/** Errors of the request, not of the index; their messages repeat what was typed. They are not logged. */
const REQUEST_ERRORS: ReadonlySet<string> = new Set([
  ...['BAD_ARGUMENT', 'EMPTY_QUERY', 'UNKNOWN_REF', 'UNBORN_HEAD', 'NOT_A_REPOSITORY', 'NO_REMOTE', 'CANCELLED'],
  ...['NOT_READY', 'BAD_CONFIG'],
]);

export const log = {
  error: (message: string) => write('error', message),
  warn: (message: string) => write('warn', message),
  info: (message: string) => write('info', message),
  debug: (message: string) => write('debug', message),

  /** Logs a change as one line, with data for programs. */
  event(event: string, message: string, data: LogData = {}, level: LogLevel = 'info'): void {
    print(level === 'info' ? 'debug' : level, message);
    keep(level, message, event, data);
  },

  /** Writes to stderr alone: for facts that every command would repeat. */
  print,

  /** Writes to stderr alone, once per process. */
  printOnce(level: LogLevel, message: string): void {
    if (printed.has(message)) return;
    printed.add(message);
    print(level, message);
  },

  /** Writes a failure to the file alone; it is printed elsewhere. For a bug only stack frames: its message may quote source. */
  failure(error: SocraticodeError): void {
    if (REQUEST_ERRORS.has(error.code)) return;
    const message = error.code === 'INTERNAL' ? placesOf(error.cause ?? error) : error.message;
    keep('error', message, 'failure', { code: error.code });
  },
};

const MAX_FRAMES = 4;

/** `TypeError at fn (session/session.js:12:3), …` */
function placesOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value was thrown';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line));
  const shown = frames
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim().replace(/(?:file:\/\/)?\/\S*\/(?:src|dist)\//, ''));
  const name = error instanceof SocraticodeError ? error.code : error.name;
  return [name, ...shown].join(' ');
}
