/** Chooses the definition that a chunk is about. */
import type { TextChunk } from './chunk.js';
import { type Draft, TYPE_KINDS } from './draft.js';
import type { SymbolKind } from './facts.js';

const MAX_INDENT_LENGTH = 40;
const CONTAINERS: ReadonlySet<SymbolKind> = new Set([...TYPE_KINDS, 'module', 'namespace', 'section']);

/** For every chunk the definition it is about, or null. Both lists are in document order. */
export function mainDrafts(chunks: readonly TextChunk[], all: readonly Draft[]): (Draft | null)[] {
  const drafts = all.filter(({ assigned }) => assigned !== true);
  const open: Draft[] = [];
  let next = 0;
  return chunks.map((chunk) => {
    const inside: Draft[] = [];
    const members: Draft[] = [];
    while (open.length > 0 && open[open.length - 1].end <= chunk.start) open.pop();
    const around = open[open.length - 1] ?? null;
    for (; next < drafts.length && drafts[next].start < chunk.end; next++) {
      const draft = drafts[next];
      while (open.length > 0 && open[open.length - 1].end <= draft.start) open.pop();
      // The outermost definitions of the chunk compete, and the members of one that goes on in the next chunk.
      const outer = inside[inside.length - 1];
      if (outer === undefined || outer.end <= draft.start) inside.push(draft);
      else if (outer.end > chunk.end && CONTAINERS.has(outer.kind)) members.push(draft);
      open.push(draft);
    }
    // A comment too large to share a chunk with its definition is still about it.
    if (inside.length === 0 && next < drafts.length && isAbout(chunk, drafts[next])) return drafts[next];
    return largest(members, chunk) ?? mainOf(chunk, inside, around);
  });
}

/** The chunk is documentation of the definition that comes next. */
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
  // Of several small ones the largest: a constant's name above a method's text would mislead.
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
