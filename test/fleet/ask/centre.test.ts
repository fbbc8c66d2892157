/** The mean of the chunks of some views, which is read once for each of their commits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FleetCentres } from '../../../fleet/src/ask/centre.js';
import { FleetUnits } from '../../../fleet/src/ask/units.js';
import type { LiveView } from '../../../fleet/src/ask/views.js';
import { viewKey } from '../../../fleet/src/keys.js';
import { decodeFacts } from '../../../fleet/src/view.js';
import { commitId, keyIn, numberedFile, storedUnit, viewOf } from '../made.js';

const STORED = [0, 1, 2].map((number) => storedUnit(numberedFile(number)));

function centres() {
  const asked: string[][] = [];
  const of = async (what: 'payload' | 'text', keys: readonly string[]) => {
    asked.push([...keys]);
    return new Map(
      STORED.filter(({ unit }) => keys.includes(unit.key)).map(({ record }) => [record.key, record[what]]),
    );
  };
  const units = new FleetUnits({ payloads: (keys) => of('payload', keys), texts: (keys) => of('text', keys) });
  return { asked, centres: new FleetCentres(units) };
}

/** A view of the branch of a repository, which has one file. */
function viewAt(repo: string, commit: string, number: number): LiveView {
  const { facts } = viewOf([numberedFile(number)], { repo, family: 'shop' });
  return { key: viewKey(repo, 'main'), commit, facts: decodeFacts(facts) } as LiveView;
}

test('a view that moved to another commit has the mean of what it holds now; the same views are read once', async () => {
  const { asked, centres: known } = centres();
  const [before, after] = [viewAt('shop', commitId('a'), 0), viewAt('shop', commitId('b'), 1)];
  const first = await known.of([before]);
  assert.deepEqual(await known.of([before]), first);
  assert.equal(asked.length, 1);
  const moved = await known.of([after]);
  assert.notDeepEqual(moved, first);
  assert.deepEqual(moved, await centres().centres.of([after]));
});

test('the order of views does not matter, and views that a reader may not see count nothing', async () => {
  const { centres: known } = centres();
  const [one, other] = [viewAt('one', commitId('a'), 0), viewAt('other', commitId('a'), 2)];
  const both = await known.of([one, other]);
  assert.deepEqual(await known.of([other, one]), both);
  assert.notDeepEqual(await known.of([one]), both);
  assert.deepEqual(await known.of([one]), await centres().centres.of([one]));
});

test('the sample of a view with many files has those of the lowest keys, wherever they lie', async () => {
  const files = Array.from({ length: 160 }, (_, number) => numberedFile(number));
  const asked: string[] = [];
  const open = async (keys: readonly string[]) => {
    asked.push(...keys);
    return new Map();
  };
  const { facts } = viewOf(files);
  const view = { key: viewKey('shop', 'main'), commit: commitId('a'), facts: decodeFacts(facts) } as LiveView;
  await new FleetCentres({ open }).of([view]);
  const keys = files.map((file) => keyIn('shop', file));
  assert.notDeepEqual([...keys].sort(), keys);
  assert.deepEqual(asked, [...keys].sort().slice(0, 128));
});
