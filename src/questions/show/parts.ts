/** Cuts the text of files into the parts that were asked for. */
import { SocraticodeError } from '../../base/errors.js';
import type { FoundFile } from '../../session/files/tree-file.js';
import type { Located } from './locate.js';
import type { Change, Part } from './output.js';
import type { LineRange } from './target.js';

/** Lines of a part for agents: small enough that a page of the smallest budget holds one. */
const PART_LINES = 25;

/** Lines of a text by number. The last line need not end with a newline. */
export class TextLines {
  readonly count: number;
  private readonly lines: string[];

  constructor(bytes: Buffer) {
    this.lines = bytes.toString('utf8').split('\n');
    if (this.lines.at(-1) === '') this.lines.pop();
    this.count = this.lines.length;
  }

  /** Lines from `start` to `end`, both counted from 1 and included. */
  slice({ start, end }: LineRange): string {
    return this.lines.slice(start - 1, end).join('\n');
  }

  /** True if some bytes are no UTF-8. */
  get isMangled(): boolean {
    return this.lines.some((line) => line.includes('\ufffd'));
  }
}

interface PartOptions {
  /** Lines before and after. */
  context: number;
  /** Pages are made of parts. */
  isPaged: boolean;
  /** Changes of the file; undefined where none were asked for. */
  changes?: readonly Change[];
}

/** Throws BAD_ARGUMENT for lines that the file does not have. */
export function partsOf(located: Located, text: TextLines, options: PartOptions): Part[] {
  const { target, file, ranges, symbol, alternatives = [] } = located;
  const shown = unite(ranges.map((range) => within(range, text, options.context)));
  const pieces = options.isPaged ? shown.flatMap(inPieces) : shown;
  return pieces.map(({ start, end }, i) => ({
    ...{ target, path: file.path, symbol, startLine: start, endLine: end },
    content: text.slice({ start, end }),
    ...(i === 0 && alternatives.length > 0 && { alternatives: [...alternatives] }),
    ...(options.changes && { changes: changesIn({ start, end }, options.changes, text) }),
  }));
}

function within({ start, end }: LineRange, { count }: TextLines, context: number): LineRange {
  return { start: Math.max(1, start - context), end: Math.min(Math.max(1, count), end + context) };
}

/** The changes of some lines, cut at both ends; lines removed at the end of the file belong to its last line. */
function changesIn({ start, end }: LineRange, changes: readonly Change[], { count }: TextLines): Change[] {
  return changes.flatMap(({ line, added, removed }) => {
    const first = Math.max(line, start);
    const last = Math.min(line + added - 1, end);
    if (first <= last) return [{ line: first, added: last - first + 1, removed: line === first ? removed : 0 }];
    const isHere = (line >= start && line <= end) || (end === count && line > count);
    return added === 0 && isHere ? [{ line, added, removed }] : [];
  });
}

/** Throws BAD_ARGUMENT for a first line beyond the file. */
export function checkLines({ start }: LineRange, path: string, { count }: TextLines): void {
  if (start <= Math.max(1, count)) return;
  throw new SocraticodeError('BAD_ARGUMENT', `${path} has no line ${start}`, {
    hint: `It has ${count} ${count === 1 ? 'line' : 'lines'}.`,
  });
}

/** Ranges in order; those that overlap or touch are one. */
export function unite(ranges: readonly LineRange[]): LineRange[] {
  const united: LineRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = united.at(-1);
    if (last !== undefined && range.start <= last.end + 1) last.end = Math.max(last.end, range.end);
    else united.push({ ...range });
  }
  return united;
}

function inPieces({ start, end }: LineRange): LineRange[] {
  const pieces: LineRange[] = [];
  for (let at = start; at <= end; at += PART_LINES) pieces.push({ start: at, end: Math.min(end, at + PART_LINES - 1) });
  return pieces;
}

/** Remark about a text that its reader needs; '' for none. */
export function noteOf({ isPointer, bytes }: FoundFile, text: TextLines): string {
  if (isPointer) return 'a pointer of git-lfs: the file itself is not in git';
  if (bytes.length === 0) return 'empty';
  return text.isMangled ? 'not UTF-8: other bytes are shown as \ufffd' : '';
}
