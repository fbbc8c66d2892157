/**
 * Chooses the chunk that stands for each file in front. Words and meaning are much the same in all of a class, so a method of it often has
 * a little more of them than the definition that a description describes. The order of files does not change.
 */
import { textTerms } from '../extract/terms.js';
import { type LiveSet, locate } from '../shard/live.js';
import type { TermMatch } from './bm25.js';
import { codeLines, definitionsIn, LOOSE } from './definitions.js';
import type { ParsedQuery } from './query.js';
import type { Candidate } from './scoring.js';
import { BEST_CHUNK } from './weights.js';

type FileChunk = Pick<Candidate, 'document' | 'file' | 'own' | 'factor'>;

/** Beginnings of subjects: who asks for a change looks for the lines to change, be they deep in a class. */
const CHANGE =
  /^(?:add|address|adjust|allow|apply|avoid|bring|change|clarify|clean ?up|convert|correct|delete|deprecate|disable|do not|don'?t|drop|emit|enable|ensure|expose|extend|extract|fix|handle|implement|improve|include|inline|introduce|keep|limit|make|merge|migrate|move|optimi[sz]e|preserve|prevent|raise|reduce|refactor|reject|remove|rename|replace|resolve|restore|revert|simplify|skip|split|stop|strip|support|switch|tweak|unify|update|use|warn)(?:e?s|ed|ing)?\b/i;

/** The chunk that stands for each file, by file. */
export async function bestChunks(
  live: LiveSet,
  query: Pick<ParsedQuery, 'kind' | 'text'>,
  { files, terms }: { files: ReadonlyMap<number, readonly FileChunk[]>; terms: readonly TermMatch[] },
  textOf: (document: number) => Promise<string>,
): Promise<Map<number, number>> {
  const describes = query.kind === 'natural' && !CHANGE.test(query.text.trim());
  const gainOf = async (document: number): Promise<number> => {
    const { shard, local } = locate(live, document);
    const kind = shard.documentKind(local);
    const loss = LOOSE.has(kind) ? BEST_CHUNK.loose : 0;
    if (!describes) return -loss;
    const text = await textOf(document);
    const isTopLevel = definitionsIn(shard, local, text).some((each) => each.isTopLevel);
    return (
      (isTopLevel ? BEST_CHUNK.topLevel : 0) +
      BEST_CHUNK.signature * shareOf(terms, codeLines(text, BEST_CHUNK.lines)) -
      loss
    );
  };
  const best = new Map<number, number>();
  for (const [file, chunks] of files) {
    if (chunks.length < 2) continue;
    const scores = await Promise.all(
      chunks.map(async ({ document, own, factor }) => own + factor * (await gainOf(document))),
    );
    best.set(file, chunks[scores.indexOf(Math.max(...scores))].document);
  }
  return best;
}

/** The first files, each with the best of its chunks. `ranked`: the best first. */
export function firstFiles(ranked: readonly FileChunk[]): Map<number, FileChunk[]> {
  const files = new Map<number, FileChunk[]>();
  for (const chunk of ranked) {
    const own = files.get(chunk.file);
    if (own === undefined && files.size < BEST_CHUNK.files) files.set(chunk.file, [chunk]);
    else if (own !== undefined && own.length < BEST_CHUNK.chunks) own.push(chunk);
  }
  return files;
}

/** Share of the idf of the query's words that some lines have. */
function shareOf(terms: readonly TermMatch[], lines: readonly string[]): number {
  const own = new Set(lines.flatMap(textTerms));
  const sum = (of: readonly TermMatch[]) => of.reduce((total, { idf }) => total + idf, 0);
  return sum(terms.filter(({ term }) => own.has(term))) / (sum(terms) || 1);
}
