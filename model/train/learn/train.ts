/** Trains one float row per word from a dataset. Equal datasets and settings give equal bytes. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Dataset } from '../dataset/read.js';
import type { TrainingSettings } from '../recipe.js';
import { epochOrder } from './epochs.js';
import type { LaneData, LaneJob } from './lane.js';
import { Random } from './random.js';

export interface Training {
  /** Weights, words x dimensions. */
  weights: Float32Array;
  /** Mean loss by epoch. */
  losses: number[];
}

/** Called after each epoch with the weights so far, which must not be changed. */
export type EpochListener = (epoch: number, loss: number, weights: Float32Array) => void;

export async function train(
  dataset: Dataset,
  settings: TrainingSettings,
  listener: EpochListener = () => {},
): Promise<Training> {
  const random = new Random(settings.seed);
  const weights = initialWeights(dataset.meta.words.length * settings.dimensions, settings, random);
  const orders = Array.from({ length: settings.epochs }, () => epochOrder(dataset, settings, random));
  // Pairs that do not fill a step are skipped; the next epoch has another order.
  const perStep = settings.batch * settings.lanes;
  const steps = orders.map((order) => Math.floor(order.length / perStep));
  if (steps.includes(0)) throw new Error(`fewer than ${perStep} training pairs: too few for one step`);
  const lanes = startLanes(dataset, settings, weights, {
    steps: steps.reduce((a, b) => a + b, 0),
    longest: Math.max(...orders.map((order) => order.length)),
  });
  const losses: number[] = [];
  try {
    for (const [epoch, order] of orders.entries()) {
      lanes.order.set(order);
      const from = steps.slice(0, epoch).reduce((a, b) => a + b, 0);
      losses.push(await runSteps(lanes.workers, { from, steps: steps[epoch] }));
      listener(epoch, losses[epoch], weights);
    }
  } finally {
    await Promise.all(lanes.workers.map((worker) => worker.terminate()));
  }
  return { weights, losses };
}

/** Initial weights: normal noise. */
export function initialWeights(size: number, settings: TrainingSettings, random: Random): Float32Array {
  const weights = sharedFloats(size);
  for (let i = 0; i < size; i++) weights[i] = settings.initialScale * random.normal();
  return weights;
}

function startLanes(
  dataset: Dataset,
  settings: TrainingSettings,
  weights: Float32Array,
  { steps, longest }: { steps: number; longest: number },
) {
  const { lanes, dimensions, batch, temperature, rate } = settings;
  const words = dataset.meta.words.length;
  const forEachLane = <T>(make: (lane: number) => T): T[] => Array.from({ length: lanes }, (_, lane) => make(lane));
  const shared: Omit<LaneData, 'lane'> = {
    options: { lanes, dimensions, batch, temperature, rate, steps },
    dataset,
    weights,
    squares: sharedFloats(weights.length).fill(settings.initialSquares),
    gradients: forEachLane(() => sharedFloats(weights.length)),
    touched: forEachLane(() => new Uint8Array(new SharedArrayBuffer(words))),
    order: new Int32Array(new SharedArrayBuffer(longest * 4)),
    barrier: new Int32Array(new SharedArrayBuffer(8)),
  };
  const workers = forEachLane(
    (lane) => new Worker(new URL('./lane.js', import.meta.url), { workerData: { ...shared, lane } }),
  );
  return { order: shared.order, workers };
}

function sharedFloats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(length * 4));
}

/** Runs some steps in every lane. Returns the mean loss. */
async function runSteps(workers: readonly Worker[], job: LaneJob): Promise<number> {
  const losses = workers.map(async (worker) => {
    const answer = once(worker, 'message');
    worker.postMessage(job);
    const [loss] = await answer;
    return loss as number;
  });
  const sum = (await Promise.all(losses)).reduce((a, b) => a + b, 0);
  return sum / workers.length;
}
