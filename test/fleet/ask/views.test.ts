/** The published views in memory: when they are compared with the store, and what of them is read again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FleetViews } from '../../../fleet/src/ask/views.js';
import type { ViewRequest, ViewRow } from '../../../fleet/src/contract.js';
import { viewKey } from '../../../fleet/src/keys.js';
import { commitId, keyIn, numberedFile, viewOf } from '../made.js';

const rowOf = (about: Partial<ViewRow> & { repo: string }, files = 1): ViewRow => {
  const {
    profile: _,
    family: __,
    keep: ___,
    ...view
  } = viewOf(
    Array.from({ length: files }, (_, i) => numberedFile(i)),
    { ref: 'main', family: 'shop' },
  );
  return { ...view, family: 'f', publishedAt: 1, ...about } as ViewRow;
};

function engineOf(rows: ViewRow[]) {
  const asked: ViewRequest[] = [];
  const engine = {
    ...{ asked, rows, version: 1 },
    gate: Promise.resolve(),
    async readViews(request: ViewRequest) {
      asked.push(request);
      await engine.gate;
      if (request.since === String(engine.version)) return null;
      const { keys } = request;
      const views = engine.rows.filter(({ repo, ref }) => keys === undefined || keys.includes(viewKey(repo, ref)));
      return { version: String(engine.version), views };
    },
  };
  return engine;
}

const shown = ({ repositories }: Awaited<ReturnType<FleetViews['fresh']>>) =>
  [...repositories].map(([repo, views]) => `${repo}: ${views.map(({ ref, commit }) => `${ref} ${commit[0]}`)}`);

test('views are in the order of repositories and refs, without deleted ones, and damaged ones apart', async () => {
  const engine = engineOf([
    rowOf({ repo: 'b', ref: 'main' }),
    rowOf({ repo: 'a', ref: 'two' }),
    rowOf({ repo: 'a', ref: 'one' }),
    rowOf({ repo: 'c', ref: 'gone', commit: '' }),
    rowOf({ repo: 'd', facts: Uint8Array.of(1, 2, 3) }),
  ]);
  const set = await new FleetViews(engine, () => 0).fresh();
  assert.deepEqual(shown(set), ['a: one a,two a', 'b: main a']);
  assert.deepEqual([...set.damaged], ['d']);
  assert.deepEqual(
    engine.asked.map(({ parts, keys }) => [parts, keys?.length]),
    [
      ['heads', undefined],
      ['facts', 4],
    ],
  );
});

test('views are read again at once when they are late, meanwhile when they are old, and not when they are fresh', async () => {
  let now = 0;
  const engine = engineOf([rowOf({ repo: 'a' })]);
  const views = new FleetViews(engine, () => now);
  const heads = () => engine.asked.filter(({ parts }) => parts === 'heads').length;
  await views.fresh();
  engine.rows = [rowOf({ repo: 'a', commit: commitId('b') })];
  engine.version = 2;
  now = 499;
  assert.deepEqual([shown(await views.fresh()), heads()], [['a: main a'], 1]);
  now = 500;
  assert.deepEqual([shown(await views.fresh()), heads()], [['a: main a'], 2], 'in parallel with the answer');
  await new Promise(setImmediate);
  assert.deepEqual(shown(await views.fresh()), ['a: main b']);
  engine.rows = [rowOf({ repo: 'a', commit: commitId('c') })];
  engine.version = 3;
  now = 1_999;
  assert.deepEqual(shown(await views.fresh()), ['a: main b']);
  await new Promise(setImmediate);
  engine.rows = [rowOf({ repo: 'a', commit: commitId('d') })];
  engine.version = 4;
  now = 1_999 + 1_500;
  assert.deepEqual(shown(await views.fresh()), ['a: main d'], 'a question waits');
});

test('a check that finds nothing new reads no facts, and only views that changed are read', async () => {
  let now = 0;
  const kept = rowOf({ repo: 'a' });
  const engine = engineOf([kept, rowOf({ repo: 'b' }), rowOf({ repo: 'c' }), rowOf({ repo: 'd' })]);
  const views = new FleetViews(engine, () => now);
  await views.fresh();
  const next = async () => {
    engine.asked.length = 0;
    now += 10_000;
    const set = shown(await views.fresh());
    return [engine.asked.map(({ parts, since, keys }) => `${parts} ${since ?? ''}${keys ?? ''}`), set];
  };
  assert.deepEqual((await next())[0], ['heads 1']);
  engine.version = 2;
  engine.rows = [
    kept,
    rowOf({ repo: 'b', commit: commitId('b') }),
    rowOf({ repo: 'c', publishedAt: 2 }),
    rowOf({ repo: 'd', isDefault: false }),
  ];
  const keys = ['b', 'c', 'd'].map((repo) => viewKey(repo, 'main'));
  assert.deepEqual(await next(), [
    ['heads 1', `facts ${keys}`],
    ['a: main a', 'b: main b', 'c: main a', 'd: main a'],
  ]);
  engine.version = 3;
  engine.rows = [kept];
  assert.deepEqual(await next(), [['heads 2'], ['a: main a']]);
});

test('a view that changed, and was deleted before its facts were read, is gone', async () => {
  let now = 0;
  const engine = engineOf([rowOf({ repo: 'a' }), rowOf({ repo: 'b' })]);
  const views = new FleetViews(engine, () => now);
  assert.deepEqual(shown(await views.fresh()), ['a: main a', 'b: main a']);
  engine.rows = [rowOf({ repo: 'a', commit: commitId('b') }), rowOf({ repo: 'b' })];
  engine.version = 2;
  const reading = engine.readViews.bind(engine);
  engine.readViews = async (request) => {
    const found = await reading(request);
    engine.rows = [rowOf({ repo: 'b' })];
    return found;
  };
  now = 10_000;
  assert.deepEqual(shown(await views.fresh()), ['b: main a']);
});

test('many views are read in parts, and a view that was deleted meanwhile is gone', async () => {
  const engine = engineOf(Array.from({ length: 65 }, (_, i) => rowOf({ repo: `r${i}` })));
  const reading = engine.readViews.bind(engine);
  engine.readViews = async (request) => {
    const found = await reading(request);
    return request.parts === 'heads' || found === null
      ? found
      : { ...found, views: found.views.map((row) => (row.repo === 'r7' ? { ...row, commit: '' } : row)) };
  };
  const set = await new FleetViews(engine, () => 0).fresh();
  assert.deepEqual([set.repositories.size, set.repositories.has('r7')], [64, false]);
  assert.deepEqual(
    engine.asked.map(({ keys }) => keys?.length),
    [undefined, 64, 1],
  );
});

test('after a publication that the server knows of, a check that began before it does not count', async () => {
  const engine = engineOf([rowOf({ repo: 'a' })]);
  let open = () => {};
  engine.gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const views = new FleetViews(engine, () => 0);
  const first = views.fresh();
  views.expire();
  const second = views.fresh();
  open();
  await Promise.all([first, second]);
  assert.equal(engine.asked.filter(({ parts }) => parts === 'heads').length, 2);
  await views.fresh();
  assert.equal(engine.asked.filter(({ parts }) => parts === 'heads').length, 2);
});

test('a store that fails is told once, and asked again by the next question', async () => {
  const engine = engineOf([rowOf({ repo: 'a' })]);
  const reading = engine.readViews.bind(engine);
  engine.readViews = async () => {
    throw new Error('gone');
  };
  const views = new FleetViews(engine, () => 0);
  await assert.rejects(views.fresh(), /gone/);
  engine.readViews = reading;
  assert.deepEqual(shown(await views.fresh()), ['a: main a']);
});

test('a view finds each of its units by its key, and none of others', async () => {
  for (const count of [0, 1, 2, 3, 33]) {
    const set = await new FleetViews(engineOf([rowOf({ repo: 'a' }, count)]), () => 0).fresh();
    const [view] = set.repositories.get('a') ?? [];
    const found = Array.from({ length: 40 }, (_, i) => view.find(keyIn('shop', numberedFile(i))));
    assert.deepEqual(
      found,
      found.map((_, i) => (i < count ? i : -1)),
    );
  }
});
