/**
 * Main file of the parser process. Source text is hostile input to native grammars, so it is parsed here, where a hang
 * or a crash costs one child and never the program. The parent decodes every record before it uses or stores it.
 * Receives batches of `ParseJob`s and answers each with as many `ParseAnswer`s, in the same order.
 */
import { extract, loadGrammars } from '../extract/index.js';
import { encodeUnchecked } from '../record/codec.js';
import type { ParseAnswer, ParseJob } from './parse-protocol.js';

function answer({ oid, bytes, language }: ParseJob): ParseAnswer {
  const extraction = extract(bytes, language);
  if ('skip' in extraction) return { record: encodeUnchecked(oid, { skip: extraction.skip }), degraded: null };
  const record = encodeUnchecked(oid, { facts: { [language]: extraction.facts } });
  return { record, degraded: extraction.degraded ?? null };
}

await loadGrammars();

function answerSafely(job: ParseJob): ParseAnswer {
  try {
    return answer(job);
  } catch (error) {
    return { error: (error as Error).message };
  }
}

process.on('message', (jobs: ParseJob[]) => {
  process.send?.(jobs.map(answerSafely));
});
// Exit with the parent: no process waits for an answer any more.
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
