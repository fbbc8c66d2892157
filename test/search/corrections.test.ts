/** Misspelt words: what was meant is found and said; words that are there are left alone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fixtureRepo, inProcess, Process } from '../support/in-process/search.js';

const repo = fixtureRepo('ranking');
let shop: Process;
before(async () => {
  // Words that only another branch has stand in the same shards.
  repo.git('checkout', '-q', '-b', 'other');
  repo.commit({ 'src/elsewhere.ts': 'export const word = "zeppelin passwort sessiom invoize";\n' });
  await inProcess(repo, (other) => other.search('zeppelin', { ref: 'other' }));
  repo.git('checkout', '-q', 'main');
  shop = await Process.open(repo);
});
after(() => shop.close());

/** Misspelt query -> word -> what it was taken for, and where the answer is. */
const MISSPELT: [query: string, corrections: Record<string, string[]>, path: string][] = [
  ['sesion expired', { sesion: ['session'] }, 'src/auth/session.ts'],
  ['pasword hashing', { pasword: ['password'] }, 'src/auth/passwords.ts'],
  ['invioces of a customer', { invioces: ['invoic'] }, 'internal/invoice/invoice.go'],
  ['exponental backof', { exponental: ['exponential'], backof: ['backoff'] }, 'worker/retry.py'],
  ['Rotuer', { Rotuer: ['router'] }, 'src/http/router.ts'],
];

for (const [query, corrections, path] of MISSPELT) {
  test(`"${query}" finds ${path}`, async () => {
    const response = await shop.search(query);
    assert.deepEqual(response.corrections, corrections);
    assert.equal(response.results[0].path, path);
  });
}

test('words that some document has are never corrected, however near another one is', async () => {
  for (const query of ['password', 'hashed passwords', 'prices', 'Stock', 'retry']) {
    assert.equal((await shop.search(query)).corrections, undefined, query);
  }
});

test('short words and numbers are left alone', async () => {
  for (const query of ['sesn', 'rout', 'limt', '8081', 'v3', 'ab cd']) {
    assert.equal((await shop.search(query)).corrections, undefined, query);
  }
});

test('a word that only another branch has is not offered, and is found on that branch', async () => {
  const nothing = await shop.search('zepelin', { mode: 'lexical' });
  assert.deepEqual([nothing.corrections, nothing.results], [undefined, []]);
  for (const query of ['passwrt', 'sessiom', 'invoize']) {
    const { corrections = {} } = await shop.search(query);
    const offered = Object.values(corrections).flat();
    assert.ok(!offered.some((word) => /passwort|sessiom|invoiz/.test(word)), `${query}: ${offered}`);
  }
  assert.deepEqual((await shop.search('sessiom')).corrections, { sessiom: ['session'] });
  const there = await shop.search('zepelin', { ref: 'other' });
  assert.deepEqual([there.corrections, there.results[0].path], [{ zepelin: ['zeppelin'] }, 'src/elsewhere.ts']);
});

test('a word that resembles no word of the repository finds nothing and is not corrected', async () => {
  const { corrections, results } = await shop.search('quxquuxcorge', { mode: 'lexical' });
  assert.deepEqual([corrections, results], [undefined, []]);
});

test('an unknown identifier is reported as missing, and its parts are searched for', async () => {
  const { corrections, results } = await shop.search('hashPasswordTwice');
  assert.deepEqual(corrections, { hashPasswordTwice: [] });
  assert.equal(results[0].path, 'src/auth/passwords.ts');
});
