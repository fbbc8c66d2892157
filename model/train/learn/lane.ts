/**
 * One worker thread. Per step, each lane computes the gradient of its own batch; then each updates its share of the
 * rows with the gradients of all lanes, in the order of the lanes: the result does not depend on which was faster.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Dataset } from '../dataset/read.js';
import { InfoNce } from './info-nce.js';
import { poolSide, ROOTS } from './pooling.js';

export interface LaneData {
  lane: number;
  options: LaneOptions;
  dataset: Dataset;
  /** rows x dimensions, the model. */
  weights: Float32Array;
  /** Sums of squared gradients (Adagrad), rows x dimensions. */
  squares: Float32Array;
  /** Gradients of this step, lanes x rows x dimensions. */
  gradients: Float32Array[];
  /** Marks of the rows with a gradient, lanes x rows. */
  touched: Uint8Array[];
  /** Pair numbers of an epoch: for each step, lanes x batch. */
  order: Int32Array;
  /** [arrived, generation] of the barrier. */
  barrier: Int32Array;
}

export interface LaneOptions {
  lanes: number;
  dimensions: number;
  batch: number;
  temperature: number;
  rate: number;
  /** Steps of the whole training, for the decay of the rate. */
  steps: number;
}

/** Request to a lane, which answers with its mean loss. */
export interface LaneJob {
  /** Number of the first step. */
  from: number;
  steps: number;
}

const data = workerData as LaneData;
const { lane, dataset, options, weights, squares, gradients, touched, barrier } = data;
const { lanes, dimensions, batch } = options;
const nce = await InfoNce.create(batch, dimensions, options.temperature);
const lengths = { query: new Float64Array(batch), code: new Float64Array(batch) };
const queryHash = new Uint32Array(batch);
const codeHash = new Uint32Array(batch);

/** Waits until every lane is here. */
function meet(): void {
  const generation = Atomics.load(barrier, 1);
  if (Atomics.add(barrier, 0, 1) === lanes - 1) {
    Atomics.store(barrier, 0, 0);
    Atomics.add(barrier, 1, 1);
    Atomics.notify(barrier, 1);
  } else while (Atomics.load(barrier, 1) === generation) Atomics.wait(barrier, 1, generation);
}

/** Sends the gradient by a unit vector back through its normalisation and sum to the rows. */
function spread(side: number, unit: Float32Array, gradient: Float32Array, at: number, length: number): void {
  const { start, row, count } = dataset;
  const mine = gradients[lane];
  let along = 0;
  for (let d = 0; d < dimensions; d++) along += gradient[at + d] * unit[at + d];
  for (let d = 0; d < dimensions; d++) gradient[at + d] = (gradient[at + d] - unit[at + d] * along) / length;
  for (let t = start[side]; t < start[side + 1]; t++) {
    const weight = ROOTS[count[t]];
    const base = row[t] * dimensions;
    touched[lane][row[t]] = 1;
    for (let d = 0; d < dimensions; d++) mine[base + d] += weight * gradient[at + d];
  }
}

function runBatch(pairs: Int32Array): number {
  const rows = { weights, dimensions };
  for (const [i, pair] of pairs.entries()) {
    lengths.query[i] = poolSide(dataset, rows, 2 * pair, nce.query, i * dimensions);
    lengths.code[i] = poolSide(dataset, rows, 2 * pair + 1, nce.code, i * dimensions);
    queryHash[i] = dataset.hash[2 * pair];
    codeHash[i] = dataset.hash[2 * pair + 1];
  }
  const loss = nce.run(queryHash, codeHash);
  for (const [i, pair] of pairs.entries()) {
    spread(2 * pair, nce.query, nce.queryGradient, i * dimensions, lengths.query[i]);
    spread(2 * pair + 1, nce.code, nce.codeGradient, i * dimensions, lengths.code[i]);
  }
  return loss;
}

/** Adagrad (Duchi, Hazan and Singer, 2011) on this lane's share of the rows. */
function update(rate: number): void {
  const rows = touched[0].length;
  for (let row = lane; row < rows; row += lanes) {
    if (!touched.some((flags) => flags[row] === 1)) continue;
    const end = (row + 1) * dimensions;
    for (let at = row * dimensions; at < end; at++) {
      let gradient = 0;
      for (const ofLane of gradients) {
        gradient += ofLane[at];
        ofLane[at] = 0;
      }
      squares[at] += gradient * gradient;
      weights[at] -= (rate * gradient) / Math.sqrt(squares[at]);
    }
    for (const flags of touched) flags[row] = 0;
  }
}

parentPort?.on('message', ({ from, steps }: LaneJob) => {
  let loss = 0;
  for (let step = 0; step < steps; step++) {
    const at = (step * lanes + lane) * batch;
    loss += runBatch(data.order.subarray(at, at + batch));
    meet();
    update(options.rate * (1 - (from + step) / options.steps));
    meet();
  }
  parentPort?.postMessage(loss / Math.max(1, steps));
});
