/**
 * Readers of documents: Markdown, reStructuredText, AsciiDoc and notebooks, as far as mentions of code need them: headings, code, listings
 * and links.
 */
import { createScanner, type JSONScanner } from 'jsonc-parser';
import type { LanguageId } from '../ids.js';
import {
  type CodeBlock,
  type CodeOfCells,
  type DocumentPart,
  type DocumentPiece,
  MAX_SPAN,
} from '../roles/definitions.js';

// Markdown by CommonMark 0.31, sections 4.2, 4.3, 4.5 and 6.1. Indented code, which few documents have, is read as prose.

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`{]*)/;
const ATX = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const UNDERLINE = /^ {0,3}(?:(=+)|(-+))[ \t]*$/;
/** Beginnings of lines that belong to no paragraph. */
const NO_PARAGRAPH = /^(?:\s*$|[ \t]*(?:[-*+>|<]|\d{1,9}[.)])(?:\s|$)|\s*\||\t| {4})/;
const MARKDOWN_LINKS = [
  /\]\(\s*<?([^()\s<>]{1,300})/g,
  /^ {0,3}\[[^\][]{1,300}\]:\s*<?([^\s<>]{1,300})/g,
  /<(https?:[^\s<>]{1,300})>/g,
  /\b(?:href|src)="([^"\s]{1,300})"/g,
];

export function readMarkdown(text: string): DocumentPart[] {
  const lines = linesOf(text);
  const parts: DocumentPart[] = [];
  let inComment = false;
  for (let i = afterFrontMatter(lines); i < lines.length; i++) {
    const line = lines[i];
    if (inComment || line.text.startsWith('<!--')) {
      inComment = !line.text.includes('-->');
      continue;
    }
    const fence = FENCE.exec(line.text);
    if (fence !== null) {
      const end = closingFence(lines, i + 1, fence[1]);
      parts.push(blockOf(lines.slice(i + 1, end), fence[2], line.number + 1));
      i = end;
      continue;
    }
    const heading = headingAt(lines, i);
    if (heading !== null) parts.push(heading);
    for (const { text: code } of codeSpans(line)) parts.push({ is: 'code', line: line.number, text: code });
    parts.push(...linksIn(line, MARKDOWN_LINKS));
  }
  return parts;
}

/** `---`, keys of a site's generator, `---`. */
function afterFrontMatter(lines: readonly Line[]): number {
  if (lines[0].text.trimEnd() !== '---') return 0;
  const end = lines.findIndex(({ text }, i) => i > 0 && /^(?:---|\.\.\.)\s*$/.test(text));
  return end < 0 ? 0 : end + 1;
}

/** The line that closes a fence, or the end of the text. */
function closingFence(lines: readonly Line[], from: number, fence: string): number {
  for (let i = from; i < lines.length; i++) {
    const text = lines[i].text.replace(/^[ \t>]*/, '').trimEnd();
    if (text.length >= fence.length && text[0] === fence[0] && isRun(text)) return i;
  }
  return lines.length;
}

const isRun = (text: string): boolean => /^(?:`+|~+)$/.test(text);

function blockOf(lines: readonly Line[], language: string, line: number): CodeBlock {
  return { is: 'block', line, language: language.toLowerCase(), text: lines.map(({ text }) => text).join('\n') };
}

function headingAt(lines: readonly Line[], i: number): DocumentPart | null {
  const { text, number: line, start } = lines[i];
  const atx = ATX.exec(text);
  if (atx !== null) {
    const name = withoutMarks(atx[2].replace(/[ \t]+#+[ \t]*$/, ''));
    return { is: 'heading', line, level: atx[1].length, text: name, start, nameStart: start + text.indexOf(atx[2]) };
  }
  const under = UNDERLINE.exec(lines[i + 1]?.text ?? '');
  if (under === null || NO_PARAGRAPH.test(text) || (i > 0 && !isBlank(lines[i - 1].text))) return null;
  const level = under[1] === undefined ? 2 : 1;
  return { is: 'heading', line, level, text: withoutMarks(text), start, nameStart: start + indentOf(text) };
}

/** The text of a heading as a reader sees it: without images such as badges, unless there is nothing else. */
function withoutMarks(text: string): string {
  const whole = text.slice(0, MAX_SPAN);
  return plainText(whole.replace(IMAGE, '')) || plainText(whole.replace(IMAGE, '$1'));
}

const IMAGE = /!\[([^\][]*)\]\([^()]*\)/g;

const plainText = (text: string): string =>
  text
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\{#[^{}]*\}\s*$|<[^<>]*>/g, '')
    .replace(/[`*]/g, '')
    .trim();

// reStructuredText as docutils and Sphinx write it: see the docutils specification, "Sections", "Inline markup" and "Literal blocks"

const RULE = /^([!-/:-@[-`{-~])\1+\s*$/;
const DIRECTIVE = /^\s*\.\. ([\w:+-]{1,40})::\s*(.*)$/;
const CODE_DIRECTIVE = /^(?:code|code-block|sourcecode|testcode|doctest|parsed-literal)$/;
/** Directives that describe a definition by name: `autoclass`, `py:method`. */
const DEFINING =
  /^(?:py:|js:|c:|cpp:|rb:)?(?:auto)?(?:class|function|method|attribute|exception|data|module|property|decorator|classmethod|staticmethod)$/;
const MODULE = /^(?:py:)?(?:current)?module$/;
/** Roles that refer to code, and roles that set words as code. */
const REFERRING =
  /^(?:[a-z]+:)?(?:class|func|meth|attr|exc|mod|obj|data|const|decorator|function|method|property|struct|type|enum|member|macro)$/;
const LITERAL_ROLE = /^(?:code|file|source|literal)$/;
const INLINE = /(?::([\w:+-]{1,40}):)?(`{1,2})(?!`)([^`\n]{1,300}?)\2(?!`)(_{0,2})/g;
const RST_LINKS = [/<(https?:[^\s<>]{1,300})>/g, /^\s*\.\. _[^:\n]{1,200}: (\S{1,300})/g];

interface State {
  parts: DocumentPart[];
  /** Kinds of underlines in the order of their levels. */
  rules: string[];
  /** Module that the names of directives and roles are in. */
  module: string;
  /** Class whose members the nested directives describe, with the indent of its directive. */
  owner: { name: string; indent: number } | null;
  /** Language of literal blocks that name none: Python, as in Sphinx, until a document sets another one. */
  language: string;
}

export function readRst(text: string): DocumentPart[] {
  const lines = linesOf(text);
  const state: State = { parts: [], rules: [], module: '', owner: null, language: 'python' };
  for (let i = 0; i < lines.length; i++) {
    const skipped = directiveAt(lines, i, state);
    if (skipped !== null) {
      i = skipped;
      continue;
    }
    readHeading(lines, i, state);
    readInline(lines[i], state);
    if (/::\s*$/.test(lines[i].text)) i = literalBlock(lines, i, { language: state.language, state });
  }
  return state.parts;
}

/** Number of the last line that was read; null if no directive of interest begins here. */
function directiveAt(lines: readonly Line[], i: number, state: State): number | null {
  const match = DIRECTIVE.exec(lines[i].text.slice(0, MAX_SPAN));
  if (match === null) return null;
  const [, name, given] = match;
  const line = lines[i].number;
  if (state.owner !== null && indentOf(lines[i].text) <= state.owner.indent) state.owner = null;
  if (CODE_DIRECTIVE.test(name)) return literalBlock(lines, i, { language: given.trim(), state });
  if (name === 'highlight') state.language = given.trim();
  if (MODULE.test(name)) state.module = given.trim();
  if (name === 'literalinclude' || name === 'include') state.parts.push({ is: 'link', line, target: given.trim() });
  if (DEFINING.test(name)) documented(name, given.replace(/\(.*$/, '').trim(), lines[i], state);
  return i;
}

/** A directive that documents a definition: `.. py:method:: Cart.total`. */
function documented(directive: string, name: string, { text, number: line }: Line, state: State): void {
  const owner = state.owner === null || name.includes('.') ? [] : [state.owner.name];
  const scope = name.startsWith(`${state.module}.`) || state.module === '' ? [] : [state.module];
  const named = [...scope, ...owner, name].join('.');
  const isDescribed = !directive.includes('auto');
  if (!MODULE.test(directive) && name !== '')
    state.parts.push({ is: 'code', line, text: named, isReference: true, ...(isDescribed && { isDescribed }) });
  if (/class|exception/.test(directive)) state.owner = { name, indent: indentOf(text) };
}

/** Reads the indented lines below and returns the number of the last one. */
function literalBlock(
  lines: readonly Line[],
  i: number,
  { language, state }: { language: string; state: State },
): number {
  const base = indentOf(lines[i].text);
  let end = i + 1;
  for (let at = i + 1; at < lines.length && (isBlank(lines[at].text) || indentOf(lines[at].text) > base); at++)
    if (!isBlank(lines[at].text)) end = at + 1;
  const body = lines.slice(i + 1, end);
  // Options of the directive come first, up to a blank line.
  let first = 0;
  while (first < body.length && (isBlank(body[first].text) || /^\s*:[\w-]+:/.test(body[first].text))) first++;
  if (first < body.length) state.parts.push(blockOf(body.slice(first), language, body[first].number));
  return end - 1;
}

/** Reads a title: a rule as long as the title stands below it, and possibly above it, too. */
function readHeading(lines: readonly Line[], i: number, { parts, rules }: State): void {
  const { text, number: line, start } = lines[i];
  const below = RULE.exec(lines[i + 1]?.text ?? '');
  if (below === null || isBlank(text) || RULE.test(text) || lines[i + 1].text.trim().length < text.trim().length)
    return;
  const above = RULE.exec(lines[i - 1]?.text ?? '');
  const hasAbove = above?.[1] === below[1];
  if (!hasAbove && (indentOf(text) > 0 || (i > 0 && !isBlank(lines[i - 1].text)))) return;
  const rule = `${hasAbove ? 'over' : ''}${below[1]}`;
  if (!rules.includes(rule)) rules.push(rule);
  const name = text.slice(0, MAX_SPAN).replace(INLINE, '$3').trim();
  const nameStart = start + indentOf(text);
  const first = hasAbove ? lines[i - 1].start : start;
  parts.push({ is: 'heading', line, level: rules.indexOf(rule) + 1, text: name, start: first, nameStart });
}

function readInline(line: Line, { parts, module }: State): void {
  for (const [, role = '', ticks, text, link] of line.text.slice(0, MAX_LINE).matchAll(INLINE)) {
    if (role === 'doc' || link !== '') continue;
    if (REFERRING.test(role)) {
      const name = targetOf(text);
      const scope = name.includes('.') || module === '' ? [] : [module];
      parts.push({ is: 'code', line: line.number, text: [...scope, name].join('.'), isReference: true });
    } else if ((role === '' && ticks.length === 2) || LITERAL_ROLE.test(role))
      parts.push({ is: 'code', line: line.number, text: targetOf(text) });
  }
  parts.push(...linksIn(line, RST_LINKS));
}

/** `~flask.Flask.route`, `the route <flask.Flask.route>`, `!name`. */
function targetOf(text: string): string {
  const shown = /<([^<>]{1,200})>$/.exec(text)?.[1] ?? text;
  return shown.replace(/^[~!.]+/, '').trim();
}

// AsciiDoc by its language documentation

const HEADING = /^(={1,6}|#{1,6})[ \t]+(\S.*)$/;
const SOURCE = /^\[(?:source|,)\s*,?\s*([\w+#-]*)/;
/** Lines that open and close a listing, a literal or a comment; ``` takes a language. */
const DELIMITER = /^(-{4,}|\.{4,}|\/{4,}|\+{4,}|`{3,})([\w+#-]*)\s*$/;
/** An indented line that begins no item of a list: behind a blank line, it makes the paragraph literal. */
const LITERAL_LINE = /^[ \t]+(?!(?:[*.-]+|\d+\.)\s|[^`\n]{1,300}?:{2,4}(?:\s|$)|$)/;
const ASCIIDOC_LINKS = [/\b(?:link|xref|include):{1,2}([^\s[\]]{1,300})\[/g, /\b(https?:[^\s[\]<>]{1,300})\[/g];

export function readAsciidoc(text: string): DocumentPart[] {
  const lines = linesOf(text);
  const parts: DocumentPart[] = [];
  let language = '';
  let isLiteral = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const delimiter = DELIMITER.exec(line.text);
    if (delimiter !== null) {
      const end = closing(lines, i + 1, delimiter[1]);
      const stated = delimiter[2] === '' ? language : delimiter[2];
      if (line.text[0] !== '/') parts.push(blockOf(lines.slice(i + 1, end), stated, line.number + 1));
      i = end;
      language = '';
      continue;
    }
    const source = SOURCE.exec(line.text);
    if (source !== null) language = source[1];
    else if (!line.text.startsWith('.')) language = '';
    const heading = HEADING.exec(line.text);
    if (heading !== null) parts.push(headingOf(line, heading));
    if (line.text.startsWith('//')) continue;
    isLiteral =
      !isBlank(line.text) && (isLiteral || (LITERAL_LINE.test(line.text) && isBlank(lines[i - 1]?.text ?? '')));
    if (isLiteral) continue;
    for (const { text: code } of codeSpans(line))
      parts.push({ is: 'code', line: line.number, text: code.replace(/^\+(.*)\+$/, '$1') });
    parts.push(...linksIn(line, ASCIIDOC_LINKS));
  }
  return parts;
}

function closing(lines: readonly Line[], from: number, delimiter: string): number {
  for (let i = from; i < lines.length; i++) if (lines[i].text.trimEnd() === delimiter) return i;
  return lines.length;
}

function headingOf({ number: line, start, text }: Line, [, marks, name]: RegExpExecArray): DocumentPart {
  const shown = name.slice(0, MAX_SPAN).replace(/[`*]/g, '').trim();
  return { is: 'heading', line, level: marks.length, text: shown, start, nameStart: start + text.indexOf(name) };
}

// Lines of a document with their offsets, and the code and links within a line; all linear in the text

export interface Line {
  text: string;
  /** 1-based. */
  number: number;
  /** Offset of its first character. */
  start: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0, number = 1; start <= text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    lines.push({ text: text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end), number, start });
    start = end + 1;
  }
  return lines;
}

/** Width of the white space at the beginning of a line. A tab counts as one: documents are only compared with themselves. */
const indentOf = (text: string): number => text.length - text.trimStart().length;

const isBlank = (text: string): boolean => text.trim() === '';

/** Most characters of a line that are read: data in a table, or a picture in an address, names no code. */
const MAX_LINE = 5_000;

/** Texts between runs of equally many backticks. */
function codeSpans(line: Line): { text: string; at: number; end: number }[] {
  if (!line.text.includes('`')) return [];
  const runs = [...line.text.slice(0, MAX_LINE).matchAll(/`+/g)];
  const found: { text: string; at: number; end: number }[] = [];
  // The next run of each length, found from the back, so that a run without an end costs nothing.
  const next = new Array<number>(runs.length).fill(-1);
  const last = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    next[i] = last.get(runs[i][0].length) ?? -1;
    last.set(runs[i][0].length, i);
  }
  for (let i = 0; i < runs.length; i++) {
    const close = next[i];
    if (close < 0) continue;
    const from = runs[i].index + runs[i][0].length;
    const text = line.text.slice(from, runs[close].index).trim();
    if (text !== '' && text.length <= MAX_SPAN)
      found.push({ text, at: runs[i].index, end: runs[close].index + runs[close][0].length });
    i = close;
  }
  return found;
}

/** Parts of a line by patterns that capture the target of a link; each pattern is bounded. */
function linksIn(line: Line, patterns: readonly RegExp[]): DocumentPart[] {
  const text = line.text.slice(0, MAX_LINE);
  const found: DocumentPart[] = [];
  // Not by `matchAll`, which copies each expression for each line.
  for (const pattern of patterns) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
      found.push({ is: 'link', line: line.number, target: match[1] });
  }
  return found;
}

// Numbers of `SyntaxKind`, a type that has no values when it is compiled.
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, COLON, STRING, END] = [1, 2, 3, 4, 5, 6, 10, 17];

/** A string of a cell's source: usually a line. */
interface SourcePart {
  text: string;
  /** Offset of its first character behind the quote, and its line, from 1. */
  start: number;
  line: number;
}

interface Cell {
  kind: string;
  start: number;
  source: SourcePart[];
  /** Offsets of its outputs; null for none. */
  outputs: { start: number; end: number } | null;
}

interface Notebook {
  cells: Cell[];
  /** Language of its code, as in the notebook; '' for none. */
  language: string;
}

/** Depth of `notebook.cells[i].source[j]`, with one level for each brace or bracket. Deeper values are outputs and metadata. */
const MAX_DEPTH = 4;

class CellReader {
  readonly notebook: Notebook = { cells: [], language: '' };
  /** The key that the scanner is behind, and whether it is in an array, by depth. */
  private readonly keys: string[] = [];
  private readonly isArray: boolean[] = [];
  private depth = 0;
  private isKey = false;

  constructor(private readonly scanner: JSONScanner) {}

  read(token: number): void {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) this.open(token === OPEN_BRACKET);
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) this.close();
    else if (token === COMMA) this.isKey = this.depth > MAX_DEPTH || !this.isArray[this.depth];
    else if (token === COLON) this.isKey = false;
    else if (token === STRING && this.depth <= MAX_DEPTH) {
      if (this.isKey) this.key(this.scanner.getTokenValue());
      else this.value(this.scanner.getTokenValue());
    }
  }

  private open(isArray: boolean): void {
    this.depth++;
    this.isKey = !isArray;
    if (this.depth > MAX_DEPTH) return;
    this.isArray[this.depth] = isArray;
    this.keys[this.depth] = '';
    const start = this.scanner.getTokenOffset();
    if (this.depth === 3 && this.isInCell()) this.notebook.cells.push({ kind: '', start, source: [], outputs: null });
  }

  private close(): void {
    const cell = this.notebook.cells.at(-1);
    const end = this.scanner.getTokenOffset() + 1;
    if (cell?.outputs && this.depth === 4 && this.isInCell() && this.keys[3] === 'outputs') cell.outputs.end = end;
    this.depth = Math.max(0, this.depth - 1);
    this.isKey = false;
  }

  private key(name: string): void {
    this.keys[this.depth] = name;
    const cell = this.notebook.cells.at(-1);
    if (this.depth !== 3 || name !== 'outputs' || cell === undefined || !this.isInCell()) return;
    const start = this.scanner.getTokenOffset();
    cell.outputs = { start, end: start };
  }

  private value(text: string): void {
    const { notebook, keys, depth } = this;
    if (depth === 3 && LANGUAGE_KEYS.has(keys.slice(1, 4).join('.'))) notebook.language ||= text;
    const cell = notebook.cells.at(-1);
    if (cell === undefined || !this.isInCell()) return;
    if (depth === 3 && keys[3] === 'cell_type') cell.kind = text;
    if (keys[3] !== 'source' || (depth === 4 && !this.isArray[4])) return;
    cell.source.push({ text, start: this.scanner.getTokenOffset() + 1, line: this.scanner.getTokenStartLine() + 1 });
  }

  private isInCell(): boolean {
    return this.depth >= 3 && this.keys[1] === 'cells' && this.isArray[2] && !this.isArray[3];
  }
}

const LANGUAGE_KEYS: ReadonlySet<string> = new Set(['metadata.kernelspec.language', 'metadata.language_info.name']);

function readCells(text: string): Notebook {
  const scanner = createScanner(text, true);
  const reader = new CellReader(scanner);
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) reader.read(token);
  return reader.notebook;
}

/** Reads mentions in the prose of a notebook, and its code as samples. */
export function readNotebook(text: string): DocumentPart[] {
  const { cells, language } = readCells(text);
  return cells.flatMap(({ kind, source }): DocumentPart[] => {
    if (source.length === 0) return [];
    if (kind === 'code')
      return [{ is: 'block', line: source[0].line, language: language.toLowerCase(), text: joined(source) }];
    return kind === 'markdown' ? proseOf(source) : [];
  });
}

const joined = (source: readonly SourcePart[]): string => source.map(({ text }) => text).join('');

/** Parts of a cell of Markdown, at their lines in the notebook's file. */
function proseOf(source: readonly SourcePart[]): DocumentPart[] {
  // For each line of the Markdown, the string that it begins in.
  const owners: SourcePart[] = [];
  let isOpen = false;
  for (const part of source) {
    const breaks = part.text.split('\n').length - 1;
    if (!isOpen) owners.push(part);
    for (let i = 1; i < breaks; i++) owners.push(part);
    isOpen = !part.text.endsWith('\n');
    if (isOpen && breaks > 0) owners.push(part);
  }
  return readMarkdown(joined(source)).map((part) => {
    const { line, start } = owners[part.line - 1] ?? source[source.length - 1];
    return part.is === 'heading' ? { ...part, line, start, nameStart: start } : { ...part, line };
  });
}

/** Shortest outputs that become a piece: `"outputs": []` does not. */
const MIN_OUTPUTS = 20;

/** Pieces of a notebook: its cells, and their outputs, which may stand before or behind the source. */
export function piecesOfNotebook(text: string): DocumentPiece[] {
  return readCells(text).cells.flatMap(({ start, outputs }) => {
    const cell = { start, isOutput: false };
    // The outputs end in the middle of the notebook, since its text is cut off.
    const end = outputs !== null && outputs.end === outputs.start ? text.length : (outputs?.end ?? 0);
    if (outputs === null || end - outputs.start < MIN_OUTPUTS) return [cell];
    return [cell, { start: outputs.start, isOutput: true }, { start: end, isOutput: false }];
  });
}

/** Kernels whose code has rules here. */
const KERNELS: Readonly<Record<string, LanguageId>> = { '': 'python', python: 'python', r: 'r', julia: 'julia' };
/** A cell in another language: `%%bash`. */
const OTHER_CELL = /^\s*%%(?!(?:time|timeit|capture|prun)\b)/;
/** Beginnings of lines that the kernel runs itself (`%matplotlib inline`, `!pip install x`); a comment takes their place. */
const MAGIC = /^([ \t]*)[%!]/gm;

/** Code of all cells, which know each other's names, as one text. */
export function codeOfNotebook(text: string): CodeOfCells | null {
  const { cells, language } = readCells(text);
  const kernel = language.toLowerCase();
  if (!Object.hasOwn(KERNELS, kernel)) return null;
  const lines: string[] = [];
  const offsets: number[] = [];
  const ends: number[] = [];
  for (const { kind, source } of cells) {
    if (kind !== 'code' || source.length === 0 || OTHER_CELL.test(source[0].text)) continue;
    let at = 0;
    for (const part of source) {
      at = part.start;
      for (let i = 0; i < part.text.length; i++) {
        offsets.push(at);
        at += text[at] === '\\' ? (text[at + 1] === 'u' ? 6 : 2) : 1;
        ends.push(at);
      }
      lines.push(part.text.replace(MAGIC, '$1#'));
    }
    lines.push('\n');
    offsets.push(at);
    ends.push(at);
  }
  offsets.push(text.length);
  const code = lines.join('');
  return code.trim() === ''
    ? null
    : { text: code, language: KERNELS[kernel], offsets: Uint32Array.from(offsets), ends: Uint32Array.from(ends) };
}
