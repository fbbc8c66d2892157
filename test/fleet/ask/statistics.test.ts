/** Frequencies of terms over the views of a question: summed, weighted, read once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FleetStatistics } from '../../../fleet/src/ask/statistics.js';
import type { LiveView } from '../../../fleet/src/ask/views.js';
import type { ViewRequest, ViewRow } from '../../../fleet/src/contract.js';
import { viewKey } from '../../../fleet/src/keys.js';
import { encodeStats, type ViewStats } from '../../../fleet/src/view.js';

const stats = (count: number, body: number, df: Readonly<Record<string, number>>): ViewStats => ({
  count,
  averages: { body, name: 1, enclosing: 2, path: body / 2 },
  df: new Map(Object.entries(df)),
});

function engineOf(held: Readonly<Record<string, ViewStats | null>>) {
  const asked: (readonly string[])[] = [];
  return {
    asked,
    async readViews({ parts, keys = [] }: ViewRequest) {
      assert.equal(parts, 'stats');
      asked.push(keys);
      const rows = Object.entries(held)
        .filter(([repo]) => keys.includes(viewKey(repo, 'main')))
        .map(([repo, own]) => ({
          ...{ repo, ref: 'main', commit: own === null ? '' : 'c' },
          stats: own === null ? new Uint8Array(0) : encodeStats(own),
        }));
      return { version: '1', views: rows as unknown as ViewRow[] };
    },
  };
}

const views = (repos: readonly string[], commit = 'c') =>
  repos.map((repo) => ({ key: viewKey(repo, 'main'), repo, ref: 'main', commit }) as LiveView);

test('counts are summed over the views, and averages weigh as many as their view has chunks', async () => {
  const engine = engineOf({
    a: stats(10, 4, { cart: 3, care: 1 }),
    b: stats(30, 8, { cart: 2, total: 7 }),
    gone: null,
  });
  const found = await new FleetStatistics(engine).of(views(['a', 'b', 'gone', 'none']));
  assert.deepEqual(
    [found.count, found.averages, ['cart', 'care', 'total', 'ca', 'cartt', ''].map((term) => found.df(term))],
    [40, { body: 7, name: 1, enclosing: 2, path: 3.5 }, [5, 1, 7, 0, 0, 0]],
  );
  const none = await new FleetStatistics(engine).of([]);
  assert.deepEqual([none.count, none.averages.body, none.df('cart')], [0, 0, 0]);
});

test('every term of a view has its own count, whichever lies in the middle', async () => {
  const df = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`term${i}`, i + 2]));
  const found = await new FleetStatistics(engineOf({ a: stats(4_000_000, 1, { ...df, most: 3_000_000 }) })).of(
    views(['a']),
  );
  assert.deepEqual(
    Object.keys(df).map((term) => found.df(term)),
    Object.values(df),
  );
  assert.equal(found.df('most'), 2 ** 21 - 1);
});

test('the counts of a view are read once for each commit, and a full cache reads again', async () => {
  const engine = engineOf({ a: stats(1, 1, { cart: 1 }), b: stats(1, 1, { cart: 1 }) });
  const statistics = new FleetStatistics(engine);
  const size = async (of: readonly LiveView[]) => {
    engine.asked.length = 0;
    const { count } = await statistics.of(of);
    return [count, ...engine.asked.map(({ length }) => length)];
  };
  assert.deepEqual(await size(views(['a'])), [1, 1]);
  assert.deepEqual(await size(views(['a'])), [1]);
  assert.deepEqual(await size(views(['b', 'a'])), [2, 1]);
  assert.deepEqual(await size(views(['a'], 'next')), [1, 1]);
  const small = new FleetStatistics(engine, 10);
  assert.deepEqual([(await small.of(views(['a']))).count, (await small.of(views(['a']))).count], [1, 1]);
  assert.equal(engine.asked.length, 3);
});

test('of many views 64 are looked at, those with the lowest keys', async () => {
  const repos = Array.from({ length: 100 }, (_, i) => `r${i}`);
  const engine = engineOf(Object.fromEntries(repos.map((repo) => [repo, stats(1, 1, {})])));
  const { count } = await new FleetStatistics(engine).of(views(repos));
  const lowest = repos
    .map((repo) => viewKey(repo, 'main'))
    .sort()
    .slice(0, 64);
  assert.deepEqual([count, engine.asked], [64, [lowest]]);
});
