/** How often an engine is asked until enough of its units belong to the views of a question. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinct, type LiveUnit, liveCandidates } from '../../../fleet/src/ask/candidates.js';
import type { LiveView } from '../../../fleet/src/ask/views.js';
import type { CandidateRequest } from '../../../fleet/src/contract.js';

/** A view that has the units whose numbers fit, as files of half that number. */
const viewOf = (key: string, family: string, fits: (number: number) => boolean): LiveView =>
  ({ key, family, find: (unit: string) => (fits(Number(unit)) ? Number(unit) >> 1 : -1) }) as LiveView;

/** Units `0`, `1`, … of one family: by words in this order, by vectors the other way round. */
function engineOf(words: number, vectors: number, family = 'f') {
  const asked: CandidateRequest[] = [];
  const unit = (number: number) => ({ key: String(number), family, score: 1 });
  return {
    asked,
    async candidates(request: CandidateRequest) {
      asked.push(request);
      const { count } = request;
      return {
        words: Array.from({ length: Math.min(count, words) }, (_, i) => unit(i)),
        vectors: Array.from({ length: Math.min(count, vectors) }, (_, i) => unit(vectors - 1 - i)),
      };
    },
  };
}

const QUERY = { terms: ['a'], vector: null };
const all = () => true;
const even = (number: number) => number % 2 === 0;
const keys = (units: readonly LiveUnit[]) => units.map(({ key, view }) => `${key}${view.key}`);

test('one view gets 200 units of each list, and many get 100, the first ones, each once', async () => {
  const one = engineOf(500, 0);
  const found = await liveCandidates(one, QUERY, { views: [viewOf('v', 'f', all)], isWhole: false, accepts: all });
  assert.deepEqual([found.length, found[0].key, found[199].key, found[3].file], [200, '0', '199', 1]);
  assert.deepEqual(
    one.asked.map(({ count, families, terms }) => [count, families, terms]),
    [[200, ['f'], ['a']]],
  );
  const views = [viewOf('v', 'f', all), viewOf('w', 'g', all), viewOf('x', 'f', () => false)];
  const many = engineOf(500, 500);
  const both = await liveCandidates(many, QUERY, { views, isWhole: true, accepts: all });
  assert.equal(both.length, 200);
  assert.deepEqual(keys(both).slice(98, 102), ['98v', '99v', '499v', '498v']);
  assert.deepEqual(
    many.asked.map(({ count, families }) => [count, families]),
    [[100, null]],
  );
  const few = engineOf(3, 3);
  const once = await liveCandidates(few, QUERY, { views: [views[0]], isWhole: false, accepts: all });
  assert.deepEqual(keys(once), ['0v', '1v', '2v']);
});

test('if few are in the views, the engine is asked for more, as many as their share suggests', async () => {
  const counts = async (fits: (number: number) => boolean, size: number, accepts: (file: number) => boolean = all) => {
    const engine = engineOf(size, 0);
    const found = await liveCandidates(engine, QUERY, {
      ...{ views: [viewOf('v', 'f', fits)], isWhole: false },
      accepts: (_, file) => accepts(file),
    });
    return [found.length, ...engine.asked.map(({ count }) => count)];
  };
  assert.deepEqual(await counts(even, 5_000), [200, 200, 480]);
  assert.deepEqual(await counts((number) => number % 10 === 0, 5_000), [200, 200, 2_400]);
  assert.deepEqual(await counts((number) => number % 100 === 0, 9_000), [32, 200, 3_200], 'no more than 3200');
  assert.deepEqual(await counts(even, 150), [75, 200], 'a list that is shorter has no more');
  assert.deepEqual(await counts((number) => number >= 100, 5_000), [200, 200, 480], 'twice as many at least');
  assert.deepEqual(await counts(all, 5_000, (file) => file % 2 === 0), [200, 200, 480]);
});

test('without a view the engine is not asked, and a unit counts for every view that has it', async () => {
  const engine = engineOf(4, 0);
  assert.deepEqual(await liveCandidates(engine, QUERY, { views: [], isWhole: true, accepts: all }), []);
  assert.equal(engine.asked.length, 0);
  const views = [viewOf('v', 'f', all), viewOf('w', 'f', even), viewOf('x', 'g', all)];
  const found = await liveCandidates(engine, QUERY, { views, isWhole: false, accepts: (view) => view.key !== 'x' });
  assert.deepEqual(keys(found), ['0v', '0w', '1v', '2v', '2w', '3v']);
  assert.deepEqual(engine.asked[0].families, ['f', 'g']);
  const [first, second] = found;
  assert.deepEqual(keys(distinct([first, second, first])), ['0v', '0w']);
});
