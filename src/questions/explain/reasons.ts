/** Reasons why a file is not indexed: their text, the next step (data), and what a failure about such a file adds; the text of `explain`. */
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits, shellWord, shortOid } from '../../base/printable.js';
import { SETTINGS } from '../../config/settings.js';
import { commandText } from '../../params/param.js';
import type { Asker } from '../asker.js';
import { formatBytes, formatCount, formatSkipped, parseErrorsText } from '../format.js';
import type { Pen } from '../pen.js';
import type { ExplainedFile, ExplainResponse, IndexedFile } from './question.js';

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
  unparsed: 'it is not parsed yet: until then its words are searched',
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
    const { answerExplain } = await import('./answer.js');
    const [{ path, state, reason, rule, next }] = (await answerExplain(at, { ...values, paths: [typed] })).files;
    if (reason === null || state === 'absent') return null;
    const hint = at.server ? (next ?? undefined) : `List all: ${commandText('status', { leftOut: true })}`;
    return { message: `${path} exists but is not indexed: ${reasonText(reason, rule)}`, hint };
  } catch {
    // The first failure is reported.
    return null;
  }
}

// Text of `explain`: a line for each path, and below it the details of an indexed file.

export function explainText({ files }: ExplainResponse, { pen }: { pen: Pen }): string {
  return files.map((file) => fileText(file, pen)).join('');
}

function fileText(file: ExplainedFile, pen: Pen): string {
  const { path, state, folder, uncommitted, next, near = [] } = file;
  const verdict = file.reason === null ? state : `${VERDICTS[state]}${reasonText(file.reason, file.rule)}`;
  const rows: [string, string][] = [
    ...(file.file === undefined ? [] : fileRows(file.file)),
    ...(folder === undefined ? [] : folderRows(folder)),
    ...(near.length === 0 ? [] : [['near', near.join(', ')] as [string, string]]),
    ...(next === null ? [] : [['next', next] as [string, string]]),
  ];
  const head = `${pen.path(path)}  ${verdict}${uncommitted ? ' (uncommitted)' : ''}`;
  return `${[head, ...rows.map(([name, text]) => `  ${name.padEnd(9)} ${text}`)].join('\n')}\n`;
}

const VERDICTS: Readonly<Record<ExplainedFile['state'], string>> = {
  indexed: '',
  'left-out': 'not indexed: ',
  pending: 'not indexed yet: ',
  folder: '',
  absent: '',
};

/** The reason as a clause, with the rule in brackets: `looks like a secret (*.pem)`. */
export function reasonText(reason: ReasonName, rule: ExplainedFile['rule']): string {
  const { text } = REASONS[reason];
  if (rule === null) return text;
  const { pattern, source, line } = rule;
  const where =
    { 'built-in': '', default: ', the default' }[source] ?? ` in ${source}${line === null ? '' : `:${line}`}`;
  return `${text} (${pattern}${where})`;
}

function fileRows(file: IndexedFile): [string, string][] {
  const { language, bytes, blob, marks, chunks, symbols, vectors, record, degraded, graph, parseErrors = [] } = file;
  return [
    ['content', `${language}, ${formatBytes(bytes)}, blob ${shortOid(blob)}`],
    ['chunks', `${formatCount(chunks, 'chunk')}, ${formatCount(symbols, 'symbol')}`],
    [
      'vectors',
      `${groupDigits(vectors.covered)} of ${groupDigits(vectors.total)} by ${vectors.embedder} ${vectors.model}`,
    ],
    ['record', recordText(record)],
    ['graph', GRAPH[graph].replace('{language}', language)],
    ...(parseErrors.length === 0 ? [] : [['errors', parseErrorsText(parseErrors)] as [string, string]]),
    ...(degraded === null ? [] : [['no symbols', DEGRADED[degraded] ?? degraded] as [string, string]]),
    ...(marks.length === 0
      ? []
      : [['ranked', `lower, since ${marks.map((mark) => MARKS[mark]).join(' and ')}`] as [string, string]]),
  ];
}

function recordText({ state, profile, remotes }: IndexedFile['record']): string {
  if (state === 'none') return 'none: it is indexed in this clone alone';
  const where = state === 'shared' ? `shared with ${remotes.join(', ')}` : 'in this clone, not shared';
  return `${where}, profile ${profile}`;
}

const MARKS: Readonly<Record<IndexedFile['marks'][number], string>> = {
  generated: 'a tool wrote it',
  vendored: '.gitattributes calls it vendored',
  forwarding: 'it defines nothing itself',
};

const GRAPH: Readonly<Record<IndexedFile['graph'], string>> = {
  linked: 'its imports and uses are followed',
  degraded: 'only its path is known, since it could not be parsed',
  none: 'only its path is known: imports and uses are not read from {language}',
};

function folderRows({ files, leftOut }: NonNullable<ExplainedFile['folder']>): [string, string][] {
  return [
    ['selected', formatCount(files, 'file')],
    ['left out', formatSkipped(leftOut) || 'nothing'],
  ];
}
