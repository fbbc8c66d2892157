/** Text of differences: counts, then each file with a line per symbol. */
import { visibleLine } from '../../base/hygiene.js';
import { formatCount, formatCounts } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { DiffResponse } from './output.js';

type FileChange = DiffResponse['files'][number];
type Change = FileChange['symbols'][number];

const MARKS: Record<Change['change'], string> = { added: '+', removed: '-', changed: '~', moved: '>' };
const FILE_MARKS: Record<FileChange['status'], string> = { added: '+', removed: '-', changed: '~', renamed: '>' };

export function diffText(response: DiffResponse, { pen }: { pen: Pen }): string {
  const { counts, files } = response;
  if (files.length === 0) {
    const lines = [sides(response), 'no differences', pen.words.uncommitted, ...footer(response, pen)];
    return `${pen.dim(lines.join('\n'))}\n`;
  }
  const total = `files: ${formatCounts(counts.files)}; symbols: ${formatCounts(counts.symbols) || 'none'}`;
  const head = `${sides(response)}\n${total}\n`;
  const blocks = files.map(
    (file) => `${[heading(file, pen), ...file.symbols.map((change) => symbolLine(change, file, pen))].join('\n')}\n`,
  );
  const foot = footer(response, pen).map((line) => `${pen.dim(line)}\n`);
  return `${pen.dim(head)}\n${blocks.join('')}${foot.length > 0 ? '\n' : ''}${foot.join('')}`;
}

const SHORT_OID = 9;

function sides({ from, to, symmetric }: DiffResponse): string {
  const name = ({ ref, commit, tree }: DiffResponse['from']) =>
    `${visibleLine(ref)} (${(commit ?? tree).slice(0, SHORT_OID)})`;
  const old = symmetric
    ? `the merge base of ${visibleLine(from.ref)} and ${visibleLine(to.ref)} (${(from.commit ?? from.tree).slice(0, SHORT_OID)})`
    : name(from);
  return `${old} to ${name(to)}`;
}

function heading(file: FileChange, pen: Pen): string {
  const { status, path, oldPath, symbols, unchanged, outside, compared } = file;
  const notes: string[] = [];
  if (oldPath !== undefined) notes.push(`was ${visibleLine(oldPath)}`);
  if (status === 'renamed' && unchanged > 0) notes.push(`${formatCount(unchanged, 'symbol')} moved with it`);
  if (!compared) notes.push('compared as a whole');
  else if (outside && symbols.length + unchanged > 0)
    notes.push(symbols.length === 0 ? 'outside of symbols only' : 'also outside of symbols');
  const note = notes.length === 0 ? '' : pen.dim(`  (${notes.join('; ')})`);
  return `${FILE_MARKS[status]} ${pen.path(visibleLine(path))}${note}`;
}

function symbolLine(change: Change, file: FileChange, pen: Pen): string {
  const { symbol, kind, startLine, parts, members, from } = change;
  const notes: string[] = [];
  if (from !== undefined) {
    const isHere = from.path === file.path;
    notes.push(
      `from ${isHere ? '' : `${visibleLine(from.path)}:`}${isHere ? visibleLine(from.symbol) : from.startLine}`,
    );
  }
  if (parts !== undefined) notes.push(parts.join(', '));
  if (members !== undefined) notes.push(`with ${formatCount(members, 'member')}`);
  const note = notes.length === 0 ? '' : `  ${notes.join('; ')}`;
  const line = pen.line(String(startLine));
  return `  ${MARKS[change.change]} ${line} ${pen.symbol(visibleLine(symbol))}  ${pen.dim(`${kind}${note}`)}`;
}

function footer({ leftOut }: DiffResponse, { words }: Pen): string[] {
  const { files, symbols, skipped, unreadable } = leftOut;
  const lines: string[] = [];
  if (files > 0 || symbols > 0)
    lines.push(
      `not listed: ${formatCount(symbols, 'symbol')} in all, ${formatCount(files, 'whole file')}: ${words.narrower}`,
    );
  if (skipped > 0) lines.push(`${formatCount(skipped, 'changed file')} not indexed, by name or type`);
  if (unreadable > 0) lines.push(`${formatCount(unreadable, 'file version')} could not be read`);
  return lines;
}
