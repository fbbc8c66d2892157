/** Messages for people go to stderr; stdout is the result only. */
const LEVELS = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 } as const;
export type LogLevel = keyof typeof LEVELS;

let threshold: number = LEVELS[parseLevel(process.env.SOCRATICODE_LOG_LEVEL) ?? 'warn'];

function parseLevel(text: string | undefined): LogLevel | undefined {
  return text !== undefined && Object.hasOwn(LEVELS, text) ? (text as LogLevel) : undefined;
}

export function setLogLevel(level: LogLevel): void {
  threshold = LEVELS[level];
}

function write(level: LogLevel, message: string): void {
  if (LEVELS[level] <= threshold) process.stderr.write(`git-socraticode: ${message}\n`);
}

export const log = {
  error: (message: string) => write('error', message),
  warn: (message: string) => write('warn', message),
  info: (message: string) => write('info', message),
  debug: (message: string) => write('debug', message),
};
