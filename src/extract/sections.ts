/** Cuts documents without a grammar by their headings: each section is a definition that holds the sections below it. */
import type { DocumentPiece, Heading, SectionRules } from '../languages/roles/documents.js';
import { chunkLines, chunksOf, type TextChunk } from './chunk.js';
import type { Draft } from './draft.js';
import type { TextFacts } from './extract.js';
import type { PlainChunkKind } from './facts.js';
import type { Piece } from './pieces.js';
import { noRawRelations } from './relations/raw.js';

/** Headings beyond this many are text. */
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

/** Chunks of given pieces, each cut alone: a result must not be half output. They begin with their lines, where each has lines of its own. */
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
