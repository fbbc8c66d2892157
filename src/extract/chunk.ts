/** Merging pieces into chunks: neighbours up to the target, large definitions alone, imports apart. */
import type { Draft } from './draft.js';
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

/** The same for text without a tree, or for a piece that no child boundary cuts. */
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
  return piece.barrier && pending.end - pending.start >= SIZES.part;
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

/** For every chunk the definition it is about, or null. Both lists are in document order. */
export function mainDrafts(chunks: readonly TextChunk[], drafts: readonly Draft[]): (Draft | null)[] {
  const open: Draft[] = [];
  let next = 0;
  return chunks.map((chunk) => {
    const inside: Draft[] = [];
    while (open.length > 0 && open[open.length - 1].end <= chunk.start) open.pop();
    const enclosing = open.filter((draft) => draft.end > chunk.start);
    for (; next < drafts.length && drafts[next].start < chunk.end; next++) {
      const draft = drafts[next];
      while (open.length > 0 && open[open.length - 1].end <= draft.start) open.pop();
      // Only the outermost definitions of the chunk compete; members speak for themselves elsewhere.
      if (inside.length === 0 || inside[inside.length - 1].end <= draft.start) inside.push(draft);
      open.push(draft);
    }
    const documented = drafts[next]?.doc;
    // A doc comment too large to share a chunk with its definition is still about it.
    if (inside.length === 0 && documented && documented.start >= chunk.start && documented.end <= chunk.end) {
      return drafts[next];
    }
    return mainOf(chunk, inside, enclosing);
  });
}

const CONTAINERS = new Set(['class', 'interface', 'trait', 'struct', 'enum', 'object', 'impl', 'module', 'namespace']);

function mainOf(chunk: TextChunk, inside: readonly Draft[], enclosing: readonly Draft[]): Draft | null {
  const half = (chunk.end - chunk.start) / 2;
  let largest: Draft | null = null;
  for (const draft of inside) if (largest === null || overlap(draft, chunk) > overlap(largest, chunk)) largest = draft;
  if (largest !== null && overlap(largest, chunk) >= half) return largest;
  const around = enclosing[enclosing.length - 1] ?? null;
  if (around !== null && overlap(around, chunk) >= half && !CONTAINERS.has(around.kind)) return around;
  return inside[0] ?? (chunk.plain === 'imports' ? null : around);
}

/** Characters of the chunk that the definition with its documentation covers. */
function overlap(draft: Draft, chunk: TextChunk): number {
  const start = draft.doc === null ? draft.start : Math.min(draft.start, draft.doc.start);
  return Math.min(draft.end, chunk.end) - Math.max(start, chunk.start);
}
