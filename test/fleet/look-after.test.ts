/** Checks of a store, and repositories that are removed from it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agesAt } from '../../fleet/src/collect.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { checkFleet, dropRepository } from '../../fleet/src/look-after.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { commitId, keyIn, numberedFile, PROFILE, storedUnit, uploadOf, viewOf } from './made.js';

const [ONE, TWO] = [numberedFile(1), numberedFile(2)];

async function publishedStore(...views: readonly Parameters<typeof viewOf>[]): Promise<MemoryEngine> {
  const engine = new MemoryEngine(PROFILE);
  const intake = new FleetIntake(engine);
  for (const [files, about] of views) {
    const view = viewOf(files, about);
    await intake.units({ ...view, units: files.map(uploadOf) });
    assert.deepEqual(await intake.view(view), { outcome: 'published' });
  }
  return engine;
}

test('each view with an absent or damaged content is named, with how many; a deleted branch is none', async () => {
  const engine = await publishedStore(
    [[ONE, TWO], { repo: 'shop' }],
    [[TWO], { repo: 'shop', ref: 'other' }],
    [[ONE], { repo: 'bank' }],
  );
  assert.deepEqual(await checkFleet(engine), { checked: 3, damaged: [], faults: [] });
  const record = storedUnit(ONE, 'shop').record;
  await engine.append([], [{ ...record, payload: record.payload.slice(0, -1) }]);
  await engine.remove({ units: [keyIn('bank', ONE)] });
  const { damaged, checked } = await checkFleet(engine);
  assert.equal(checked, 3);
  assert.deepEqual(
    damaged.map(({ repo, ref, problem }) => [repo, ref, problem.replace(/(?<=contents: ).*(absent|damaged).*/, '$1')]),
    [
      ['bank', 'main', '1 of 1 contents: absent'],
      ['shop', 'main', '1 of 2 contents: damaged'],
    ],
  );
  const text = storedUnit(TWO, 'shop').record;
  await engine.append([], [{ ...text, text: text.text.slice(0, -1) }]);
  assert.deepEqual(
    (await checkFleet(engine)).damaged.map(({ ref }) => ref),
    ['main', 'main', 'other'],
  );
});

test('a view whose own bytes are damaged is named; without a list of views nothing else is looked for', async () => {
  const engine = await publishedStore([[ONE], { repo: 'shop' }]);
  const view = (await engine.readViews({ parts: 'all' }))?.views[0] ?? assert.fail();
  for (const part of ['facts', 'stats', 'links'] as const) {
    const previous = ((await engine.readViews({ parts: 'heads' }))?.views[0] ?? assert.fail()).commit;
    const commit = commitId({ facts: 'b', stats: 'c', links: 'd' }[part]);
    await engine.swapView({ ...view, commit, previous, [part]: new Uint8Array([1, 2, 3]) });
    assert.deepEqual(
      (await checkFleet(engine)).damaged.map(({ repo, ref }) => `${repo} ${ref}`),
      ['shop main'],
      part,
    );
  }
  engine.verify = async () => ['view: it cannot be read'];
  assert.deepEqual(await checkFleet(engine), { checked: 0, damaged: [], faults: ['view: it cannot be read'] });
  engine.verify = async () => ['unit: a row is damaged'];
  const { faults, damaged } = await checkFleet(engine);
  assert.deepEqual([faults, damaged.length], [['unit: a row is damaged'], 1]);
  await engine.swapView({ ...view, commit: '', previous: commitId('d'), facts: new Uint8Array([1]) });
  assert.equal((await checkFleet(engine)).damaged.length, 0, 'of a deleted branch nothing is read');
});

test('a repository goes with its contents, unless another one of its family may need them', async () => {
  const engine = await publishedStore(
    [[ONE], { repo: 'shop', family: 'all' }],
    [[ONE], { repo: 'shop', family: 'all', ref: 'next' }],
    [[ONE], { repo: 'fork', family: 'all' }],
    [[TWO], { repo: 'bank' }],
  );
  const left = async () => (await engine.readViews({ parts: 'heads' }))?.views.map(({ repo, ref }) => `${repo} ${ref}`);
  await assert.rejects(dropRepository(engine, 'none'), {
    code: 'BAD_ARGUMENT',
    message: 'the fleet has no repository none',
  });
  assert.equal(await dropRepository(engine, 'shop'), 2);
  assert.deepEqual(await left(), ['bank main', 'fork main']);
  assert.deepEqual(await engine.missing([keyIn('all', ONE)]), [], 'the fork still needs it');
  assert.equal(await dropRepository(engine, 'fork'), 1);
  assert.deepEqual(await engine.missing([keyIn('all', ONE), keyIn('bank', TWO)]), [keyIn('all', ONE)]);
  assert.deepEqual(await left(), ['bank main']);
});

test('contents that nothing names stay a day, and older versions of tables a quarter of an hour', () => {
  assert.deepEqual(agesAt(100_000), { orphansBefore: 13_600, versionsBefore: 99_100 });
});
