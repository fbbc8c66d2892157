/**
 * Log file of a repository's index, `log.jsonl` in its state directory: one JSON object per line. It holds no source text,
 * no query and no secrets, and failing to write it is ignored.
 */
import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { plainFileAt, readPlainFile, standingAt } from './atomic.js';
import { safeJson, visibleLine, withoutSecrets } from './hygiene.js';

/** Some 2,500 lines: two months of fifty commits a day. One older file of this size is kept. */
const MAX_LOG_BYTES = 512 * 1024;
/** Length of a line: one write of this size is never mixed with another process's. */
const MAX_LINE_BYTES = 4_096;
/** Characters of one text; JSON may need six bytes for each. */
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
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
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
