/**
 * Turns a file's bytes into a `Source`. Definitions come from the extractor, or from indentation if no grammar finds
 * them.
 */
import { isUtf8 } from 'node:buffer';
import { decode } from '../../../src/extract/content.js';
import { extract } from '../../../src/extract/extract.js';
import type { BlobFacts, SymbolKind } from '../../../src/extract/facts.js';
import { COMMENT_SYNTAX, type CommentSyntax, DEFINITION_SYNTAX } from './syntax.js';
import type { Definition, Range, Source } from './types.js';

const TEST_PATH =
  /(?:^|\/)(?:__tests__|tests?|t|specs?|testing|testsuite|e2e)\/|(?:^|\/)(?:test_[^/]*|conftest)\.\w+$|[._-](?:test|tests|spec)\.\w+$|(?:Test|Tests|TestCase|Spec)\.\w+$/;
const MAX_BODY_LINES = 150;

/** Returns null for generated and unreadable files. `loadAllRules` must have been called. */
export function readSource(path: string, bytes: Uint8Array, language: string): Source | null {
  // Encodes the text as UTF-8 again, so that the extractor's byte offsets match it.
  const { text } = decode(bytes);
  const view = Buffer.from(text, 'utf8');
  const extraction = extract(view, language);
  if ('skip' in extraction || extraction.facts.generated) return null;
  const { facts } = extraction;
  const unit = unitMap(view, text);
  const syntax = DEFINITION_SYNTAX[language];
  const definitions = syntax === undefined ? fromFacts(facts, unit) : fromLines(text, language);
  const chunks = facts.chunks.map(({ start, end, kind }) => ({ start: unit(start), end: unit(end), kind }));
  return { path, language, text, test: TEST_PATH.test(path), definitions, chunks };
}

/** Maps byte offsets to UTF-16 units. */
function unitMap(view: Buffer, text: string): (byte: number) => number {
  if (view.length === text.length || !isUtf8(view)) return (byte) => byte;
  const units = new Uint32Array(view.length + 1);
  let unit = 0;
  for (let i = 0; i < view.length; i++) {
    units[i] = unit;
    // A continuation byte adds no unit, and the first byte of four adds two.
    if ((view[i] & 0xc0) !== 0x80) unit += view[i] >= 0xf0 ? 2 : 1;
  }
  units[view.length] = unit;
  return (byte) => units[byte];
}

function fromFacts(facts: BlobFacts, unit: (byte: number) => number): Definition[] {
  return facts.symbols.map(({ name, container, kind, start, end, doc }) => ({
    name,
    container: container < 0 ? '' : facts.symbols[container].name,
    kind,
    start: unit(start),
    end: unit(end),
    doc: doc === null ? null : { start: unit(doc.start), end: unit(doc.end) },
  }));
}

export interface Line extends Range {
  text: string;
  /** Number of columns of white space before a line; -1 for a blank line. */
  indent: number;
}

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const at = text.indexOf('\n', start);
    const end = at === -1 ? text.length : at;
    const line = text.slice(start, end);
    lines.push({ start, end, text: line, indent: indentOf(line) });
    start = end + 1;
  }
  return lines;
}

function indentOf(line: string): number {
  const at = line.search(/\S/);
  if (at === -1) return -1;
  return line.slice(0, at).replace(/\t/g, '        ').length;
}

/**
 * Finds definitions by the rule table: a body is all lines indented deeper than its first line, and one closing line.
 */
function fromLines(text: string, language: string): Definition[] {
  const { start: pattern, docstring } = DEFINITION_SYNTAX[language];
  const lines = linesOf(text);
  const definitions: Definition[] = [];
  for (const [index, line] of lines.entries()) {
    const name = line.indent < 0 || line.indent > 12 ? undefined : pattern.exec(line.text.trim())?.groups?.name;
    if (name === undefined) continue;
    const end = lines[bodyEnd(lines, index)].end;
    const start = line.end - line.text.trimStart().length;
    const doc = docAbove(lines, index, COMMENT_SYNTAX[language] ?? {});
    const range = doc ?? (docstring ? stringIn(text, line.end - 1, end) : null);
    definitions.push({ name, container: '', kind: kindOf(line.text), start, end, doc: range });
  }
  return definitions;
}

function kindOf(line: string): SymbolKind {
  if (/^\s*(?:pub\s+|abstract\s+)*(?:class|role|contract|message|struct|type)\b/.test(line)) return 'class';
  return /^\s*(?:package|module|namespace)\b/.test(line) ? 'module' : 'function';
}

/** Index of the last line of the body that starts on line `first`. */
function bodyEnd(lines: readonly Line[], first: number): number {
  const { indent } = lines[first];
  let last = first;
  for (let i = first + 1; i < lines.length && i - first < MAX_BODY_LINES; i++) {
    const line = lines[i];
    if (line.indent === -1) continue;
    const opens = i === first + 1 && /^\s*(?:\{|(?:begin|is|as)\b)/i.test(line.text);
    if (line.indent > indent || opens) last = i;
    else return closes(line) && line.indent === indent ? i : last;
  }
  return last;
}

function closes(line: Line): boolean {
  return /^\s*(?:[})\]]+[;,.)]*|end\b.*|done|esac|fi|endfunction.*|;;)\s*$/i.test(line.text);
}

function docAbove(lines: readonly Line[], index: number, { line: style, block }: CommentSyntax): Range | null {
  let first = index;
  while (first > 0 && style?.test(lines[first - 1].text.trim())) first--;
  if (first < index) return { start: lines[first].start, end: lines[index - 1].end };
  if (block === undefined || index === 0 || !lines[index - 1].text.trimEnd().endsWith(block[1])) return null;
  for (let i = index - 1; i >= 0 && index - i < 60; i--) {
    if (lines[i].text.trimStart().startsWith(block[0])) return { start: lines[i].start, end: lines[index - 1].end };
  }
  return null;
}

/** First string literal between the offsets that starts its line: a Lisp docstring. */
function stringIn(text: string, from: number, to: number): Range | null {
  const match = /\n[ \t]*("(?:[^"\\]|\\[\s\S])*")/g.exec(text.slice(from, Math.min(to, from + 4_000)));
  if (match === null || match.index > 300) return null;
  const start = from + match.index + match[0].length - match[1].length;
  return { start, end: start + match[1].length };
}
