/** How ranks, stages and the command line are read. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Dataset } from '../../model/train/dataset/read.js';
import { bm25Scores } from '../../model/train/measure/bm25.js';
import { reciprocalRanks } from '../../model/train/measure/rank.js';
import { readOptions } from '../../model/train/options.js';
import { TRAINING } from '../../model/train/recipe.js';
import { runStages, STAGES, type Stage, type StageName } from '../../model/train/stages.js';

const hashes = (...hash: number[]) => ({ hash: Uint32Array.from(hash) }) as Dataset;

test('ranks: ties count half, pairs that are the same text not at all', () => {
  const different = hashes(1, 2, 3, 4, 5, 6);
  assert.equal(reciprocalRanks([9, 1, 1, 1, 9, 1, 1, 1, 9], [0, 1, 2], different), 3);
  assert.equal(reciprocalRanks(new Float64Array(9), [0, 1, 2], different), 3 / 2);
  assert.equal(reciprocalRanks([1, 2, 3, 0, 9, 0, 0, 0, 9], [0, 1, 2], different), 1 / 3 + 1 + 1);
  const sameCode = hashes(1, 2, 3, 2, 5, 6);
  assert.equal(reciprocalRanks([1, 2, 3, 0, 9, 0, 0, 0, 9], [0, 1, 2], sameCode), 1 / 2 + 2);
});

test('BM25 prefers rare words and short texts', () => {
  // Queries: term 7; term 8. Codes: 7 and 8; 8 and a long rest.
  const dataset = {
    termStart: Uint32Array.of(0, 1, 3, 4, 6),
    term: Uint32Array.of(7, 7, 8, 8, 8, 9),
    termCount: Uint8Array.of(1, 1, 1, 1, 1, 20),
  } as Dataset;
  const [first, , both, long] = bm25Scores(dataset, [0, 1]);
  assert.ok(first > both && both > long && long > 0);
});

test('a stage runs if its settings, its inputs or the stage before it changed, or on request', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'stages-'));
  const input = join(cache, 'input');
  writeFileSync(input, '');
  const stages = (settings = 1): Stage[] =>
    STAGES.map((name) => ({
      ...{ name, inputs: name === 'fetch' ? [input] : [], outputs: [join(cache, name)] },
      settings: name === 'dataset' ? settings : null,
      run: () => writeFileSync(join(cache, name), ''),
    }));
  const age = (path: string, seconds: number) => {
    const time = Date.now() / 1_000 + seconds;
    utimesSync(path, time, time);
  };
  const ageAll = () => {
    age(input, -100);
    for (const [i, name] of STAGES.entries()) age(join(cache, 'stages', `${name}.json`), i - 90);
  };
  const run = (from: StageName | null = null, settings = 1, to: StageName = 'export') =>
    runStages(stages(settings), { cache, from, to });
  try {
    assert.deepEqual(await run(null, 1, 'pairs'), ['fetch', 'pairs']);
    assert.deepEqual(await run(), ['dataset', 'train', 'export']);
    ageAll();
    assert.deepEqual(await run(), []);
    assert.deepEqual(await run('train'), ['train', 'export']);
    ageAll();
    assert.deepEqual(await run(null, 2), ['dataset', 'train', 'export']);
    ageAll();
    age(input, 0);
    assert.deepEqual(await run(null, 2), [...STAGES]);
    ageAll();
    rmSync(join(cache, 'export'));
    assert.deepEqual(await run(null, 2), ['export']);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
});

test('the command line: defaults are the recipe, mistakes are told with the usage', () => {
  const { training, from, to } = readOptions(['--cache', 'x']);
  assert.deepEqual({ training, from, to }, { training: TRAINING, from: null, to: 'export' });
  const options = readOptions([
    '--cache',
    'x',
    '--seed',
    '7',
    '--kind',
    'path=0.5',
    '--words',
    '100',
    '--from',
    'train',
  ]);
  assert.deepEqual(
    [options.training.seed, options.training.kinds.path, options.training.kinds.doc, options.vocabulary.words],
    [7, 0.5, TRAINING.kinds.doc, 100],
  );
  assert.equal(options.from, 'train');
  const wrong = [
    [],
    ['--cache', 'x', '--seed', 'y'],
    ['--cache', 'x', '--from', 'nowhere'],
    ['--cache', 'x', '--what'],
  ];
  for (const args of [...wrong, ['--cache', 'x', '--kind', 'foo=1']])
    assert.throws(() => readOptions(args), /usage: npm run train/);
});
