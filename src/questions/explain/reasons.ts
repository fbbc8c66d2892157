/** Reasons why a file is not indexed: their text, the next step (data), and the reason that is added to a failure about such a file. */
import { SocraticodeError } from '../../base/errors.js';
import { shellWord } from '../../base/printable.js';
import { SETTINGS } from '../../config/settings.js';
import { commandText } from '../../params/param.js';
import type { Asker } from '../asker.js';

interface Reason {
  /** Follows "not indexed: "; the rule is added in brackets. */
  text: string;
  /** Next step. Names in braces are placeholders. */
  next: string | null;
}

export const REASONS = {
  secret: {
    text: 'looks like a secret',
    next: 'No setting indexes it, since records are pushed. Rename it if it holds no secret.',
  },
  'secret-content': {
    text: 'holds a private key or a token',
    next: 'Remove the secret from the file: its blob is indexed when it holds none.',
  },
  ignored: {
    text: 'an ignore file leaves it out',
    next: 'Remove the line, or add a line with ! and the path below it.',
  },
  excluded: { text: 'the setting exclude leaves it out', next: 'Remove the glob from the setting.' },
  builtin: {
    text: 'a tool wrote it, or it is a copy of code from elsewhere',
    next: 'git config --add socraticode.include {path}',
  },
  binary: { text: 'its extension is that of a binary file', next: null },
  'binary-content': { text: 'a binary file: a NUL byte is among its first 8,000 bytes', next: null },
  'lfs-pointer': { text: 'a pointer of Git LFS: its content is not in git', next: null },
  'too-large': {
    text: 'larger than the setting maxFileBytes',
    next: 'git config socraticode.maxFileBytes {megabytes}m',
  },
  submodule: { text: 'it belongs to another repository', next: `${commandText('search', { linked: true })} QUERY` },
  symlink: { text: 'a symbolic link: it is never followed', next: 'Ask for the file that it points to.' },
  'unsafe-path': { text: 'git itself keeps files there, or refuses paths like this', next: null },
  unreadable: {
    text: 'its content is not in this clone',
    next: 'git fetch --refetch --no-filter && {index}',
  },
  pending: { text: 'it waits for the next run of the indexer', next: '{index}' },
  'git-ignored': { text: 'git ignores it', next: 'git add -f {path}' },
  'too-many': {
    text: 'more files are uncommitted than a search reads (5,000 files, 64 MB)',
    next: 'Commit them, or have git ignore them.',
  },
  'not-a-file': { text: 'it is not a regular file', next: null },
  denied: { text: 'it cannot be read', next: null },
  deleted: { text: 'it is deleted in the work tree', next: `${commandText('explain', { committed: true })} {path}` },
  absent: { text: 'no such file in this snapshot', next: null },
} as const satisfies Record<string, Reason>;

export type ReasonName = keyof typeof REASONS;

/** Reasons that the content of a blob gives, by the state that shards store of it. */
export const CONTENT_REASONS = {
  secret: 'secret-content',
  binary: 'binary-content',
  'lfs-pointer': 'lfs-pointer',
  'too-large': 'too-large',
} as const satisfies Record<string, ReasonName>;

/** Reasons why a file is indexed without symbols, by lines. */
export const DEGRADED: Readonly<Record<string, string>> = {
  'grammar-missing': 'the grammar of its language is missing from the package: npm install -g git-socraticode',
  'parse-timeout': 'its parse took more than 2 seconds',
  'parse-crash': 'the parser ended on it',
  'record-too-large': 'its record would take more than 1 MB',
  'record-refused':
    'its record breaks a rule of the format: a bug of this program, which git socraticode doctor helps to report',
};

/** Next step for a file that is not indexed; null if nothing helps. */
export function nextStep(
  reason: ReasonName,
  { path, bytes, ref }: { path: string; bytes: number; ref: string | undefined },
): string | null {
  if (bytes > (SETTINGS.maxFileBytes.max ?? 0)) return null;
  const values: Readonly<Record<string, string>> = {
    path: shellWord(path),
    megabytes: String(Math.ceil(bytes / (1 << 20))),
    index: commandText('index', { ref }),
  };
  return REASONS[reason].next?.replace(/\{(\w+)\}/g, (_, name: string) => values[name]) ?? null;
}

/** Rejects with the error, or with one that gives the reason as well. */
export async function withReason(
  error: unknown,
  at: Asker,
  { ref, committed }: { ref?: string; committed?: boolean },
): Promise<never> {
  if (!(error instanceof SocraticodeError) || error.file === undefined) throw error;
  const found = await reasonOf(error.file, at, { ref, committed });
  throw found === null ? error : new SocraticodeError(error.code, found.message, { hint: found.hint });
}

async function reasonOf(typed: string, at: Asker, values: { ref?: string; committed?: boolean }) {
  try {
    // Loaded late: most answers are no failures.
    const [{ answerExplain }, { reasonText }] = await Promise.all([import('./answer.js'), import('./text.js')]);
    const [{ path, state, reason, rule, next }] = (await answerExplain(at, { ...values, paths: [typed] })).files;
    if (reason === null || state === 'absent') return null;
    const hint = at.server ? (next ?? undefined) : `List all: ${commandText('status', { leftOut: true })}`;
    return { message: `${path} exists but is not indexed: ${reasonText(reason, rule)}`, hint };
  } catch {
    // The first failure is reported.
    return null;
  }
}
