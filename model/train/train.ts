/**
 * Trains the built-in model: DIR/dataset.bin to DIR/weights.bin, and, with --out, to the file that is shipped.
 *
 *   node build/model/train/train.js --cache DIR [--out model/builtin.bin] [--dimensions 256] [--epochs 3] [--seed 1]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { argument } from './arguments.js';
import { type Dataset, readDataset } from './data.js';
import { SPLITS } from './dataset-format.js';
import { Evaluator } from './evaluate.js';
import { encodeModel } from './export.js';
import type { LaneData, TrainOptions } from './lane.js';
import { Random } from './random.js';

/** Batches per step, each in a thread of its own. Part of the recipe: another number gives another model. */
const LANES = 2;
/** Pairs of one package that stand together in a batch, as each other's hard negatives. */
const GROUP = 64;
const INITIAL_SCALE = 0.05;
const INITIAL_SQUARES = 1e-6;

const cache = argument('cache');
const seed = Number(argument('seed', '1'));
const epochs = Number(argument('epochs', '3'));
const random = new Random(seed);

function sharedFloats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(length * 4));
}

/** Pairs of an epoch: groups of one package each, in random order. */
function epochOrder(dataset: Dataset): number[] {
  const byPackage = dataset.meta.packages.map((): number[] => []);
  for (let pair = 0; pair < dataset.kind.length; pair++) {
    const empty = dataset.start[2 * pair + 1] === dataset.start[2 * pair];
    const emptyCode = dataset.start[2 * pair + 2] === dataset.start[2 * pair + 1];
    if (dataset.split[pair] === SPLITS.indexOf('train') && !empty && !emptyCode)
      byPackage[dataset.pack[pair]].push(pair);
  }
  const groups: number[][] = [];
  for (const pairs of byPackage) {
    random.shuffle(pairs);
    for (let at = 0; at < pairs.length; at += GROUP) groups.push(pairs.slice(at, at + GROUP));
  }
  return random.shuffle(groups).flat();
}

function startLanes(dataset: Dataset, options: TrainOptions, pairs: number) {
  const size = dataset.meta.words.length * options.dimensions;
  const weights = sharedFloats(size);
  for (let i = 0; i < size; i++) weights[i] = INITIAL_SCALE * random.normal();
  const shared: Omit<LaneData, 'lane'> = {
    lanes: LANES,
    dataset,
    options,
    weights,
    squares: sharedFloats(size).fill(INITIAL_SQUARES),
    gradients: Array.from({ length: LANES }, () => sharedFloats(size)),
    touched: Array.from({ length: LANES }, () => new Uint8Array(new SharedArrayBuffer(dataset.meta.words.length))),
    order: new Int32Array(new SharedArrayBuffer(pairs * 4)),
    barrier: new Int32Array(new SharedArrayBuffer(8)),
  };
  const workers = Array.from(
    { length: LANES },
    (_, lane) => new Worker(new URL('./lane.js', import.meta.url), { workerData: { ...shared, lane } }),
  );
  return { ...shared, workers };
}

/** Runs some steps in every lane; the mean loss. */
async function runSteps(workers: readonly Worker[], from: number, steps: number): Promise<number> {
  const losses = workers.map(
    (worker) =>
      new Promise<number>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
        worker.postMessage({ from, steps });
      }),
  );
  const sum = (await Promise.all(losses)).reduce((a, b) => a + b, 0);
  for (const worker of workers) worker.removeAllListeners('error');
  return sum / workers.length;
}

async function main(): Promise<void> {
  const started = performance.now();
  const dataset = readDataset(join(cache, 'dataset.bin'));
  const dimensions = Number(argument('dimensions', '256'));
  const batch = Number(argument('batch', '512'));
  const orders = Array.from({ length: epochs }, () => epochOrder(dataset));
  const perEpoch = Math.floor(orders[0].length / (batch * LANES));
  const options: TrainOptions = {
    dimensions,
    batch,
    temperature: Number(argument('temperature', '0.06')),
    rate: Number(argument('rate', '0.05')),
    steps: perEpoch * epochs,
  };
  const run = startLanes(dataset, options, orders[0].length);
  const evaluator = await Evaluator.create(dataset);
  let best = { mrr: -1, weights: run.weights.slice() };
  for (const [epoch, order] of orders.entries()) {
    run.order.set(order);
    const loss = await runSteps(run.workers, epoch * perEpoch, perEpoch);
    const [file, unseen] = ['file', 'package'].map((split) =>
      evaluator.mrr(run.weights, dimensions, 'doc', SPLITS.indexOf(split as (typeof SPLITS)[number])),
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `epoch ${epoch + 1}: loss ${loss.toFixed(3)}, MRR file ${file?.toFixed(4)}, package ${unseen?.toFixed(4)}, ${seconds} s`,
    );
    if ((unseen ?? file ?? 0) > best.mrr) best = { mrr: unseen ?? file ?? 0, weights: run.weights.slice() };
  }
  await Promise.all(run.workers.map((worker) => worker.terminate()));
  writeFileSync(join(cache, argument('weights', 'weights.bin')), best.weights);
  const out = argument('out', '');
  if (out !== '') writeFileSync(out, encodeModel(dataset.meta.words, best.weights, dimensions));
}

await main();
