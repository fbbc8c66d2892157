/**
 * Messages for people on stderr, by level; stdout carries results alone. Events of an index also go to the log file of its
 * repository.
 */
import { SocraticodeError } from './errors.js';
import { visibleText } from './hygiene.js';
import { appendLog, type LogData } from './log-file.js';

const LEVELS = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 } as const;
type LogLevel = keyof typeof LEVELS;

let threshold: number = LEVELS[parseLevel(process.env.SOCRATICODE_LOG_LEVEL) ?? 'warn'];
let command = '';
/** State directories of open repositories, in the order of opening. */
const open: string[] = [];
let last: string | null = null;
const told = new Set<string>();

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
 * Writes the log to this state directory from now on, unless another repository was opened before: a process that opens
 * several was asked about the first. Returns a function that ends it; a later failure is still written there.
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
function tell(level: LogLevel, message: string): void {
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
  tell(level, message);
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
    tell(level === 'info' ? 'debug' : level, message);
    keep(level, message, event, data);
  },

  /** Writes to stderr alone: for facts that every command would repeat. */
  tell,

  /** Writes to stderr alone, once per process. */
  tellOnce(level: LogLevel, message: string): void {
    if (told.has(message)) return;
    told.add(message);
    tell(level, message);
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
