/**
 * Main file of the parser process. Source text is hostile input, so it is parsed here, where a hang
 * or a crash costs one child and never the program. The parent decodes every record before it uses or stores it.
 * Receives batches of `ParseJob`s and answers each with as many `ParseAnswer`s, in the same order.
 */
import { compileEagerly, delayOptimisation } from '../base/tiering.js';
import { commentsIn } from '../extract/comments.js';
import { extract, loadRules } from '../extract/index.js';
import { encodeUnchecked } from '../record/codec.js';
import type { ParseAnswer, ParseJob } from './parse-protocol.js';

async function answer({ oid, bytes, language, pattern, comments }: ParseJob): Promise<ParseAnswer> {
  if (pattern !== undefined) return searchAnswer(bytes, language, pattern);
  await loadRules(language);
  if (comments) return { record: Buffer.from(JSON.stringify(commentsIn(bytes, language))), degraded: null };
  const extraction = extract(bytes, language);
  if ('skip' in extraction) return { record: encodeUnchecked(oid, { skip: extraction.skip }), degraded: null };
  const record = encodeUnchecked(oid, { facts: { [language]: extraction.facts } });
  return { record, degraded: extraction.degraded ?? null };
}

/** Loaded here: only structural search needs ast-grep and its native grammars. */
async function searchAnswer(bytes: Uint8Array, language: string, pattern: string): Promise<ParseAnswer> {
  const [{ searchTree }, { loadPatternParsers }] = await Promise.all([
    import('../extract/structural.js'),
    import('../extract/pattern-parser.js'),
  ]);
  await loadPatternParsers();
  return { record: Buffer.from(JSON.stringify(searchTree(bytes, language, pattern))), degraded: null };
}

delayOptimisation();
compileEagerly();

async function answerSafely(job: ParseJob): Promise<ParseAnswer> {
  try {
    return await answer(job);
  } catch (error) {
    return { error: (error as Error).message };
  }
}

async function answerAll(jobs: ParseJob[]): Promise<void> {
  const answers: ParseAnswer[] = [];
  for (const job of jobs) answers.push(await answerSafely(job));
  process.send?.(answers);
}

// Rules are loaded on the way: batches wait for each other, so that answers come in the order of their jobs.
let last = Promise.resolve();
process.on('message', (jobs: ParseJob[]) => {
  last = last.then(() => answerAll(jobs));
});
// Exit with the parent: no process waits for an answer any more.
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
