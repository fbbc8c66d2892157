/** Answers of a model that are paid for: what it is shown, and how many are asked for while those before are being written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chat } from '../../../src/embed/chat.js';
import { fileShown, Writer } from '../../../src/questions/summarize/writer.js';
import type { StoredSummaries } from '../../../src/session/knowledge/summaries.js';
import { Session } from '../../../src/session/session.js';
import { bytesOf, factsOf } from '../../extract/helpers.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

test('a slow disk holds the workers back: a kill loses what is being written and what is on its way', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  let asked = 0;
  let release = () => {};
  const written: number[] = [];
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const chat: Chat = {
    id: 'fake:model',
    ask: async () => {
      asked++;
      return { text: 'Says what it is for.', inputTokens: 1, outputTokens: 1 };
    },
  };
  const store = {
    addAll: async (claims: unknown[]) => {
      await isReleased;
      written.push(claims.length);
    },
  } as unknown as StoredSummaries['store'];
  const { summarizer } = (await session.configOfOrigin(await session.origin(undefined))).config;
  const writer = new Writer(askerOf(session), { byKey: new Map(), store, entries: 0 }, { chat }, summarizer);
  const more = Array.from({ length: 80 }, (_, i) => i);
  const work = async () => {
    for (let i = more.shift(); i !== undefined; i = more.shift())
      await writer.write({
        ...{ kind: 'file', key: `key ${i}`, shown: 'code', extracted: '', objects: [], isCommitted: false },
      });
  };
  const workers = Promise.all(Array.from({ length: 4 }, work));
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  assert.ok(asked >= 16 && asked <= 16 + 4, `${asked} asked before anything was written`);
  release();
  await workers;
  await writer.finish();
  assert.equal(
    written.reduce((sum, count) => sum + count, 0),
    80,
  );
  assert.equal(writer.report().made, 80);
});

/** Definitions of a file that a model is shown. */
function definitionsShown(code: string, language: string): string[] {
  const shown = fileShown(language, { facts: factsOf(code, language), bytes: Buffer.from(bytesOf(code)) });
  const lines = shown.split('\n');
  return lines.slice(lines.indexOf('definitions:') + 1, lines.indexOf('beginning of the text:'));
}

test('of a file, a model is shown what is exported first, and each part as it stands there, without members', () => {
  const code = [
    'function helper() {}',
    '/** Counts. */',
    'export function count() {}',
    'function other() {}',
    'export class Cart {\n  total() {}\n}',
    '',
  ].join('\n');
  assert.deepEqual(definitionsShown(code, 'typescript'), [
    'export function count() // Counts.',
    'export class Cart',
    'function helper()',
    'function other()',
  ]);
  assert.deepEqual(definitionsShown('func helper() {}\n\nfunc Count() {}\n', 'go'), ['func Count()', 'func helper()']);
  assert.deepEqual(definitionsShown('', 'typescript'), []);
});

test('of a file with more definitions than are shown, none that is exported is left out for one that is not', () => {
  const own = Array.from({ length: 80 }, (_, i) => `function own${i}() {}\n`).join('');
  const shown = definitionsShown(`${own}export function offered() {}\n`, 'typescript');
  assert.equal(shown.length, 60);
  assert.deepEqual(shown.slice(0, 2), ['export function offered()', 'function own0()']);
});
