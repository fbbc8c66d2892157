/** Merging pieces into chunks: neighbours up to the target, large definitions alone, imports apart. */
import type { PlainChunkKind } from './facts.js';
import { cutByLines } from './lines.js';
import type { Piece, Role } from './pieces.js';
import { SIZES } from './sizes.js';

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

/** Cuts text without a tree, or a piece that no child boundary cuts. */
export function chunkLines(text: string, start: number, end: number, plain: PlainChunkKind): TextChunk[] {
  if (end <= start) return [];
  const bounds = [start, ...(end - start > SIZES.cap || start === 0 ? cutByLines(text, start, end) : []), end];
  return bounds.slice(1).map((bound, index) => ({ start: bounds[index], end: bound, plain }));
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

/** True if a boundary belongs between what is pending and the next piece. */
function parts(pending: Pending, piece: Piece, end: number): boolean {
  if (pending.alone || end - pending.start > SIZES.merged) return true;
  if ((pending.role === 'import') !== (piece.role === 'import')) return true;
  if (piece.barrier === 'none') return false;
  return pending.end - pending.start >= (piece.barrier === 'hard' ? SIZES.tiny : SIZES.part);
}

/** Joins leftovers to the next part, or to the one before, where there is room. */
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
