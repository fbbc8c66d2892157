/**
 * The process that parses. Source text is hostile input to native grammars: it is parsed where a hang or a crash
 * costs one child, never the program. Receives `ParseJob`s, answers each with one `ParseAnswer`, in order.
 */
import { extract, loadGrammars } from '../extract/index.js';
import { encodeSyntaxRecord } from '../record/codec.js';
import type { ParseAnswer, ParseJob } from './parse-protocol.js';

function answer({ oid, bytes, language }: ParseJob): ParseAnswer {
  const extraction = extract(bytes, language);
  if ('skip' in extraction) return { record: encodeSyntaxRecord(oid, { skip: extraction.skip }), degraded: null };
  const record = encodeSyntaxRecord(oid, { facts: { [language]: extraction.facts } });
  return { record, degraded: extraction.degraded ?? null };
}

await loadGrammars();

process.on('message', (job: ParseJob) => {
  let reply: ParseAnswer;
  try {
    reply = answer(job);
  } catch (error) {
    reply = { error: (error as Error).message };
  }
  process.send?.(reply);
});
// The parent is gone: nobody waits for an answer.
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
