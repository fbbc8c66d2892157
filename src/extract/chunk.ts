/**
 * Chunks of a file: the pieces of its syntax tree that fit the cap, neighbours merged up to the target, and the
 * definition that each chunk is about. Text without a tree is cut by lines.
 */
import type { DefinitionRules } from '../languages/roles/definitions.js';
import { noRelations } from '../languages/roles/relation-facts.js';
import { decode, isGenerated, isLowSurrogate } from './content.js';
import { countBreaks, type Draft, indentStart, isDocBlock, TYPE_KINDS, trimEnd } from './draft.js';
import type { BlobFacts, Chunk, PlainChunkKind, SymbolKind } from './facts.js';
import type { TreeNode } from './syntax-tree.js';
import { SIZES } from './version.js';

/** A chunk in UTF-16 offsets of the decoded text. */
export interface TextChunk {
  start: number;
  end: number;
  /** Kind if no symbol claims the chunk. */
  plain: PlainChunkKind;
}

interface Pending {
  start: number;
  end: number;
  role: Role;
  mixed: boolean;
  alone: boolean;
}

/** Chunks that tile [0, text.length), none longer than the cap. */
export function chunksOf(pieces: readonly Piece[], text: string, plain: PlainChunkKind): TextChunk[] {
  if (text.length === 0) return [];
  if (pieces.length === 0) return chunkLines(text, 0, text.length, plain);
  if (text.length <= SIZES.alone) return [{ start: 0, end: text.length, plain: plainKind(commonRole(pieces), plain) }];
  const merged = absorbTiny(mergePieces(pieces, text.length));
  return merged.flatMap((part) => chunkLines(text, part.start, part.end, plainKind(part.role, plain)));
}

/** Cuts text without a tree, or a piece without a boundary of a child to cut at. */
export function chunkLines(text: string, start: number, end: number, plain: PlainChunkKind): TextChunk[] {
  if (end <= start) return [];
  const bounds = [start, ...(end - start > SIZES.cap || start === 0 ? cutByLines(text, start, end) : []), end];
  return bounds.slice(1).map((bound, index) => ({ start: bounds[index], end: bound, plain }));
}

/** Facts of a text before it is parsed: its lines, in chunks of no symbol. */
export function lineFacts(bytes: Uint8Array, plain: PlainChunkKind): BlobFacts {
  const source = decode(bytes);
  const { text, lines, byteLength } = source;
  const parts = chunkLines(text, 0, text.length, plain);
  let next = 0;
  const chunks = parts.map((part, i): Chunk => {
    const start = next;
    next = i === parts.length - 1 ? byteLength : source.toByte(part.end);
    const [startLine, endLine] = [source.lineOf(start), source.lineOf(Math.max(start, next - 1))];
    return { start, end: next, startLine, endLine, kind: plain, symbol: -1 };
  });
  const generated = isGenerated(text, lines, plain === 'text' || plain === 'data');
  return { lines, chunks, symbols: [], generated, relations: noRelations(), parseErrors: [] };
}

function commonRole(pieces: readonly Piece[]): Role {
  return pieces.every((piece) => piece.role === pieces[0].role) ? pieces[0].role : 'code';
}

function plainKind(role: Role, plain: PlainChunkKind): PlainChunkKind {
  if (role === 'import') return 'imports';
  return role === 'comment' ? 'comment' : plain;
}

function mergePieces(pieces: readonly Piece[], length: number): Pending[] {
  const done: Pending[] = [];
  let pending: Pending | null = null;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    const start = i === 0 ? 0 : piece.start;
    const end = i + 1 < pieces.length ? pieces[i + 1].start : length;
    const alone = piece.definition && end - start >= SIZES.alone;
    if (pending !== null && (alone || parts(pending, piece, end))) {
      done.push(pending);
      pending = null;
    }
    if (pending === null) pending = { start, end, role: piece.role, mixed: false, alone };
    else {
      if (pending.role !== piece.role) pending.role = 'code';
      pending.end = end;
    }
  }
  if (pending !== null) done.push(pending);
  return done;
}

/** Does a boundary belong between the pending chunk and the next piece? */
function parts(pending: Pending, piece: Piece, end: number): boolean {
  if (pending.alone || end - pending.start > SIZES.merged) return true;
  if ((pending.role === 'import') !== (piece.role === 'import')) return true;
  if (piece.barrier === 'none') return false;
  return pending.end - pending.start >= (piece.barrier === 'hard' ? SIZES.tiny : SIZES.part);
}

/** Joins tiny chunks to the next one, or to the one before, where there is room. */
function absorbTiny(list: readonly Pending[]): Pending[] {
  const result: Pending[] = [];
  for (let i = 0; i < list.length; i++) {
    const part = { ...list[i] };
    const last = result[result.length - 1];
    if (last !== undefined && joins(last, part) && (isTiny(last) || isTiny(part))) {
      last.end = part.end;
      if (last.role !== part.role) last.role = 'code';
    } else {
      result.push(part);
    }
  }
  return result;
}

function joins(first: Pending, second: Pending): boolean {
  if (first.role === 'import' || second.role === 'import') return false;
  return second.end - first.start <= (isTiny(second) ? SIZES.cap : SIZES.merged);
}

function isTiny(part: Pending): boolean {
  return part.end - part.start < SIZES.tiny;
}

// The units a chunk is made of: a syntax tree cut into pieces that fit the cap, at child boundaries.

type Role = 'import' | 'comment' | 'code';

type Barrier = 'none' | 'soft' | 'hard';

export interface Piece {
  /** Offset of the piece, which ends where the next one starts. */
  start: number;
  /** End of the syntax itself, without the text up to the next piece. */
  end: number;
  role: Role;
  /** A definition starts here and ends here. */
  definition: boolean;
  /** Is separate from the piece before: a large statement (`soft`) or a definition starts or ended here. */
  barrier: Barrier;
  /** Belongs to what follows (attributes, decorators). */
  attached: boolean;
}

/** Deeper nesting is cut by lines: nesting depth is the input's choice, recursion depth ours. */
const MAX_SPLIT_DEPTH = 200;
/** Kinds inside which import statements are still the file's imports. */
const OUTER_KINDS = new Set(['namespace', 'section']);
const MAX_LINE_LEAD_LENGTH = 300;
const MAX_HEADER_CHILDREN = 8;
const MAX_CLOSING_LENGTH = 40;
const CLOSING = /^(?:[\s)\]}>;,'"`]+|<\/[\w:-]+>|\s*(?:end|fi|done|esac|endif|#endif)\b[^\n]*)$/;
const OPENING = /[({[]/;
const LICENSE = /copyright|licen[cs]e|SPDX-/i;
const MAX_LICENSE_PROBE_LENGTH = 2_000;
/** Smallest leading comment that is about the file, and no mere preamble. */
const FILE_COMMENT = 200;

interface PieceInput {
  root: TreeNode;
  text: string;
  rules: DefinitionRules;
  drafts: readonly Draft[];
}

/** Pieces in order, glued so that lines, doc comments and closing brackets stay whole. */
export function piecesOf(input: PieceInput): Piece[] {
  const cutter = new Cutter(input);
  cutter.visit(input.root.namedChildren, 0, true);
  return markPreamble(glue(cutter.pieces, input.text), input.text);
}

class Cutter {
  readonly pieces: Piece[] = [];
  private barrier: Barrier = 'none';
  private readonly starts = new Map<number, Draft>();
  private readonly imports: ReadonlySet<string>;
  private readonly comments: ReadonlySet<string>;
  private readonly groups: ReadonlySet<string>;
  private readonly attached: ReadonlySet<string>;

  constructor(private readonly input: PieceInput) {
    for (const draft of input.drafts) if (!this.starts.has(draft.headStart)) this.starts.set(draft.headStart, draft);
    const { rules } = input;
    this.imports = new Set(rules.imports);
    this.comments = new Set(rules.comments);
    this.groups = new Set(rules.groups);
    this.attached = new Set(rules.attached?.kinds);
  }

  visit(level: readonly TreeNode[], depth: number, outer: boolean): void {
    for (const node of level) {
      if (node.end <= node.start) continue;
      if (this.groups.has(node.kind) && depth < MAX_SPLIT_DEPTH) {
        this.visit(node.namedChildren, depth + 1, outer);
        continue;
      }
      if (node.end - node.start > SIZES.cap && depth < MAX_SPLIT_DEPTH) this.split(node, depth, outer);
      else this.add(node, outer);
    }
  }

  private split(node: TreeNode, depth: number, outer: boolean): void {
    const { start } = node;
    const definition = this.starts.get(start);
    const startsLine =
      indentStart(this.input.text, start) < start || start === 0 || this.input.text[start - 1] === '\n';
    const barrier = definition === undefined ? 'soft' : 'hard';
    // A body on its own line (`{` under a long head) still belongs to its head.
    const parts = startsLine && !OPENING.test(this.input.text[start]);
    if (parts) this.raise(barrier);
    // Tokens without a name are no pieces of their own; those before the first child are the construct's header.
    this.pieces.push(this.piece(start, start, 'code', false));
    const inner = outer && (definition === undefined || OUTER_KINDS.has(definition.kind));
    this.visit(mainChildren(node), depth + 1, inner);
    // Text after a large construct is not a part of it, unless it is the rest of the same line.
    if (parts) this.raise(barrier);
  }

  private raise(barrier: Barrier): void {
    if (this.barrier !== 'hard') this.barrier = barrier;
  }

  private add(node: TreeNode, outer: boolean): void {
    const { kind, start, end } = node;
    const draft = this.starts.get(start);
    const piece = this.piece(start, trimEnd(this.input.text, end, start), this.roleOf(kind, start, end, outer), false);
    piece.definition = draft !== undefined && draft.end <= end + 1;
    piece.attached = this.attached.has(kind) && this.isAttached(start);
    this.pieces.push(piece);
    if (piece.role === 'import') this.releaseComment(node, piece);
  }

  /** Some grammars (Kotlin) put the comment after the last import inside of it, though it documents what follows. */
  private releaseComment(node: TreeNode, piece: Piece): void {
    if (!/\n\s*\/[/*]/.test(this.input.text.slice(piece.start, piece.end))) return;
    const last = node.namedChildren[node.namedChildren.length - 1];
    if (last === undefined || !this.comments.has(last.kind)) return;
    piece.end = trimEnd(this.input.text, last.start, piece.start);
    this.pieces.push(this.piece(last.start, last.end, 'comment', false));
  }

  private piece(start: number, end: number, role: Role, definition: boolean): Piece {
    const { barrier } = this;
    this.barrier = 'none';
    return { start, end, role, definition, barrier, attached: false };
  }

  private isAttached(start: number): boolean {
    const pattern = this.input.rules.attached?.text;
    return pattern === undefined || pattern.test(this.input.text.slice(start, start + 40));
  }

  private roleOf(kind: string, start: number, end: number, outer: boolean): Role {
    if (this.comments.has(kind)) return 'comment';
    if (!outer) return 'code';
    if (this.imports.has(kind)) return 'import';
    const pattern = this.input.rules.importText;
    return pattern?.test(this.input.text.slice(start, Math.min(end, start + 500))) ? 'import' : 'code';
  }
}

/**
 * The last child alone, if it is nearly all of its parent (the body of a function, the arguments of a call): what
 * stands before it is the header then, and needs no closer look.
 */
function mainChildren(node: TreeNode): readonly TreeNode[] {
  const { namedChildren: children } = node;
  const last = children[children.length - 1];
  if (children.length < 2 || children.length > MAX_HEADER_CHILDREN) return children;
  return last.start - node.start < SIZES.tiny && last.end - last.start > SIZES.cap ? [last] : children;
}

function glue(pieces: readonly Piece[], text: string): Piece[] {
  const glued: Piece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    const start = indentStart(text, afterBreak(text, piece));
    const startsLine = start === 0 || text[start - 1] === '\n';
    const last = glued[glued.length - 1];
    const tileEnd = i + 1 < pieces.length ? indentStart(text, afterBreak(text, pieces[i + 1])) : text.length;
    if (last !== undefined && tileEnd - last.start <= SIZES.cap && sticks(last, piece, startsLine, text))
      extend(last, piece, startsLine);
    else {
      glued.push({ ...piece, start: startsLine ? start : lineStartAfter(last, piece.start, text) });
    }
  }
  return glued;
}

/** Adds a piece to the one before it, which a comment or an attribute leaves what it is about. */
function extend(last: Piece, piece: Piece, startsLine: boolean): void {
  const leads = last.role === 'comment' || last.attached;
  if (leads && startsLine) last.role = piece.role;
  last.definition = leads ? piece.definition : last.definition || piece.definition;
  if (leads && last.barrier !== 'hard' && piece.barrier !== 'none') last.barrier = piece.barrier;
  last.attached = leads && piece.attached;
  last.end = piece.end;
}

/** Start of a piece without the line break it begins with (the content of a multi-line string). */
function afterBreak(text: string, piece: Piece): number {
  const lineBreak = text.startsWith('\r\n', piece.start) ? 2 : text[piece.start] === '\n' ? 1 : 0;
  return piece.start + lineBreak < piece.end ? piece.start + lineBreak : piece.start;
}

/** Start of the line that a piece begins in, if it is near and the piece before does not begin after it; else `start`. */
function lineStartAfter(last: Piece | undefined, start: number, text: string): number {
  const from = Math.max(last === undefined ? 0 : last.start + 1, start - MAX_LINE_LEAD_LENGTH);
  const lineBreak = text.slice(from, start).lastIndexOf('\n');
  return lineBreak === -1 ? start : from + lineBreak + 1;
}

function sticks(last: Piece, piece: Piece, startsLine: boolean, text: string): boolean {
  if (!startsLine || last.attached) return true;
  if (piece.end - piece.start <= MAX_CLOSING_LENGTH && CLOSING.test(text.slice(piece.start, piece.end))) return true;
  if (last.role !== 'comment') return false;
  const breaks = countBreaks(text, last.end, piece.start);
  return breaks <= 1 || (breaks === 2 && piece.role !== 'comment' && isDocBlock(text, text.indexOf('/', last.start)));
}

/** Comments before imports, and license headers, belong to the import block. */
function markPreamble(pieces: Piece[], text: string): Piece[] {
  for (let i = pieces.length - 2; i >= 0; i--) {
    const piece = pieces[i];
    const isLong = i === 0 && piece.end - piece.start >= FILE_COMMENT && !isLicense(piece, text);
    if (piece.role === 'comment' && pieces[i + 1].role === 'import' && !isLong) piece.role = 'import';
    // A guard around an import (`begin require … rescue`) doesn't end the block.
    const isShort = piece.end - piece.start < SIZES.tiny && !piece.definition;
    if (isShort && pieces[i - 1]?.role === 'import' && pieces[i + 1].role === 'import') piece.role = 'import';
  }
  if (pieces.length > 0 && pieces[0].role === 'comment' && isLicense(pieces[0], text)) pieces[0].role = 'import';
  return pieces;
}

function isLicense(piece: Piece, text: string): boolean {
  return LICENSE.test(text.slice(piece.start, Math.min(piece.end, piece.start + MAX_LICENSE_PROBE_LENGTH)));
}

// Cuts text without a syntax tree: at blank lines and low indentation, inside long lines at safe characters.

const TAB_WIDTH = 4;
/** Worth of a good place to cut, in characters of chunk size that are given up for it. */
const BLANK_LINE_BONUS = 500;
const INDENT_PENALTY = 40;
const MAX_INDENT_DEPTH = 12;

/** Characters after which a long line may be cut, best first. */
const SAFE_CUTS = [/\n/, /[;}]/, /[,)\]>]/, /\s/];

/** Cut points inside (start, end), ascending, so that no part is longer than the cap. UTF-16 offsets. */
function cutByLines(text: string, start: number, end: number): number[] {
  const cuts: number[] = [];
  let from = start;
  while (end - from > SIZES.merged) {
    // A rest that fits the cap is cut only if both parts are large enough.
    if (end - from <= SIZES.cap && end - from < SIZES.merged + SIZES.part) break;
    const cut = bestLineCut(text, from, Math.min(end, from + SIZES.merged)) ?? cutInLine(text, from, end);
    if (cut >= end) break;
    cuts.push(cut);
    from = cut;
  }
  return cuts;
}

/** The best line start in the part of the window where a chunk is neither too small nor too large, or null. */
function bestLineCut(text: string, from: number, to: number): number | null {
  // Searches a slice: in the whole text a search for a missing line break goes back to the beginning.
  const window = text.slice(from, to);
  let best: number | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let at = window.lastIndexOf('\n') + 1; at > SIZES.part; at = window.lastIndexOf('\n', at - 2) + 1) {
    const score = at + boundaryScore(text, from + at);
    if (score > bestScore) {
      best = from + at;
      bestScore = score;
    }
  }
  return best;
}

function boundaryScore(text: string, lineStart: number): number {
  let indent = 0;
  let at = lineStart;
  for (; at < text.length && indent < MAX_INDENT_DEPTH; at++) {
    const code = text.charCodeAt(at);
    if (code === 32) indent++;
    else if (code === 9) indent += TAB_WIDTH;
    else break;
  }
  const code = text.charCodeAt(at);
  // A blank line or a closing bracket belongs to the lines before it.
  if (code === 10 || code === 13) return -2 * BLANK_LINE_BONUS;
  const closes = code === 125 || code === 41 || code === 93;
  const blankBefore = text[lineStart - 2] === '\n' || (text[lineStart - 2] === '\r' && text[lineStart - 3] === '\n');
  return (
    (blankBefore ? BLANK_LINE_BONUS : 0) - Math.min(indent, MAX_INDENT_DEPTH) * INDENT_PENALTY - (closes ? 900 : 0)
  );
}

/** A cut inside an overlong line: the last safe character of the window, else the cap itself. */
function cutInLine(text: string, from: number, end: number): number {
  const to = Math.min(end, from + SIZES.cap);
  for (const safe of SAFE_CUTS) {
    for (let at = to; at > from + SIZES.alone; at--) if (safe.test(text[at - 1])) return unsplit(text, at);
  }
  return unsplit(text, to);
}

/** Moves a cut that falls between the halves of a surrogate pair, or between CR and LF. */
function unsplit(text: string, at: number): number {
  const insidePair = isLowSurrogate(text.charCodeAt(at));
  const insideBreak = text[at] === '\n' && text[at - 1] === '\r';
  return insidePair || insideBreak ? at - 1 : at;
}

const MAX_INDENT_LENGTH = 40;
const CONTAINERS: ReadonlySet<SymbolKind> = new Set([...TYPE_KINDS, 'module', 'namespace', 'section']);

/** The definition that each chunk is about, or null. Both lists are in document order. */
export function mainDrafts(chunks: readonly TextChunk[], all: readonly Draft[]): (Draft | null)[] {
  const drafts = all.filter(({ assigned }) => assigned !== true);
  const open: Draft[] = [];
  const around = (at: number): Draft | null => {
    while (open.length > 0 && open[open.length - 1].end <= at) open.pop();
    return open[open.length - 1] ?? null;
  };
  let next = 0;
  return chunks.map((chunk) => {
    const inside: Draft[] = [];
    const members: Draft[] = [];
    const outside = around(chunk.start);
    for (; next < drafts.length && drafts[next].start < chunk.end; next++) {
      const draft = drafts[next];
      around(draft.start);
      // The outermost definitions in the chunk compete. If one goes on in the next chunk, its members come first.
      const outer = inside[inside.length - 1];
      if (outer === undefined || outer.end <= draft.start) inside.push(draft);
      else if (outer.end > chunk.end && CONTAINERS.has(outer.kind)) members.push(draft);
      open.push(draft);
    }
    // A comment too large to share a chunk with its definition is still about it.
    if (inside.length === 0 && next < drafts.length && isAbout(chunk, drafts[next])) return drafts[next];
    // A key counts only where there is nothing else.
    const told = inside.filter(({ kind }) => kind !== 'key');
    return largest(members, chunk) ?? mainOf(chunk, told.length > 0 ? told : inside, outside);
  });
}

/** Is the chunk documentation of the definition that comes next? */
function isAbout(chunk: TextChunk, draft: Draft): boolean {
  if (chunk.plain === 'comment' && draft.start - chunk.end < MAX_INDENT_LENGTH) return true;
  if (draft.doc === null || draft.doc.start > draft.start) return false;
  const covered = Math.min(draft.doc.end, chunk.end) - Math.max(draft.doc.start, chunk.start);
  return covered >= (chunk.end - chunk.start) / 2;
}

function mainOf(chunk: TextChunk, inside: readonly Draft[], around: Draft | null): Draft | null {
  const main = largest(inside, chunk);
  if (main !== null) return main;
  if (around !== null && coversMost(around, chunk) && !CONTAINERS.has(around.kind)) return around;
  // Takes the largest of several small ones: a constant's name above a method's text would mislead.
  return widest(inside, chunk) ?? (chunk.plain === 'imports' || chunk.plain === 'output' ? null : around);
}

/** The definition that covers most of the chunk, or null if none covers half of it. */
function largest(drafts: readonly Draft[], chunk: TextChunk): Draft | null {
  const main = widest(drafts, chunk);
  return main !== null && coversMost(main, chunk) ? main : null;
}

function widest(drafts: readonly Draft[], chunk: TextChunk): Draft | null {
  let main: Draft | null = null;
  for (const draft of drafts) if (main === null || overlap(draft, chunk) > overlap(main, chunk)) main = draft;
  return main;
}

function coversMost(draft: Draft, chunk: TextChunk): boolean {
  return overlap(draft, chunk) >= (chunk.end - chunk.start) / 2;
}

/** Characters of the chunk that the definition with its documentation covers. */
function overlap(draft: Draft, chunk: TextChunk): number {
  const start = draft.doc === null ? draft.start : Math.min(draft.start, draft.doc.start);
  return Math.min(draft.end, chunk.end) - Math.max(start, chunk.start);
}
