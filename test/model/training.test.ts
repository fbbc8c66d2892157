/** The whole way from pairs to a model file, on a toy language. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SPLITS } from '../../model/train/dataset/format.js';
import { epochOrder } from '../../model/train/learn/epochs.js';
import { encodeModel } from '../../model/train/learn/export.js';
import { Random } from '../../model/train/learn/random.js';
import { initialWeights, train } from '../../model/train/learn/train.js';
import { Evaluator, vectorsOfWeights } from '../../model/train/measure/evaluate.js';
import { measure } from '../../model/train/measure/metrics.js';
import { VOCABULARY } from '../../model/train/recipe.js';
import { TOY, toyDataset } from './toy.js';

const folder = mkdtempSync(join(tmpdir(), 'toy-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const dataset = toyDataset(folder);
const { words } = dataset.meta;

test('the same seed gives the same bytes, another seed others, and the model learns', async () => {
  const once = await train(dataset, TOY);
  const twice = await train(dataset, TOY);
  const other = await train(dataset, { ...TOY, seed: 2 });
  const file = encodeModel(words, once.weights, TOY.dimensions);
  assert.ok(file.equals(encodeModel(words, twice.weights, TOY.dimensions)));
  assert.deepEqual(once.losses, twice.losses);
  assert.ok(!file.equals(encodeModel(words, other.weights, TOY.dimensions)));

  const evaluator = await Evaluator.create(dataset);
  const rounds = evaluator.rounds('doc', 'file');
  assert.ok(rounds.length === 1 && rounds[0].length >= 200);
  const mrr = (weights: Float32Array) => {
    const vectors = vectorsOfWeights(dataset, weights, TOY.dimensions);
    return evaluator.mrr(rounds, (round) => evaluator.scores(vectors, TOY.dimensions, round)) ?? 0;
  };
  const chance = rounds[0].reduce((sum, _, i) => sum + 1 / (i + 1), 0) / rounds[0].length;
  const untrained = mrr(initialWeights(words.length * TOY.dimensions, TOY, new Random(1)));
  assert.ok(untrained < 3 * chance, `untrained ${untrained}, chance ${chance}`);
  for (const { weights } of [once, other]) assert.ok(mrr(weights) > 10 * chance, `${mrr(weights)}, chance ${chance}`);
  assert.ok(once.losses[TOY.epochs - 1] < once.losses[0] / 2, `${once.losses}`);

  const run = { vocabulary: VOCABULARY, training: TOY, seconds: 1, losses: once.losses };
  const { scores } = await measure(dataset, file, run);
  const score = scores.file.doc;
  assert.ok(score !== undefined && Math.abs(score.model - mrr(once.weights)) < 0.02, 'int8 does as well as float');
  assert.ok(score.bm25 < 3 * chance, 'query and code share no word');
  assert.deepEqual(scores.package, {});
});

test('an epoch has every training pair once, in groups of one package, and no held-out pair', () => {
  const order = epochOrder(dataset, TOY, new Random(3));
  const trained = [...dataset.split.keys()].filter((pair) => SPLITS[dataset.split[pair]] === 'train');
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    trained,
  );
  const packages = order.map((pair) => dataset.pack[pair]);
  const changes = packages.filter((pack, i) => i > 0 && pack !== packages[i - 1]).length;
  assert.ok(changes <= order.length / TOY.group + dataset.meta.packages.length, `${changes}`);
});

test('kinds are drawn by their share, packages are capped', () => {
  const half = epochOrder(dataset, { ...TOY, kinds: { ...TOY.kinds, doc: 0.5 } }, new Random(3)).length;
  const all = epochOrder(dataset, TOY, new Random(3)).length;
  assert.ok(half > 0.4 * all && half < 0.6 * all);
  assert.equal(epochOrder(dataset, { ...TOY, kinds: { ...TOY.kinds, doc: 0 } }, new Random(3)).length, 0);
  assert.equal(
    epochOrder(dataset, { ...TOY, perPackage: 10 }, new Random(3)).length,
    10 * dataset.meta.packages.length,
  );
});

test('too few pairs for a single step are an error', async () => {
  await assert.rejects(train(dataset, { ...TOY, batch: 4_096 }), /too few/);
});
