/** Errors with a next step from git's stderr, which is prose. */
import { SocraticodeError } from '../base/errors.js';

interface Case {
  says: RegExp;
  code: 'DISK' | 'GIT_FAILED' | 'LOCKED' | 'RESOURCES' | 'UNREADABLE_OBJECT';
  /** `$1` is the first group of the pattern; null for the code's own hint. */
  hint: string | null;
}

/** The bound is set in `supervise`. */
const OUT_OF_MEMORY =
  'It takes more memory than git may have here. A smaller tree can be named by the ref COMMIT:DIRECTORY.';

const OID = /^[0-9a-f]{40,64}$/;

/** The first matching row applies (data). */
const CASES: readonly Case[] = [
  {
    says: /No space left|Read-only file system|Disk quota exceeded|Input\/output error|File too large/i,
    code: 'DISK',
    hint: null,
  },
  {
    says: /[Oo]ut of memory|Cannot allocate memory/,
    code: 'RESOURCES',
    hint: OUT_OF_MEMORY,
  },
  { says: /Too many open files|cannot fork/, code: 'RESOURCES', hint: null },
  {
    says: /Unable to create '([^'\n]+\.lock)': File exists/,
    code: 'LOCKED',
    hint: 'Another git command is at work; if none is, remove what a killed one left: $1',
  },
  // Lazy fetching is off, so git names the object that it would have fetched.
  { says: /could not fetch ([0-9a-f]+) from promisor remote/, code: 'UNREADABLE_OBJECT', hint: null },
  { says: /Permission denied|insufficient permission/i, code: 'DISK', hint: null },
  // Git does not repeat the system's reason here.
  {
    says: /^(?:fatal|error): .*(?:(?:could ?n[o']t|cannot|unable to|failed to) (?:write|append|close|fsync)|(?:write|fsync) error)/im,
    code: 'DISK',
    hint: null,
  },
  {
    says: /unable to resolve reference '?([^':\n]+)'?: reference broken/,
    code: 'GIT_FAILED',
    hint: 'The ref is damaged. Of an index nothing else is lost: git update-ref -d $1, then run again.',
  },
  { says: /bad config (?:line|file|variable|value)/i, code: 'GIT_FAILED', hint: 'Correct that file in an editor.' },
];

/**
 * Makes the error of a failed git: GIT_FAILED, DISK, LOCKED, RESOURCES or UNREADABLE_OBJECT. `code` is the exit code,
 * negative if git was killed.
 */
export function gitFailure(args: readonly string[], code: number, stderr: string): SocraticodeError {
  const reason = reasonIn(stderr);
  const how = code < 0 ? 'was killed' : `failed (exit ${code})`;
  const message = `git ${args[0]} ${how}${reason === '' ? '' : `: ${reason}`}${unnamed(args, reason)}`;
  for (const { says, code: kind, hint } of CASES) {
    const found = says.exec(stderr);
    if (found !== null && kind === 'UNREADABLE_OBJECT')
      return new SocraticodeError(kind, `git ${args[0]} needs an object that is not in this clone: ${found[1]}`);
    if (found !== null)
      return new SocraticodeError(kind, message, { hint: hint?.replaceAll('$1', () => found[1] ?? '') });
  }
  const hint = code < 0 ? 'Run again: finished work is kept. Git may have been short of memory.' : undefined;
  return new SocraticodeError('GIT_FAILED', message, { hint });
}

/** Oids of the arguments that git's message lacks: git does not always name the object that it could not find. */
function unnamed(args: readonly string[], reason: string): string {
  const oids = args.filter((arg) => OID.test(arg) && !reason.includes(arg)).slice(0, 2);
  return oids.length === 0 ? '' : ` (${oids.join(', ')})`;
}

/** True for a failure of this machine's disk, which a retry does not cure. */
export function isDiskFailure(stderr: string): boolean {
  return CASES.find(({ says }) => says.test(stderr))?.code === 'DISK';
}

/** First error line; `hint:` and `warning:` lines do not explain a failure. */
export function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => !/^(?:hint|warning):/.test(line));
  return lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines[0] ?? '';
}
