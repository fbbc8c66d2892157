/** The arithmetic of training against the plain way of doing it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeModel } from '../../model/train/learn/export.js';
import { InfoNce } from '../../model/train/learn/info-nce.js';
import { Matrices, transpose } from '../../model/train/learn/matrix.js';
import { Random } from '../../model/train/learn/random.js';
import { StaticModel, SubwordPool } from '../../src/embed/builtin/model.js';

const normals = (random: Random, length: number) => Float32Array.from({ length }, () => random.normal());

test('the matrix kernel gives the plain product', async () => {
  const matrices = await Matrices.create();
  const random = new Random(1);
  for (const [m, n, k] of [[2, 4, 4] as const, [6, 8, 12] as const, [32, 20, 64] as const]) {
    const { a, b, out } = matrices.allocate({ a: m * k, b: n * k, out: m * n });
    a.set(normals(random, m * k));
    b.set(normals(random, n * k));
    matrices.multiplyTransposed(a, b, out, [m, n, k]);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let x = 0; x < k; x++) sum += a[i * k + x] * b[j * k + x];
        assert.ok(Math.abs(out[i * n + j] - sum) < 1e-4, `${i} ${j}: ${out[i * n + j]}, ${sum}`);
      }
    }
  }
  const turned = new Float32Array(6);
  transpose(Float32Array.of(1, 2, 3, 4, 5, 6), turned, 2, 3);
  assert.deepEqual([...turned], [1, 4, 2, 5, 3, 6]);
});

const SIZE = 8;
const DIMENSIONS = 12;
const TEMPERATURE = 0.1;
/** Pairs 1 and 4 ask the same, 2 and 3 have the same code. */
const QUERY_HASH = Uint32Array.of(0, 1, 2, 3, 1, 5, 6, 7);
const CODE_HASH = Uint32Array.of(0, 1, 2, 2, 4, 5, 6, 7);

/** Half the sum of both directions' losses, in float64. */
function plainLoss(query: Float64Array, code: Float64Array): { total: number; found: number } {
  const score = (i: number, j: number) => {
    if (i !== j && (QUERY_HASH[i] === QUERY_HASH[j] || CODE_HASH[i] === CODE_HASH[j])) return Number.NEGATIVE_INFINITY;
    let sum = 0;
    for (let d = 0; d < DIMENSIONS; d++) sum += query[i * DIMENSIONS + d] * code[j * DIMENSIONS + d];
    return sum / TEMPERATURE;
  };
  const all = [...Array(SIZE).keys()];
  const logSum = (scores: number[]) => Math.log(scores.reduce((sum, one) => sum + Math.exp(one), 0));
  const rows = all.reduce((sum, i) => sum + logSum(all.map((j) => score(i, j))) - score(i, i), 0);
  const columns = all.reduce((sum, j) => sum + logSum(all.map((i) => score(i, j))) - score(j, j), 0);
  return { total: (rows + columns) / 2, found: rows / SIZE };
}

test('the gradient of InfoNCE agrees with finite differences, masked pairs included', async () => {
  const random = new Random(2);
  const nce = await InfoNce.create(SIZE, DIMENSIONS, TEMPERATURE);
  for (const side of [nce.query, nce.code]) side.set(normals(random, side.length).map((x) => x / 4));
  const plain = { query: Float64Array.from(nce.query), code: Float64Array.from(nce.code) };
  const loss = nce.run(QUERY_HASH, CODE_HASH);
  assert.ok(Math.abs(loss - plainLoss(plain.query, plain.code).found) < 1e-4);
  const gradients = { query: nce.queryGradient, code: nce.codeGradient };
  const step = 1e-5;
  for (const side of ['query', 'code'] as const) {
    for (let at = 0; at < SIZE * DIMENSIONS; at++) {
      const before = plain[side][at];
      const [up, down] = [step, -step].map((by) => {
        plain[side][at] = before + by;
        return plainLoss(plain.query, plain.code).total;
      });
      plain[side][at] = before;
      const expected = (up - down) / (2 * step);
      assert.ok(Math.abs(gradients[side][at] - expected) < 1e-3, `${side} ${at}: ${gradients[side][at]}, ${expected}`);
    }
  }
});

test('the exported rows reproduce the cosines of the float vectors', () => {
  const random = new Random(4);
  const [words, dimensions] = [200, 32];
  const weights = normals(random, words * dimensions);
  // Rows of very different lengths, as training makes them.
  for (let i = 0; i < weights.length; i++) weights[i] *= 0.02 + (Math.floor(i / dimensions) % 40) / 40;
  const names = Array.from({ length: words }, (_, i) => `w${i}`);
  const model = new StaticModel(encodeModel(names, weights, dimensions), 'test');
  const pool = new SubwordPool(model);
  const texts = Array.from({ length: 40 }, () => {
    const plain = new Float64Array(dimensions);
    const bytes = new Int8Array(dimensions);
    const rows = random.shuffle([...Array(words).keys()]).slice(0, 10);
    for (const row of rows) {
      const count = 1 + Math.floor(random.next() * 9);
      pool.count(row, count);
      for (let d = 0; d < dimensions; d++) plain[d] += Math.sqrt(count) * weights[row * dimensions + d];
    }
    pool.finish(bytes);
    return { plain, bytes };
  });
  for (const one of texts) {
    for (const other of texts) {
      const difference = cosine(one.plain, other.plain) - cosine(one.bytes, other.bytes);
      assert.ok(Math.abs(difference) < 0.01, `${difference}`);
    }
  }
});

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, left, right] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i] * b[i];
    left += a[i] ** 2;
    right += b[i] ** 2;
  }
  return product / Math.sqrt(left * right);
}
