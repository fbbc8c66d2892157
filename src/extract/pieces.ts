/** The units a chunk is made of: a syntax tree cut into pieces that fit the cap, at child boundaries. */

import type { DefinitionRules } from '../languages/roles/definitions.js';
import { countBreaks, indentStart, isDocBlock, trimEnd } from './docs.js';
import type { Draft } from './draft.js';
import { SIZES } from './sizes.js';
import type { TreeNode } from './syntax-tree.js';

export type Role = 'import' | 'comment' | 'code';

type Barrier = 'none' | 'soft' | 'hard';

export interface Piece {
  /** Offset of the piece, which ends where the next one starts. */
  start: number;
  /** End of the syntax itself, without what follows up to the next piece. */
  end: number;
  role: Role;
  /** A definition starts here and ends here. */
  definition: boolean;
  /** Doesn't belong with the piece before it: a large statement (`soft`) or definition starts or ended here. */
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
/** A leading comment of this size says what the file is about and is no mere preamble. */
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
    if (last !== undefined && tileEnd - last.start <= SIZES.cap && sticks(last, piece, startsLine, text)) {
      const leads = last.role === 'comment' || last.attached;
      if (leads && startsLine) last.role = piece.role;
      last.definition = leads ? piece.definition : last.definition || piece.definition;
      if (leads && last.barrier !== 'hard' && piece.barrier !== 'none') last.barrier = piece.barrier;
      last.attached = leads && piece.attached;
      last.end = piece.end;
    } else {
      glued.push({ ...piece, start: startsLine ? start : lineStartAfter(last, piece.start, text) });
    }
  }
  return glued;
}

/** Start of a piece without the line break it begins with (the content of a multi-line string). */
function afterBreak(text: string, piece: Piece): number {
  const lineBreak = text.startsWith('\r\n', piece.start) ? 2 : text[piece.start] === '\n' ? 1 : 0;
  return piece.start + lineBreak < piece.end ? piece.start + lineBreak : piece.start;
}

/** Start of a piece that begins inside a line and finds no room before it: the start of its line if that is near. */
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
