/** Chunks of a snapshot and of old versions of its files ranked together: each text once, and what is left out. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rankHistory } from '../../../src/questions/history/corpus.js';
import { parseQuery } from '../../../src/search/query.js';
import { BlobFactsSource } from '../../../src/session/blob-facts.js';
import { Session } from '../../../src/session/session.js';
import '../../support/in-process/kept-parsers.js';
import { createRepo } from '../../support/repositories/repo.js';

/** A function that is long enough for a chunk of its own. */
const code = (name: string, word: string) =>
  `export function ${name}() {\n${`  send(parcel, '${word}', address, customer);\n`.repeat(14)}}\n`;

const repo = createRepo();
const big = code('big', 'x'.repeat(300));
repo.commit({
  'src/cart.ts': code('first', 'one') + code('second', 'other'),
  'lib/gone.ts': code('gone', 'two'),
  'src/big.ts': big,
});
const blobAt = (path: string) => ({ oid: repo.git('rev-parse', `HEAD:${path}`), path });
const [old, gone, large] = ['src/cart.ts', 'lib/gone.ts', 'src/big.ts'].map(blobAt);
repo.git('rm', '-q', 'lib/gone.ts', 'src/big.ts');
repo.commit({ 'src/cart.ts': code('first', 'one') + code('second', 'three') });
const now = blobAt('src/cart.ts');

const session = await Session.open({ directory: repo.dir, flags: { maxFileBytes: 3_000 } });
const source = new BlobFactsSource(session, { languages: {}, maxFileBytes: 100_000, objects: session.objects });
after(() => source.close().finally(() => session.close()));

/** Found chunks, as `path first line`, sorted. */
async function found(options: Partial<Parameters<typeof rankHistory>[2]> = {}): Promise<string[]> {
  const origin = await session.origin();
  const scope = await session.filesOf(origin);
  const given = { versions: [old, gone], query: parseQuery('parcel'), limit: 20, ...options };
  const ranked = await rankHistory(session, { origin, scope, source }, given);
  assert.deepEqual(ranked.coverage, { covered: 1, total: 1 });
  const texts = await Promise.all(
    ranked.found.map(async ({ oid, path, start }) => {
      const [line] = ((await session.objects.read(oid))?.content.subarray(start).toString() ?? '').trim().split('\n');
      return `${oid === now.oid ? 'now' : 'old'} ${path} ${line}`;
    }),
  );
  return texts.sort();
}

const [first, second] = ['first', 'second'].map((name) => `now src/cart.ts export function ${name}() {`);
const WAS = 'old src/cart.ts export function second() {';
const GONE = 'old lib/gone.ts export function gone() {';

test('code that is gone is found beside code that is there, and a text that both have once, where it is now', async () => {
  assert.deepEqual(await found(), [first, second, GONE, WAS]);
  assert.deepEqual(await found({ versions: [] }), [first, second]);
  assert.deepEqual(await found({ versions: [gone, { ...gone, path: 'lib/copy.ts' }, gone] }), [first, second, GONE]);
});

test('code that is there is left out where only deleted code is asked for, as old versions have it, too', async () => {
  assert.deepEqual(await found({ deleted: true }), [GONE, WAS]);
  assert.deepEqual(await found({ deleted: true, versions: [now] }), []);
});

test('paths, the limit of results and the largest file that is read hold for old versions, too', async () => {
  assert.deepEqual(await found({ path: ['lib/**'] }), [GONE]);
  assert.deepEqual(await found({ path: ['src/**'] }), [first, second, WAS]);
  const twice = [gone, { ...gone, path: 'lib/copy.ts' }];
  assert.deepEqual(await found({ path: ['lib/copy.*'], versions: twice }), [GONE.replace('gone.ts', 'copy.ts')]);
  assert.equal((await found({ limit: 1 })).length, 1);
  assert.deepEqual(await found({ versions: [large] }), [first, second]);
});
