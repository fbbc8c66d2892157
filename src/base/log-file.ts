/**
 * `log.jsonl` in a repository's state directory: what happened to its index, a JSON object a line. Never source text, never
 * a query, no secrets; and never a reason for anything to fail.
 */
import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { plainFileAt, readPlainFile, standingAt } from './atomic.js';
import { safeJson, visibleLine, withoutSecrets } from './hygiene.js';

/** Some 2,500 lines: two months of fifty commits a day. With the older file twice that is the most there ever is. */
const MAX_LOG_BYTES = 512 * 1024;
/** Of one line: a single write of this size is never mixed with another process's. */
const MAX_LINE_BYTES = 4_096;
/** Characters of one text; JSON may need six bytes for one. */
const MAX_TEXT = 500;
/** Other processes may add a few lines while one moves the file aside; whatever is longer is not ours. */
const MAX_READ_BYTES = 8 << 20;
/** For its owner alone: messages name branches, remotes and places on this machine, whatever the repository's own mode is. */
const MODE = 0o600;
const APPEND =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  // A link leads elsewhere, and a pipe would wait for its other end. Both are missing on Windows.
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Counts, milliseconds, codes, ids. */
export type LogData = Readonly<Record<string, string | number | boolean | null>>;

export interface LogLine {
  /** ISO 8601. */
  time: string;
  level: string;
  pid: number;
  command: string;
  /** What kind of thing happened, for programs. */
  event: string | null;
  message: string;
  data: LogData;
}

export function logPath(state: string): string {
  return join(state, 'log.jsonl');
}

/** Adds a line, if the state directory is there: a log is no reason to make one. Never throws. */
export function appendLog(state: string, line: LogLine): void {
  try {
    if (standingAt(state)?.isDirectory()) append(logPath(state), textOf(line));
  } catch {
    // Read-only, full, or not ours: nobody could be told.
  }
}

function append(path: string, text: string, again = true): void {
  const fd = openSync(path, APPEND, MODE);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return;
    // With a second name it is some other file as well.
    if (stat.size <= MAX_LOG_BYTES && stat.nlink === 1) return void writeSync(fd, text);
    // Another process may have done it by now: then what stands there is the new one.
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
  // A server that refuses texts may quote them.
  const own = text.slice(0, 2 * MAX_TEXT).replace(/\banswered (\d{3}): .*/s, 'answered $1');
  const line = visibleLine(withoutSecrets(own));
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

/** The last lines that `wanted` accepts, oldest first; what is no line of ours is passed over. Never throws. */
export function readLog(state: string, count: number, wanted: (line: LogLine) => boolean = () => true): LogLine[] {
  const found: LogLine[] = [];
  for (const path of [logPath(state), `${logPath(state)}.1`]) {
    const lines = textAt(path).split('\n');
    for (let i = lines.length - 1; i >= 0 && found.length < count; i--) {
      const line = parse(lines[i]);
      if (line !== null && wanted(line)) found.push(line);
    }
  }
  return found.reverse();
}

function textAt(path: string): string {
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
