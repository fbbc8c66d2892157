/**
 * Files without a grammar: style sheets with nesting and variables (SCSS, LESS) are cut by their braces, documents by
 * their headings.
 */
import type { DocumentPiece, Heading, SectionRules } from '../languages/roles/definitions.js';
import type { BraceRules } from '../languages/roles/relations.js';
import { chunkLines, chunksOf, type Piece, type TextChunk } from './chunk.js';
import { type Draft, docBefore, indentStart, trimEnd } from './draft.js';
import type { TextFacts } from './extract.js';
import type { PlainChunkKind, SymbolKind } from './facts.js';
import { noRawRelations, type RawRelations } from './relations/fact-sink.js';
import { SIZES } from './version.js';

const DOCS = { line: /^\/\//, block: ['/*', '*/'] } as const;
const IMPORT = /^@(?:use|import|forward|charset)\b/;
const VARIABLE = /^([$@][\w-]+)\s*:/;
const CALLABLE = /^@(mixin|function)\s+([\w-]+)/;
const LESS_MIXIN = /^([.#][\w-]+)\s*\([^)]*\)\s*$/;
const MAX_SELECTOR_LENGTH = 200;
const MAX_DEPTH = 100;

/** A statement: a block with its header, or a declaration up to its semicolon. */
interface Statement {
  start: number;
  /** End of the header: the opening brace or the semicolon. */
  head: number;
  end: number;
  children: Statement[];
}

export function findStructure(text: string, plain: PlainChunkKind, rules: BraceRules): TextFacts {
  const statements = scan(text);
  const drafts: Draft[] = [];
  const relations = noRawRelations();
  for (const statement of statements) collect(statement, text, rules, { drafts, relations });
  const pieces: Piece[] = [];
  addPieces(statements, text, pieces, 0);
  return { drafts, chunks: chunksOf(pieces, text, plain), relations };
}

/** Statements with their nested blocks; strings and comments are skipped. Nesting needs no recursion. */
function scan(text: string): Statement[] {
  const root: Statement = { start: 0, head: 0, end: text.length, children: [] };
  const open = [root];
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const skipped = skipOpaque(text, at);
    if (skipped > at) {
      at = skipped - 1;
      continue;
    }
    const char = text[at];
    if (start === -1 && !/[\s};]/.test(char)) start = at;
    if (char === '#' && text[at + 1] === '{') at = skipInterpolation(text, at);
    else if (char === '{') {
      const block = { start: start === -1 ? at : start, head: at, end: text.length, children: [] };
      open[open.length - 1].children.push(block);
      open.push(block);
      start = -1;
    } else if (char === '}') {
      if (open.length > 1) (open.pop() as Statement).end = at + 1;
      start = -1;
    } else if (char === ';') {
      if (start !== -1) open[open.length - 1].children.push({ start, head: at, end: at + 1, children: [] });
      start = -1;
    }
  }
  return root.children;
}

/** The end of a comment or string that starts here, else `at`. */
function skipOpaque(text: string, at: number): number {
  const char = text[at];
  if (char === '"' || char === "'") {
    for (let end = at + 1; end < text.length && text[end] !== '\n'; end++) {
      if (text[end] === '\\') end++;
      else if (text[end] === char) return end + 1;
    }
    return at;
  }
  if (char !== '/') return at;
  const close = text[at + 1] === '*' ? '*/' : text[at + 1] === '/' && text[at - 1] !== ':' ? '\n' : null;
  if (close === null) return at;
  const end = text.indexOf(close, at + 2);
  return end === -1 ? text.length : end + close.length;
}

function skipInterpolation(text: string, at: number): number {
  const end = text.indexOf('}', at);
  return end === -1 ? text.length : end;
}

function collect(
  statement: Statement,
  text: string,
  rules: BraceRules,
  { drafts, relations }: { drafts: Draft[]; relations: RawRelations },
): void {
  const stack: { statement: Statement; container: Draft | null }[] = [{ statement, container: null }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { start, head } = next.statement;
    if (text[start] === '@') relations.imports.push(...rules.imports(text.slice(start, head), start));
    const draft = draftOf(next.statement, next.container, text);
    if (draft !== null) drafts.push(draft);
    const inner = draft ?? next.container;
    for (const child of [...next.statement.children].reverse()) stack.push({ statement: child, container: inner });
  }
}

function draftOf(statement: Statement, container: Draft | null, text: string): Draft | null {
  const { start, end } = statement;
  const headEnd = trimEnd(text, statement.head, start);
  const head = text.slice(start, headEnd);
  const named = nameOf(head, statement, container);
  if (named === null) return null;
  return {
    name: named.name.replace(/\s+/g, ' '),
    kind: named.kind,
    container,
    exported: !/^[$@]?[-_]/.test(named.name),
    start,
    end,
    headStart: start,
    nameStart: start + Math.max(0, head.indexOf(named.name)),
    signatureEnd: headEnd,
    doc: docBefore(text, start, DOCS),
    bodied: true,
    opens: true,
    owner: null,
  };
}

function nameOf(
  head: string,
  statement: Statement,
  container: Draft | null,
): { name: string; kind: SymbolKind } | null {
  const variable = VARIABLE.exec(head);
  if (variable !== null && container === null) return { name: variable[1], kind: 'variable' };
  const callable = CALLABLE.exec(head);
  if (callable !== null) return { name: callable[2], kind: callable[1] === 'mixin' ? 'macro' : 'function' };
  if (head === '' || head.length > MAX_SELECTOR_LENGTH || head.endsWith(':')) return null;
  const isBlock = statement.end > statement.head + 1;
  if (!isBlock || /^@(?:include|if|else|each|for|while|return|extend|content)\b/.test(head)) return null;
  const mixin = LESS_MIXIN.exec(head);
  return mixin === null ? { name: head, kind: 'selector' } : { name: mixin[1], kind: 'macro' };
}

function addPieces(statements: readonly Statement[], text: string, pieces: Piece[], depth: number): void {
  for (const { start, end, head, children } of statements) {
    const doc = docBefore(text, start, DOCS);
    const from = doc === null ? indentStart(text, start) : indentStart(text, doc.start);
    const last = pieces[pieces.length - 1];
    // A boundary must be at the start of a line, and behind the text that is covered already.
    if (last !== undefined && (from <= last.start || !startsLine(text, from))) {
      last.end = Math.max(last.end, end);
      continue;
    }
    const role = IMPORT.test(text.slice(start, start + 20)) ? 'import' : 'code';
    pieces.push({ start: from, end, role, definition: children.length > 0, barrier: 'none', attached: false });
    if (end - from > SIZES.cap && depth < MAX_DEPTH) {
      pieces[pieces.length - 1].definition = false;
      pieces[pieces.length - 1].end = head;
      addPieces(children, text, pieces, depth + 1);
    }
  }
}

function startsLine(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === '\n';
}

// Cuts documents by their headings: each section is a definition that holds the sections below it.

/** Most sections of a document; further headings are text. */
const MAX_SECTIONS = 5_000;

export function findSections(text: string, plain: PlainChunkKind, { read, pieces }: SectionRules): TextFacts {
  const headings = read(text)
    .filter((part): part is Heading => part.is === 'heading' && part.text !== '')
    .slice(0, MAX_SECTIONS);
  const drafts = draftsOf(headings, text);
  const relations = noRawRelations();
  if (pieces !== undefined) return { drafts, relations, chunks: chunksBetween(pieces(text), text, plain) };
  return { drafts, relations, chunks: chunksOf(sectionPieces(drafts, text), text, plain) };
}

function draftsOf(headings: readonly Heading[], text: string): Draft[] {
  const open: { draft: Draft; level: number }[] = [];
  const closeFrom = (level: number, end: number) => {
    for (let last = open.at(-1); last !== undefined && last.level >= level; last = open.at(-1)) {
      last.draft.end = end;
      open.pop();
    }
  };
  const drafts = headings.map(({ text: name, level, start, nameStart }): Draft => {
    closeFrom(level, start);
    const lineEnd = text.indexOf('\n', nameStart);
    const draft: Draft = {
      ...{ name, kind: 'section', container: open.at(-1)?.draft ?? null, exported: true },
      ...{ start, end: text.length, headStart: start, nameStart },
      signatureEnd: lineEnd < 0 ? text.length : lineEnd,
      ...{ doc: null, bodied: true, opens: true, owner: null },
    };
    open.push({ draft, level });
    return draft;
  });
  closeFrom(0, text.length);
  return drafts;
}

/** The text before the first heading, and each section without the sections below it. */
function sectionPieces(drafts: readonly Draft[], text: string): Piece[] {
  const starts = [...(drafts[0]?.start === 0 ? [] : [0]), ...drafts.map(({ start }) => start)];
  return starts.map((start, i) => ({
    ...{ start, end: starts[i + 1] ?? text.length, role: 'code', barrier: 'none', attached: false },
    definition: i >= starts.length - drafts.length,
  }));
}

/** Chunks of given pieces, each cut alone so that no result is half output. A piece begins with its line, unless the piece before is on it. */
function chunksBetween(pieces: readonly DocumentPiece[], text: string, plain: PlainChunkKind): TextChunk[] {
  if (pieces.length === 0) return chunkLines(text, 0, text.length, plain);
  const bounds: number[] = [];
  for (const { start } of pieces) {
    const line = text.lastIndexOf('\n', start - 1) + 1;
    bounds.push(bounds.length === 0 ? 0 : line > bounds[bounds.length - 1] ? line : start);
  }
  return pieces.flatMap(({ isOutput }, i) =>
    chunkLines(text, bounds[i], bounds[i + 1] ?? text.length, isOutput ? 'output' : plain),
  );
}
