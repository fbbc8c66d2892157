/** Modes and vectors inside one process: what is found by words, by meaning and by both, and for which snapshot. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { fixtureRepo, inProcess, Process } from '../support/in-process/search.js';
import { createRepo } from '../support/repositories/repo.js';
import { committed, index, ollamaAt, shardFiles, startServer } from '../support/repositories/vectors-repo.js';

const repo = fixtureRepo('ranking');
let shop: Process;
before(async () => {
  shop = await Process.open(repo);
});
after(() => shop.close());

const paths = ({ results }: SearchResponse) => results.map(({ path }) => path);
const VECTORS = /vectors-[^/]*\.bin$/;

test('each mode says what it used; lexical opens no vectors', async () => {
  const own = fixtureRepo('ranking');
  await inProcess(own, async (process) => {
    const lexical = await process.search('password', { mode: 'lexical', explain: true });
    assert.deepEqual([lexical.mode, lexical.vectors], ['lexical', undefined]);
    for (const { explain = {}, sources } of lexical.results) {
      assert.ok(!Object.keys(explain).some((name) => /dense|vectors/.test(name)) && !sources?.includes('semantic'));
    }
    for (const mode of ['hybrid', 'semantic'] as const) {
      const { vectors, mode: used } = await process.search('password', { mode });
      assert.equal(used, mode);
      assert.ok(vectors && vectors.covered === vectors.total && vectors.reason === null);
    }
    assert.equal((await process.search('password')).mode, 'hybrid');
  });
});

test('the setting search.mode is what a search without --mode uses', async () => {
  await inProcess(
    repo,
    async ({ searcher }) => assert.equal((await searcher.search({ query: 'login' })).mode, 'lexical'),
    {
      'search.mode': 'lexical',
    },
  );
});

test('semantic search finds code that shares no word with the query', async () => {
  const synonyms: [query: string, path: string][] = [
    ['authenticate', 'src/auth/login.ts'],
    ['encrypt credentials', 'src/auth/passwords.ts'],
    ['purge', 'src/cache/lru.ts'],
    ['throttle requests', 'src/http/limiter.ts'],
    ['attempt again later', 'worker/retry.py'],
  ];
  const found = await Promise.all(
    synonyms.map(async ([query, path]) => {
      const [byMeaning, byWords] = [
        await shop.search(query, { mode: 'semantic' }),
        await shop.search(query, { mode: 'lexical' }),
      ];
      return paths(byMeaning).includes(path) && !paths(byWords).includes(path);
    }),
  );
  // Which of them depends on the model; two of five is little to ask.
  assert.ok(found.filter(Boolean).length >= 2, found.join());
});

test('hybrid search puts the best lexical and the best semantic result among its first five', async () => {
  for (const query of [
    'retry after failure',
    'password hashing',
    'exponential backoff',
    'evict the oldest cache entry',
  ]) {
    const both = paths(await shop.search(query));
    for (const mode of ['lexical', 'semantic'] as const) {
      const [first] = paths(await shop.search(query, { mode }));
      assert.ok(both.slice(0, 5).includes(first), `${mode} ${query}`);
    }
  }
  // A name that only words can tell from its neighbours.
  for (const name of ['reserve_stock', 'hashPassword', 'runMigrations']) {
    const [byWords] = paths(await shop.search(name, { mode: 'lexical' }));
    assert.equal(paths(await shop.search(name))[0], byWords);
  }
});

test('semantic ranks by vectors alone', async () => {
  const { results } = await shop.search('hashed password', { mode: 'semantic', explain: true, limit: 50 });
  for (const { explain = {}, sources } of results) {
    const names = Object.keys(explain).filter(
      (name) => !/^(?:factor:.*|saturation|coherence|rank:vectors)$/.test(name),
    );
    assert.ok(
      names.every((name) => name.startsWith('dense')),
      names.join(),
    );
    assert.deepEqual(sources, ['semantic']);
  }
});

test('filters hold in semantic mode; order is the same again', async () => {
  const options = { mode: 'semantic', limit: 50 } as const;
  const python = await shop.search('retry after failure', { ...options, lang: ['python'] });
  assert.ok(python.results.length > 0 && python.results.every(({ language }) => language === 'python'));
  const below = await shop.search('retry after failure', { ...options, path: ['worker'] });
  assert.ok(below.results.length > 0 && below.results.every(({ path }) => path.startsWith('worker/')));
  const classes = await shop.search('evict the oldest cache entry', { ...options, kind: ['class'] });
  assert.ok(classes.results.length > 0 && classes.results.every(({ kind }) => kind === 'class'));
  assert.deepEqual(await shop.search('retry after failure', { ...options, path: ['worker'] }), below);
});

test('a filter finds chunks where hundreds elsewhere are nearer', async () => {
  const near = Object.fromEntries(
    Array.from({ length: 450 }, (_, i) => [
      `near/n${i}.ts`,
      `export function hashPassword${i}() {\n  return hash(password, ${i});\n}\n`,
    ]),
  );
  const own = committed({
    ...near,
    'far/policy.py': 'def password_policy(rules):\n    return all(rule.password for rule in rules)\n',
  });
  await inProcess(own, async (process) => {
    for (const mode of ['semantic', 'hybrid'] as const) {
      const far = await process.search('hash a password', { mode, path: ['far'] });
      assert.deepEqual(paths(far), ['far/policy.py'], mode);
      const again = await process.search('hash a password', { mode, path: ['near'], limit: 20 });
      assert.deepEqual(await process.search('hash a password', { mode, path: ['near'], limit: 20 }), again);
    }
  });
});

test('chunks of another branch never appear, though their vectors stand in the same shards', async () => {
  const own = committed({ 'src/mail.ts': 'export function sendMail(to: string) {\n  return deliver(to);\n}\n' });
  own.git('checkout', '-q', '-b', 'other');
  own.commit({ 'src/hash.ts': 'export function hashPassword(password: string) {\n  return scrypt(password);\n}\n' });
  await index(own);
  own.git('checkout', '-q', 'main');
  await inProcess(own, async (process) => {
    for (const mode of ['semantic', 'hybrid'] as const) {
      const { results, vectors } = await process.search('password hashing', { mode });
      assert.ok(
        results.every(({ path }) => path === 'src/mail.ts'),
        mode,
      );
      assert.equal(vectors?.total, 1);
      const there = await process.search('password hashing', { mode, ref: 'other' });
      assert.equal(there.results[0].path, 'src/hash.ts');
    }
  });
});

test('a rename makes no vector again, and the new path counts', async () => {
  const text = 'export function isValid(password: string): boolean {\n  return check(password);\n}\n';
  const twin = 'export function isStrong(password: string): boolean {\n  return check(password);\n}\n';
  const own = committed({ 'src/first.ts': text, 'src/invoice.ts': twin });
  await index(own);
  const files = () => shardFiles(own, VECTORS).map((path) => [path, readFileSync(path).toString('base64')]);
  const before = files();
  assert.ok(before.length > 0);
  const find = () =>
    inProcess(own, async (process) => {
      const { results } = await process.search('password check', { mode: 'semantic' });
      assert.equal(results.length, 2);
      return results.findIndex(({ content }) => content?.includes('isValid'));
    });
  own.git('mv', 'src/first.ts', 'src/password.ts');
  own.git('commit', '-q', '-m', 'rename');
  assert.equal(await find(), 0);
  own.git('mv', 'src/password.ts', 'src/sum.ts');
  own.git('mv', 'src/invoice.ts', 'src/password.ts');
  own.git('commit', '-q', '-m', 'rename again');
  assert.equal(await find(), 1);
  await index(own);
  assert.deepEqual(files(), before);
});

test('missing and damaged vector files are made again, and the answer stays the same', async () => {
  const own = fixtureRepo('ranking');
  const ask = () => inProcess(own, (process) => process.search('evict the oldest', { explain: true }));
  const expected = await ask();
  const { rmSync, writeFileSync } = await import('node:fs');
  for (const path of shardFiles(own, VECTORS)) rmSync(path);
  assert.deepEqual(await ask(), expected);
  for (const path of shardFiles(own, VECTORS)) writeFileSync(path, 'no vectors');
  assert.deepEqual(await ask(), expected);
});

const ODD = ['the of and', 'what is this', 'x', '!!!', 'zzzqqqxxx', '解析', 'a'.repeat(10_000), 'login '.repeat(1_700)];

test('odd queries get an answer in every mode, also in repositories of no and of one file', async () => {
  const empty = createRepo();
  empty.commit({});
  const one = committed({ 'a.ts': 'export const login = 1;\n' });
  for (const [odd, most] of [
    [empty, 0],
    [one, 1],
    [repo, 10],
  ] as const) {
    await inProcess(odd, async (process) => {
      for (const query of ODD) {
        for (const mode of ['hybrid', 'lexical', 'semantic'] as const) {
          const { results } = await process.search(query, { mode });
          assert.ok(results.length <= most && results.every(({ score }) => Number.isFinite(score)), `${mode} ${query}`);
        }
      }
    });
  }
});

test('without a word that the model knows, hybrid is lexical and says so; semantic has no results', async () => {
  const own = committed({ 'a.ts': 'export const x = 1;\n', 'b.ts': 'export const y = 2;\n' });
  await inProcess(own, async (process) => {
    const { mode, results } = await process.search('!!!');
    assert.deepEqual([mode, results], ['lexical', []]);
    assert.deepEqual((await process.search('!!!', { mode: 'semantic' })).results, []);
  });
});

test('a search takes out of the question what all vectors of a model share', async (t) => {
  /** Similarity of each chunk to the question, where every vector gets the same part, `shared` times as long as its own. */
  const similarities = async (shared: number) => {
    const server = await startServer(t);
    const alike = (vectors: unknown[]) =>
      (vectors as number[][]).map((vector) => [...vector.slice(0, -1), shared * Math.hypot(...vector)]);
    server.fail('/api/embed', { kind: 'vectors', change: alike }, 1_000);
    const own = fixtureRepo('ranking');
    const flags = ollamaAt(server.url);
    await index(own, flags);
    const asked = { mode: 'semantic', explain: true, limit: 50 } as const;
    const search = (process: Process) => process.search('how are passwords hashed', asked);
    const { results, vectors } = await inProcess(own, search, flags);
    assert.equal(vectors?.reason, null);
    return new Map(results.map(({ path, startLine, explain = {} }) => [`${path}:${startLine}`, explain.dense ?? 0]));
  };
  const [plain, alike] = [await similarities(0), await similarities(4)];
  const both = [...plain].filter(([place]) => alike.has(place));
  assert.ok(both.length > 5);
  const apart = both.map(([place, similarity]) => Math.abs(similarity - (alike.get(place) ?? 0))).sort((a, b) => a - b);
  // Uncentred, all but the nearest chunks differ by 1.4 of 2.
  assert.ok(apart[apart.length >> 1] < 0.3, apart.map((x) => x.toFixed(2)).join(' '));
});
