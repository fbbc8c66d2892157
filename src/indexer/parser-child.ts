/**
 * Main file of the parser process. Source text is hostile input, so it is parsed here, where a hang or a crash costs one child and never
 * the program. The parent decodes every record before it uses or stores it. Receives batches of `ParseJob`s and answers each with as many
 * `ParseAnswer`s, in the same order.
 */
import { loadProgram } from '../base/bundle.js';
import { compileEagerly, delayOptimisation, keepBaselineWasm, PARSER_OPTIONS } from '../base/runtime.js';
import type { ParseJob } from './parser-pool.js';

delayOptimisation();
compileEagerly();
// Before anything is compiled: V8 refuses code that it compiled under other flags.
keepBaselineWasm();

/** Text of a language after which most of its rules have run, so that caching their compiled form pays. */
const SAMPLE_BYTES = 32 << 10;

const loaded = loadProgram('parser', 'parser', () => import('./parser-answers.js'), PARSER_OPTIONS);
const seen = new Map<string, number>();

async function answer(jobs: readonly ParseJob[]): Promise<void> {
  const { module, keepCode } = await loaded;
  const answers = await module.answerAll(jobs);
  for (const { language, bytes } of jobs) {
    const before = seen.get(language) ?? 0;
    seen.set(language, before + bytes.length);
    if (before + bytes.length >= SAMPLE_BYTES) keepCode(language);
  }
  // Last, since a parser is killed as soon as nobody waits for it, and must not be writing then.
  process.send?.(answers);
}

// Batches wait for each other, so that answers come in the order of their jobs.
let last: Promise<void> = loaded.then(() => process.send?.({ ready: true })).then(() => {});
process.on('message', (jobs: ParseJob[]) => {
  last = last.then(() => answer(jobs));
});
// Ctrl-C in a terminal reaches every process of the command. The parent decides which answers still count, and ends this one.
process.on('SIGINT', () => {});
// Without the parent, no process waits for an answer.
process.on('disconnect', () => process.exit(0));
