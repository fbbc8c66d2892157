/**
 * Messages for people go to stderr, by level; stdout is the result only. What happened to an index goes to the log file of
 * its repository as well.
 */
import { SocraticodeError } from './errors.js';
import { appendLog, type LogData } from './log-file.js';

const LEVELS = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 } as const;
export type LogLevel = keyof typeof LEVELS;

let threshold: number = LEVELS[parseLevel(process.env.SOCRATICODE_LOG_LEVEL) ?? 'warn'];
let command = '';
/** State directories of open repositories, in the order in which they were opened. */
const open: string[] = [];
let last: string | null = null;
const told = new Set<string>();

function parseLevel(text: string | undefined): LogLevel | undefined {
  return text !== undefined && Object.hasOwn(LEVELS, text) ? (text as LogLevel) : undefined;
}

export function setLogLevel(level: LogLevel): void {
  threshold = LEVELS[level];
}

/** Did the user choose how much is said? */
export function isLogLevelChosen(): boolean {
  return parseLevel(process.env.SOCRATICODE_LOG_LEVEL) !== undefined;
}

export function isVerbose(): boolean {
  return threshold >= LEVELS.debug;
}

/** What this process was started for: `search`, `index`, `hook`, … */
export function setLogCommand(name: string): void {
  command = name;
}

/**
 * From now on what is logged goes to this state directory, too, if no other repository was opened before: a process that
 * opens several was asked about the first. Returns what ends it; a failure after the last end still belongs there.
 */
export function keepLog(state: string): () => void {
  open.push(state);
  return () => {
    const at = open.indexOf(state);
    if (at >= 0) open.splice(at, 1);
    last = state;
  };
}

function tell(level: LogLevel, message: string): void {
  if (LEVELS[level] <= threshold) process.stderr.write(`git-socraticode: ${message}\n`);
}

function keep(level: LogLevel, message: string, event: string | null = null, data: LogData = {}): void {
  const state = open[0] ?? last;
  // Who wants to see less on the terminal wants to find no less afterwards.
  if (state === null || LEVELS[level] > Math.max(threshold, LEVELS.info)) return;
  const [time, pid] = [new Date().toISOString(), process.pid];
  appendLog(state, { time, level, pid, command, event, message, data });
}

function write(level: LogLevel, message: string): void {
  tell(level, message);
  keep(level, message);
}

/** What was asked for was wrong, or is simply not there: nothing happened to the index, and messages repeat what was typed. */
const ASKERS: ReadonlySet<string> = new Set([
  ...['BAD_ARGUMENT', 'EMPTY_QUERY', 'UNKNOWN_REF', 'UNBORN_HEAD', 'NOT_A_REPOSITORY', 'NO_REMOTE', 'CANCELLED'],
  ...['NOT_READY', 'BAD_CONFIG'],
]);

export const log = {
  error: (message: string) => write('error', message),
  warn: (message: string) => write('warn', message),
  info: (message: string) => write('info', message),
  debug: (message: string) => write('debug', message),

  /** Something was changed: one line, with what programs may want to count. */
  event(event: string, message: string, data: LogData = {}, level: LogLevel = 'info'): void {
    tell(level === 'info' ? 'debug' : level, message);
    keep(level, message, event, data);
  },

  /** For stderr alone: what stands in the repository or was asked, and would be said again with every question. */
  tell,

  /** The same, once in the life of the process. */
  tellOnce(level: LogLevel, message: string): void {
    if (told.has(message)) return;
    told.add(message);
    tell(level, message);
  },

  /** A failure that is printed elsewhere: for the file alone. Of a bug only the places in this program, for its message may quote anything. */
  failure(error: SocraticodeError): void {
    if (ASKERS.has(error.code)) return;
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
