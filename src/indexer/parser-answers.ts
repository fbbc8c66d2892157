/** Answers of a parser process, which never throws: the record of a parsed file, or as JSON the finds that a job asks for (`ParseJob`). */
import { commentsIn, extract, loadRules } from '../extract/extract.js';
import { encodeUnchecked } from '../record/syntax-codec.js';
import type { ParseAnswer, ParseJob } from './parser-pool.js';

/** Returns as many answers as jobs, in the same order. */
export async function answerAll(jobs: readonly ParseJob[]): Promise<ParseAnswer[]> {
  const answers: ParseAnswer[] = [];
  for (const job of jobs) answers.push(await answerSafely(job));
  return answers;
}

async function answerSafely(job: ParseJob): Promise<ParseAnswer> {
  try {
    return await answer(job);
  } catch (error) {
    return { error: (error as Error).message };
  }
}

async function answer({ oid, bytes, language, pattern, comments, names }: ParseJob): Promise<ParseAnswer> {
  if (pattern !== undefined) return searchAnswer(bytes, language, pattern);
  await loadRules(language);
  if (comments) return { record: Buffer.from(JSON.stringify(commentsIn(bytes, language))), degraded: null };
  if (names !== undefined) {
    const { namePlaces } = await import('../extract/name-places.js');
    return { record: Buffer.from(JSON.stringify(namePlaces(bytes, language, names))), degraded: null };
  }
  const extraction = extract(bytes, language);
  if ('skip' in extraction) return { record: encodeUnchecked(oid, { skip: extraction.skip }), degraded: null };
  const record = encodeUnchecked(oid, { facts: { [language]: extraction.facts } });
  return { record, degraded: extraction.degraded ?? null };
}

/** Imported on demand: only structural search needs ast-grep and its native grammars. */
async function searchAnswer(bytes: Uint8Array, language: string, pattern: string): Promise<ParseAnswer> {
  const { searchTree, loadPatternParsers } = await import('../extract/structural-search.js');
  await loadPatternParsers();
  return { record: Buffer.from(JSON.stringify(searchTree(bytes, language, pattern))), degraded: null };
}
