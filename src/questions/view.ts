/**
 * An answer as blocks, which a question builds once, and their writers for a terminal and for Markdown; a page has its own (`blocksView` in
 * web/page/widgets.ts). Text of the repository is escaped by the writers alone. It loads in browsers.
 */
import { codeSpan, groupDigits, signs } from '../base/printable.js';
import { percent } from './format.js';
import type { Pen } from './pen.js';

/** A list that may be cut. */
export interface Some<T> {
  list: readonly T[];
  leftOut: number;
}

/** A place in a file, or the file as a whole. */
export interface Place {
  path: string;
  line?: number | null;
  /** The lines to show, if they are several or ranges. */
  lines?: readonly (number | string)[];
  /** The file is there, so that a page links to it without a line. */
  isThere?: true;
  /** Another repository than that of the answer. */
  repository?: string;
}

/** Signs in a terminal for what became of something. */
const MARKS = { removed: '-', changed: '~', moved: '>', renamed: '>', added: '+' } as const;

/**
 * A part of a line: words of ours, which may have names in them; a place, a name or code; a remark; what became of the thing that the line
 * is about; or the word that counts. A symbol that is null, as that of the top level, is left out.
 */
export type Piece =
  | string
  | Place
  | { symbol: string | null }
  | { code: string }
  | { number: number }
  | { share: number }
  | Item
  | { aside: Piece }
  | { mark: keyof typeof MARKS }
  | { strong: string; isUrgent?: boolean };

export const isPieces = (piece: Piece): piece is Item => Array.isArray(piece);

/** Columns of an entry: mostly a place, a name, and a remark. */
export type Item = readonly Piece[];

/** A list without entries has nothing to say, and is left out. */
export interface Section extends Some<Item> {
  title: string;
  isUrgent?: boolean;
  /** The title with the number of all: `tests to run: 3 files`. A page counts by itself. */
  counted?: (all: number) => string;
  /** How many more an entry stands for: uses on several lines are one. */
  merged?: number;
  /** In a terminal, the line above it says the title. */
  isBare?: boolean;
  /** Each entry begins with its place; in a terminal they stand below their files. */
  isByFile?: boolean;
  /** Text about those that are left out; default: their number. */
  rest?: string;
}

/** A heading that says what the answer is about, a sentence, or a list. `isApart`: a sentence begins another thought. */
export type Block = { heading: Item; note: string } | { say: Item; isApart?: boolean } | Section;

export const sectionOf = <T>(
  title: string,
  { list, leftOut }: Some<T>,
  itemOf: (one: T) => Item,
  more: Partial<Section> = {},
): Section => ({ title, list: list.map(itemOf), leftOut, ...more });

/** Remarks in passing; the first begins another thought. */
export const asides = (texts: readonly string[], isApart = false): Block[] =>
  texts.map((aside, i) => ({ say: [{ aside }], isApart: isApart && i === 0 }));

// For a terminal, and for agents.

export const total = ({ list, leftOut }: Some<unknown>): number => list.length + leftOut;

/** Number of entries, including those on later pages. A list that ended on an earlier page has none. */
export function count(some: Some<unknown>, { skipped = 0 }: Pick<Pen, 'skipped'>): number {
  const rest = total(some);
  return rest === 0 ? 0 : rest + skipped;
}

export function at(path: string, line: number, pen: Pick<Pen, 'path' | 'line'>): string {
  return `${pen.path(path)}:${pen.line(String(line))}`;
}

/** `src/cart.ts:12  Cart.total`, or only the place at the top level. */
export const inside = (path: string, line: number, symbol: string | null, pen: Pen): string =>
  `${at(path, line, pen)}${symbol === null ? '' : `  ${pen.symbol(symbol)}`}`;

/** Line with the number of entries left out; no line if there are none. */
export function more(leftOut: number, pen: Pen): string[] {
  if (leftOut === 0) return [];
  const how = pen.words.more === '' ? '' : `: ${pen.words.more}`;
  return [pen.dim(`  ${signs.cut} ${groupDigits(leftOut)} more${how}`)];
}

/** Lines of a list, and the number of entries that it leaves out. */
export function rows<T>({ list, leftOut }: Some<T>, lineOf: (one: T) => string | string[], pen: Pen): string[] {
  return [...list.flatMap(lineOf), ...more(leftOut, pen)];
}

export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

/** A section with a line for each entry. */
export const listing = <T>(title: string, all: Some<T>, lineOf: (one: T) => string | string[], pen: Pen): string[] =>
  section(title, rows(all, lineOf, pen));

export const blockLines = (blocks: readonly Block[], pen: Pen): string[] =>
  blocks.flatMap((block) => {
    if ('list' in block) return sectionLines(block, pen);
    if ('say' in block) return [...(block.isApart ? [''] : []), textOf(block.say, pen)];
    return [pen.dim(`${textOf(block.heading)}${pen.skipped === undefined ? `: ${block.note}` : ''}`)];
  });

/** An answer as its question writes it. Text is for this pen alone, and blocks for every writer. */
export type Written = string | readonly Block[];

/** The text of a whole answer: it does not begin with the line that parts a thought from the one before. */
export const writtenText = (written: Written, pen: Pen): string =>
  typeof written === 'string' ? written : `${blockLines(written, pen).join('\n').replace(/^\n/, '')}\n`;

function sectionLines(
  { title, isUrgent, counted, merged = 0, isBare, isByFile, rest, ...all }: Section,
  pen: Pen,
): string[] {
  const items = isByFile ? linesByFile(all.list, pen) : all.list.map((item) => itemLine(item, pen));
  const cut = rest === undefined || all.leftOut === 0 ? more(all.leftOut, pen) : [pen.dim(`  ${signs.cut} ${rest}`)];
  if (isBare) return [...items, ...cut];
  const named = counted?.(count(all, pen) + merged) ?? title;
  return section(isUrgent ? pen.match(named) : named, [...items, ...cut]);
}

/** Most entries on a line. */
const RUN = 4;

/** Entries below their files. Those that are a place and a name alone share lines; the first of a file are next to its name. */
function linesByFile(list: readonly Item[], pen: Pen): string[] {
  const files: { path: string; runs: { isShort: boolean; entries: string[] }[] }[] = [];
  for (const [first, ...rest] of list) {
    const place = first as Place;
    if (files.at(-1)?.path !== place.path) files.push({ path: place.path, runs: [] });
    const { runs } = files[files.length - 1];
    const texts = rest.map((piece) => pieceText(piece, pen)).filter(Boolean);
    const entry = `${pen.line(lineList(place))} ${texts.join('  ')}`;
    const [isShort, last] = [texts.length < 2, runs.at(-1)];
    if (isShort && last?.isShort && last.entries.length < RUN) last.entries.push(entry);
    else runs.push({ isShort, entries: [entry] });
  }
  return files.flatMap(({ path, runs }) => {
    const [first, ...others] = runs.map(({ entries }) => entries.join('; '));
    const head = `  ${pen.path(path)}`;
    const below = (texts: readonly string[]) => texts.map((text) => `    ${text}`);
    return runs[0].isShort ? [`${head}:${first}`, ...below(others)] : [head, ...below([first, ...others])];
  });
}

export const itemLine = (item: Item, pen: Pen): string =>
  `  ${textOf(item, pen, '  ').replace(/^([-~>+]) {2}/, '$1 ')}`;

/** The part of a pen that writes pieces; by default, without colours. */
type Ink = Pick<Pen, 'path' | 'line' | 'symbol' | 'match' | 'dim'>;
const same = (text: string): string => text;
const NO_INK: Ink = { path: same, line: same, symbol: same, match: same, dim: same };

export const textOf = (pieces: Item, ink = NO_INK, between = ''): string =>
  pieces
    .map((piece) => pieceText(piece, ink))
    .filter(Boolean)
    .join(between);

function pieceText(piece: Piece, pen: Ink): string {
  if (typeof piece === 'string') return piece;
  if (isPieces(piece)) return textOf(piece, pen);
  if ('path' in piece) return placeName(piece, pen);
  if ('number' in piece) return pen.line(String(piece.number));
  if ('share' in piece) return percent(piece.share).padStart(4);
  if ('code' in piece) return piece.code;
  if ('aside' in piece) return withInk(pieceText(piece.aside, NO_INK), pen.dim);
  if ('mark' in piece) return MARKS[piece.mark];
  if ('strong' in piece) return piece.isUrgent ? pen.match(piece.strong) : piece.strong;
  return piece.symbol === null ? '' : pen.symbol(piece.symbol);
}

const withInk = (text: string, ink: Ink['dim']): string => (text === '' ? '' : ink(text));

/** `src/cart.ts:12`, or `shop:src/cart.ts:12` in another repository. */
export function placeName({ repository, ...place }: Place, pen = NO_INK): string {
  const project = repository === undefined ? '' : `${pen.path(repository)}:`;
  const line = lineList(place);
  return `${project}${pen.path(place.path)}${line === '' ? '' : `:${pen.line(line)}`}`;
}

/** `12, 14`, or '' for a whole file. */
const lineList = ({ line, lines = line ? [line] : [] }: Place): string => lines.join(', ');

// As Markdown, for a pull request. Text of the repository is in code spans or escaped, so that it cannot format, link or mention anybody.

/** `title`: words before the heading. */
export const blocksMarkdown = (title: string, blocks: readonly Block[]): string =>
  `## ${title} ${blocks.flatMap(blockMarkdown).join('\n\n')}\n`;

export const capital = (text: string): string => `${text[0].toUpperCase()}${text.slice(1)}`;

/** Longer lists are folded, so that a pull request can be read on one page. */
const FOLDED = 12;

function blockMarkdown(block: Block): string[] {
  if ('say' in block) return [markdownOf(block.say)];
  if ('heading' in block) return [markdownOf(block.heading), escaped(block.note)];
  const { title, counted, merged = 0, list, leftOut, rest = `${groupDigits(leftOut)} more` } = block;
  if (list.length === 0) return [];
  const lines = list.map(itemMarkdown);
  if (leftOut > 0) lines.push(`- ${signs.cut} ${rest}`);
  const heading = `### ${capital(counted?.(total(block) + merged) ?? title)}`;
  if (lines.length <= FOLDED) return [heading, lines.join('\n')];
  const shown = `${groupDigits(total(block))}${leftOut > 0 ? `, the first ${groupDigits(list.length)} of them` : ''}`;
  return [heading, `<details><summary>${shown}</summary>`, lines.join('\n'), '</details>'];
}

function itemMarkdown(item: Item): string {
  const last = item.at(-1) ?? '';
  const isRemark = typeof last === 'object' && 'aside' in last && pieceMarkdown(last) !== '';
  return isRemark ? `- ${markdownOf(item.slice(0, -1), ' ')}: ${pieceMarkdown(last)}` : `- ${markdownOf(item, ' ')}`;
}

const markdownOf = (pieces: Item, between = ''): string => pieces.map(pieceMarkdown).filter(Boolean).join(between);

function pieceMarkdown(piece: Piece): string {
  if (typeof piece === 'string') return escaped(piece);
  if (isPieces(piece)) return markdownOf(piece);
  if ('path' in piece) return codeSpan(placeName(piece));
  if ('number' in piece) return String(piece.number);
  if ('share' in piece) return percent(piece.share);
  if ('code' in piece) return codeSpan(piece.code);
  if ('aside' in piece) return pieceMarkdown(piece.aside);
  if ('mark' in piece) return `${piece.mark}:`;
  if ('strong' in piece) return `**${escaped(piece.strong)}**`;
  return piece.symbol === null ? '' : codeSpan(piece.symbol);
}

/** A character without width. GitHub looks for names, numbers and addresses after it has resolved escapes. */
const JOINT = '&#8203;';

/** Escapes a phrase of ours with names in it. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>&|!~]/g, '\\$&').replace(/[@#]|:(?=\/\/)|\b(?:www(?=\.)|GH(?=-\d))/gi, `$&${JOINT}`);
}
