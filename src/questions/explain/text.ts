/** Text of `explain`: a line for each path, and below it the details of an indexed file. */
import { groupDigits } from '../../base/printable.js';
import { formatBytes, formatCount, formatSkipped, parseErrorsText } from '../format.js';
import type { Pen } from '../pen.js';
import type { ExplainedFile, ExplainResponse, IndexedFile } from './question.js';
import { DEGRADED, REASONS, type ReasonName } from './reasons.js';

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

function fileRows({
  language,
  bytes,
  blob,
  marks,
  chunks,
  symbols,
  vectors,
  record,
  degraded,
  graph,
  parseErrors = [],
}: IndexedFile): [string, string][] {
  return [
    ['content', `${language}, ${formatBytes(bytes)}, blob ${blob.slice(0, 9)}`],
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
