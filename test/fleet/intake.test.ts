/** What a fleet takes from publishers: units that it lacks, and views whose units it has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FleetIntake } from '../../fleet/src/intake.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { commitId, keyIn, numberedFile, PROFILE, uploadOf, viewOf } from './made.js';

const FILES = [0, 1].map(numberedFile);
const KEYS = FILES.map((file) => keyIn('shop', file));

async function published() {
  const engine = new MemoryEngine(PROFILE);
  const intake = new FleetIntake(engine, { now: () => 1_700_000_000_999 });
  await intake.units({ ...viewOf(FILES), units: FILES.map(uploadOf) });
  return { engine, intake };
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    ({ code }) => code,
  );

test('a plan tells what is published and which units the fleet lacks, in the order of the request', async () => {
  const { intake } = await published();
  const other = keyIn('shop', numberedFile(7));
  const plan = (keys: readonly string[]) => intake.plan({ ...viewOf(FILES), keys });
  assert.deepEqual(await plan([other, ...KEYS]), { previous: '', missing: [other] });
  await intake.view(viewOf(FILES));
  assert.deepEqual(await plan(KEYS), { previous: commitId('a'), missing: [] });
  assert.deepEqual((await intake.plan({ ...viewOf(FILES), ref: 'dev', keys: [] })).previous, '');
});

test('units are stored once, whether they come twice in a batch or were there, with or without texts', async () => {
  const { engine, intake } = await published();
  const units = [FILES[0], numberedFile(5), numberedFile(5)].map(uploadOf);
  assert.deepEqual(await intake.units({ ...viewOf([]), units }), { stored: 1 });
  assert.deepEqual(await intake.units({ ...viewOf([]), units }), { stored: 0 });
  const key = keyIn('shop', numberedFile(5));
  assert.equal((await engine.records([key])).get(key)?.addedAt, 1_700_000_000);
  assert.equal((await engine.texts([key])).size, 1);
  const bare = new MemoryEngine(PROFILE);
  await new FleetIntake(bare, { keepsText: false }).units({ ...viewOf([]), units });
  assert.equal((await bare.texts([key])).get(key)?.length ?? 0, 0);
});

test('a view is published if its units are there and the commit before it is the published one', async () => {
  const { engine, intake } = await published();
  const lacking = keyIn('shop', numberedFile(9));
  assert.deepEqual(await intake.view(viewOf([...FILES, numberedFile(9)])), {
    outcome: 'incomplete',
    missing: [lacking],
  });
  assert.deepEqual(await intake.view(viewOf(FILES)), { outcome: 'published' });
  const next = viewOf(FILES, { commit: commitId('b'), previous: commitId('c') });
  assert.deepEqual(await intake.view(next), { outcome: 'moved', commit: commitId('a') });
  assert.deepEqual(await intake.view({ ...next, previous: commitId('a') }), { outcome: 'published' });
  const heads = async () =>
    (await intake.refs(viewOf([]))).map(({ ref, commit, publishedAt }) => `${ref} ${commit[0]} ${publishedAt}`);
  assert.deepEqual(await heads(), ['main b 1700000000']);
  const gone = viewOf(FILES, { commit: '', previous: commitId('b') });
  assert.deepEqual(await intake.view(gone), { outcome: 'published' });
  assert.deepEqual(await heads(), [], 'a deleted branch is none');
  const rows = (await engine.readViews({ parts: 'all' }))?.views ?? [];
  assert.deepEqual(
    rows.map(({ facts, stats, links }) => [facts.length, stats.length, links.length]),
    [[0, 0, 0]],
  );
});

test('a view whose units were collected between the plan and its publication is incomplete, and names them', async () => {
  const { engine, intake } = await published();
  const [missing, swapView] = [engine.missing.bind(engine), engine.swapView.bind(engine)];
  let isCollected = false;
  engine.missing = async (keys) => (isCollected ? [KEYS[1]] : missing(keys));
  engine.swapView = async (row) => {
    isCollected = true;
    return swapView(row);
  };
  assert.deepEqual(await intake.view(viewOf(FILES)), { outcome: 'incomplete', missing: [KEYS[1]] });
});

test('as many commits are kept as were asked for, and none of a deleted branch', async () => {
  const { intake } = await published();
  const kept = async () => (await intake.refs(viewOf([]))).map(({ ref }) => ref).sort();
  await intake.view(viewOf(FILES, { keep: 0 }));
  assert.deepEqual(await kept(), ['main']);
  await intake.view(viewOf(FILES, { commit: commitId('b'), previous: commitId('a'), keep: 2 }));
  assert.deepEqual(await kept(), ['main', `main@{${'b'.repeat(12)}}`]);
  await intake.view(viewOf(FILES, { commit: '', previous: commitId('b'), keep: 2 }));
  assert.deepEqual(await kept(), [`main@{${'b'.repeat(12)}}`]);
});

test('other profiles, names, ids and damaged views are refused, and nothing is stored', async () => {
  const { intake } = await published();
  const view = viewOf(FILES);
  const codes = await Promise.all(
    [
      intake.view({ ...view, profile: 'other' }),
      intake.plan({ ...view, keys: [], profile: 'other' }),
      intake.units({ ...view, units: [], profile: 'other' }),
      intake.refs({ ...view, profile: 'other' }),
      intake.view({ ...view, repo: '' }),
      intake.view({ ...view, family: ' a' }),
      intake.view({ ...view, ref: 'a\nb' }),
      intake.view({ ...view, commit: 'main' }),
      intake.view({ ...view, previous: commitId('a').slice(1) }),
      intake.view({ ...view, tree: 'A'.repeat(40) }),
      intake.view({ ...view, facts: Uint8Array.of(1) }),
      intake.view({ ...view, stats: Uint8Array.of(1) }),
      intake.view({ ...view, links: Uint8Array.of(1) }),
    ].map(codeOf),
  );
  assert.deepEqual(codes, [...Array(4).fill('FLEET_PROFILE'), ...Array(9).fill('BAD_ARGUMENT')]);
  assert.deepEqual(await intake.refs(view), []);
  assert.deepEqual(await intake.view({ ...view, tree: 'a'.repeat(64) }), { outcome: 'published' });
});
