/** The units a chunk is made of: a syntax tree cut into pieces that fit the cap, at child boundaries. */

import { type Sighting, sight } from './collect.js';
import { countBreaks, indentStart, isDocBlock, trimEnd } from './docs.js';
import type { Draft } from './draft.js';
import type { LanguageRules } from './rules/types.js';
import { SIZES } from './sizes.js';

export type Role = 'import' | 'comment' | 'code';

export interface Piece {
  /** Where the piece starts; it ends where the next one starts. */
  start: number;
  /** End of the syntax itself, without what follows up to the next piece. */
  end: number;
  role: Role;
  /** A definition starts here and ends here. */
  definition: boolean;
  /** Doesn't belong with what stands before it: a large construct starts or ended here. */
  barrier: boolean;
  /** Belongs to what follows (attributes, decorators). */
  attached: boolean;
}

/** Deeper nesting is cut by lines: nesting depth is the input's choice, recursion depth ours. */
const DEEPEST_SPLIT = 200;
/** Kinds inside which import statements are still the file's imports. */
const OUTER_KINDS = new Set(['namespace', 'module', 'section']);
const LONGEST_CLOSING = 40;
const CLOSING = /^(?:[\s)\]}>;,'"`]*|\s*(?:end|fi|done|esac|endif|#endif)\b[^\n]*)$/;
const LICENSE = /copyright|licen[cs]e|SPDX-/i;
const LONGEST_LICENSE_PROBE = 2_000;
/** A leading comment of this size says what the file is about and is no mere preamble. */
const FILE_COMMENT = 200;

export interface PieceInput {
  /** The root's children. */
  top: readonly Sighting[];
  text: string;
  rules: LanguageRules;
  drafts: readonly Draft[];
}

/** Pieces in order, glued so that lines, doc comments and closing brackets stay whole. */
export function piecesOf(input: PieceInput): Piece[] {
  const cutter = new Cutter(input);
  cutter.visit(input.top, 0, true);
  return markPreamble(glue(cutter.pieces, input.text), input.text);
}

class Cutter {
  readonly pieces: Piece[] = [];
  private barrier = false;
  private readonly starts = new Map<number, Draft>();
  private readonly imports: ReadonlySet<string>;
  private readonly comments: ReadonlySet<string>;
  private readonly attached: ReadonlySet<string>;

  constructor(private readonly input: PieceInput) {
    for (const draft of input.drafts) if (!this.starts.has(draft.start)) this.starts.set(draft.start, draft);
    const { rules } = input;
    this.imports = new Set(rules.imports);
    this.comments = new Set(rules.comments);
    this.attached = new Set(rules.attached?.kinds);
  }

  visit(level: readonly Sighting[], depth: number, outer: boolean): void {
    for (const sighting of level) {
      if (sighting.end <= sighting.start) continue;
      if (sighting.end - sighting.start > SIZES.cap && depth < DEEPEST_SPLIT) this.split(sighting, depth, outer);
      else this.add(sighting, outer);
    }
  }

  private split(sighting: Sighting, depth: number, outer: boolean): void {
    const { node, start } = sighting;
    const definition = this.starts.get(start);
    const startsLine =
      indentStart(this.input.text, start) < start || start === 0 || this.input.text[start - 1] === '\n';
    if (startsLine) this.barrier = true;
    const before = this.pieces.length;
    const inner = outer && (definition === undefined || OUTER_KINDS.has(definition.kind));
    this.visit(node.children().map(sight), depth + 1, inner);
    if (this.pieces.length === before) this.add(sighting, outer);
    // What follows a large construct isn't a part of it, unless it is the rest of the same line.
    if (startsLine) this.barrier = true;
  }

  private add(sighting: Sighting, outer: boolean): void {
    const { kind, start, end } = sighting;
    const draft = this.starts.get(start);
    this.pieces.push({
      start,
      end: trimEnd(this.input.text, end, start),
      role: this.roleOf(kind, start, end, outer),
      definition: draft !== undefined && draft.end <= end + 1,
      barrier: this.barrier,
      attached: this.attached.has(kind) && this.isAttached(start),
    });
    this.barrier = false;
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

function glue(pieces: readonly Piece[], text: string): Piece[] {
  const glued: Piece[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    const start = indentStart(text, piece.start);
    const startsLine = start === 0 || text[start - 1] === '\n';
    const last = glued[glued.length - 1];
    const tileEnd = i + 1 < pieces.length ? indentStart(text, pieces[i + 1].start) : text.length;
    if (last !== undefined && tileEnd - last.start <= SIZES.cap && sticks(last, piece, startsLine, text)) {
      const leads = last.role === 'comment' || last.attached;
      if (leads && startsLine) last.role = piece.role;
      last.definition = leads ? piece.definition : last.definition || piece.definition;
      last.barrier ||= leads && piece.barrier;
      last.attached = leads && piece.attached;
      last.end = piece.end;
    } else {
      glued.push({ ...piece, start });
    }
  }
  return glued;
}

function sticks(last: Piece, piece: Piece, startsLine: boolean, text: string): boolean {
  if (!startsLine || last.attached) return true;
  if (piece.end - piece.start <= LONGEST_CLOSING && CLOSING.test(text.slice(piece.start, piece.end))) return true;
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
  }
  if (pieces.length > 0 && pieces[0].role === 'comment' && isLicense(pieces[0], text)) pieces[0].role = 'import';
  return pieces;
}

function isLicense(piece: Piece, text: string): boolean {
  return LICENSE.test(text.slice(piece.start, Math.min(piece.end, piece.start + LONGEST_LICENSE_PROBE)));
}
