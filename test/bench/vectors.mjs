// Nearest neighbours among synthetic vectors: exact search with and without usearch, the graph, and mostly dead shards.
// node test/bench/vectors.mjs [--count 100000] [--dimensions 256] [--no-hnsw], after `npm run build`.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { randomOf } from './random.mjs';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    dimensions: { type: 'string', default: '256' },
    queries: { type: 'string', default: '100' },
    'no-hnsw': { type: 'boolean', default: false },
    'fallback-only': { type: 'boolean', default: false },
    build: { type: 'string', default: 'dist' },
  },
});
const [count, dimensions, queries] = [values.count, values.dimensions, values.queries].map(Number);
const shardFolder = new URL(`../../${values.build}/shard/`, import.meta.url);
const { readVectorShard, writeVectorShard } = await import(new URL('vector-shard.js', shardFolder));
const { VectorIndex } = await import(new URL('nearest.js', shardFolder));
const { describeEngine } = await import(new URL('vector-engine.js', shardFolder));
const { buildHnsw, openHnsw } = await import(new URL('vector-hnsw.js', shardFolder));

const PROFILE = '0123456789ab';
const LEXICAL = 'lexical-0123456789abcdef.bin';
const WANTED = 10;

const random = randomOf(42);
/** About normal: the sum of four uniform numbers. */
const normal = () => random() + random() + random() + random() - 2;

/**
 * A mixture: topics, each with sub-topics, and noise as strong as the sub-topic. One in ten is about three sub-topics
 * at once and so lies between the clusters.
 */
function mixture() {
  const topics = Array.from({ length: 100 }, () => Float32Array.from({ length: dimensions }, normal));
  const subs = Array.from({ length: 2000 }, (_, i) => topics[i % topics.length].map((value) => value + 0.7 * normal()));
  const anySub = () => subs[Math.floor(random() * subs.length)];
  return (out, at) => {
    const centres = random() < 0.1 ? [anySub(), anySub(), anySub()] : [anySub()];
    const share = 1 / Math.sqrt(centres.length);
    const vector = new Float32Array(dimensions);
    for (let i = 0; i < dimensions; i++) {
      vector[i] = share * centres.reduce((sum, centre) => sum + centre[i], 0) + 0.7 * normal();
    }
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (let i = 0; i < dimensions; i++) out[at + i] = Math.round((vector[i] * 127) / largest);
  };
}

const format = (ms) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(1));
function timed(label, run, items) {
  const times = [];
  const results = [];
  const started = performance.now();
  results.push(run(items[0]));
  const first = performance.now() - started;
  for (const item of items) {
    const from = performance.now();
    results.push(run(item));
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  const at = (share) => format(times[Math.min(times.length - 1, Math.floor(times.length * share))]);
  console.log(`${label.padEnd(36)} p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, first ${format(first)} ms`);
  return results.slice(1);
}

const recall = (found, truth) => {
  let hits = 0;
  let all = 0;
  for (const [i, wanted] of truth.entries()) {
    const documents = new Set(found[i].map(({ document }) => document));
    for (const { document } of wanted) hits += documents.has(document) ? 1 : 0;
    all += wanted.length;
  }
  return (hits / all).toFixed(4);
};

const liveSet = (isLive) => {
  const fileOf = Int32Array.from({ length: count }, (_, i) => (isLive(i) ? 0 : -1));
  return { bases: Uint32Array.of(0, count), fileOf, count: fileOf.reduce((sum, file) => sum + (file < 0 ? 0 : 1), 0) };
};

const directory = mkdtempSync(join(tmpdir(), 'vectors-'));
try {
  await main();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function main() {
  const draw = mixture();
  const rows = new Int8Array(count * dimensions);
  for (let row = 0; row < count; row++) draw(rows, row * dimensions);
  const vectors = Array.from({ length: queries }, () => {
    const query = new Int8Array(dimensions);
    draw(query, 0);
    return query;
  });
  const { engine, reason } = describeEngine();
  console.log(`${count} x ${dimensions}, engine ${engine}${reason === null ? '' : ` (${reason})`}`);

  writeVectorShard(directory, PROFILE, LEXICAL, { dimensions, rows });
  const reads = Array.from({ length: 5 }, () => {
    const from = performance.now();
    readVectorShard(directory, PROFILE, LEXICAL, count);
    return performance.now() - from;
  });
  const shard = readVectorShard(directory, PROFILE, LEXICAL, count);
  console.log(
    `read ${(rows.length / 1e6).toFixed(1)} MB with its checksum in ${format(reads.sort((a, b) => a - b)[2])} ms`,
  );

  const scenes = { 'all live': () => true, '20% dead': (i) => i % 5 !== 0, '80% dead': (i) => i % 5 === 0 };
  const truth = {};
  for (const [scene, isLive] of Object.entries(scenes)) {
    const index = new VectorIndex(liveSet(isLive), [shard]);
    const search = (query) => index.nearest(index.query(query), WANTED);
    truth[scene] = timed(`exact (${engine}), ${scene}`, search, vectors);
  }
  if (engine !== 'usearch') return;
  const env = { ...process.env, SOCRATICODE_TEST_NO_USEARCH: '1' };
  spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { env, stdio: 'inherit' });
  if (!values['no-hnsw']) await benchHnsw(shard, scenes, truth, vectors);
}

async function benchHnsw(shard, scenes, truth, vectors) {
  let from = performance.now();
  await buildHnsw(directory, PROFILE, LEXICAL, shard);
  const { size } = statSync(join(directory, `vectors-${PROFILE}-0123456789abcdef.hnsw`));
  console.log(`hnsw built in ${((performance.now() - from) / 1000).toFixed(1)} s, ${(size / 1e6).toFixed(1)} MB`);
  from = performance.now();
  const graph = openHnsw(directory, PROFILE, LEXICAL, shard);
  console.log(`hnsw opened with its checksum in ${format(performance.now() - from)} ms`);
  for (const [scene, isLive] of Object.entries(scenes)) {
    const index = new VectorIndex(liveSet(isLive), [shard], () => graph);
    const found = timed(`hnsw, ${scene}`, (query) => index.nearest(index.query(query), WANTED), vectors);
    console.log(`${' '.repeat(36)} recall@${WANTED} ${recall(found, truth[scene])}`);
  }
}
