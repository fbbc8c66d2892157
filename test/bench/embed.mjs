// The built-in model on one core: loading it, vectors of a repository's chunks from a lexical shard, and from texts.
// node test/bench/embed.mjs [DIR] [--build dist], after `npm run build`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { blobsOf, readBlobs } from './blobs.mjs';

const { values, positionals } = parseArgs({
  options: { build: { type: 'string', default: 'dist' } },
  allowPositionals: true,
});
const build = new URL(`../../${values.build}/`, import.meta.url);
const load = (path) => import(new URL(path, build));
const { Session } = await load('session/session.js');
const { loadAllRules } = await load('languages/registry.js');
const { extract } = await load('extract/extract.js');
const { LexicalBuilder } = await load('shard/builder.js');
const { encodeLexical } = await load('shard/lexical-format.js');
const { LexicalShard } = await load('shard/lexical-shard.js');
const { embedShard } = await load('indexer/static-vectors.js');
const { BuiltinEmbedder, builtinModel } = await load('embed/builtin/index.js');

const RUNS = 5;
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Median milliseconds of CPU time of a few runs: other programs on this machine do not count. */
async function timed(run) {
  const times = [];
  for (let i = 0; i < RUNS; i++) {
    const from = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(from);
    times.push((user + system) / 1_000);
  }
  return median(times);
}

/** In a process of its own: the second load of a process costs nothing. */
function loadOnce() {
  const module = new URL('embed/builtin/index.js', build).href;
  const code = `const { builtinModel } = await import('${module}');
    const from = performance.now(); builtinModel(); console.log(performance.now() - from);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  return Number(stdout);
}

/** A lexical shard of all files that `index` would take, and the texts of its chunks. */
async function read(dir) {
  const session = await Session.open({ directory: dir });
  const { catalog } = await session.files();
  session.close();
  const languages = new Map(catalog.files.map((file) => [file.oid, file.language ?? 'text']));
  const output = readBlobs(dir, languages.keys());
  await loadAllRules();
  const builder = new LexicalBuilder(20);
  const texts = [];
  for (const { oid, content } of blobsOf(output)) {
    const extraction = extract(content, languages.get(oid));
    if ('skip' in extraction) continue;
    builder.add(oid, languages.get(oid), extraction.facts, content);
    for (const { start, end } of extraction.facts.chunks) texts.push(content.toString('utf8', start, end));
    // Native trees are freed between turns of the event loop.
    await new Promise((next) => setImmediate(next));
  }
  return { shard: new LexicalShard(encodeLexical(builder.finish()), 'bench'), texts };
}

const model = builtinModel();
console.log(`model ${model.version}: ${model.words} words x ${model.dimensions}`);
console.log(`load: ${median(Array.from({ length: RUNS }, loadOnce)).toFixed(1)} ms`);
const { shard, texts } = await read(positionals[0] ?? fileURLToPath(new URL('../../', import.meta.url)));
const perSecond = (ms) => `${Math.round((texts.length / ms) * 1_000)} chunks/s (${ms.toFixed(0)} ms)`;
const bytes = texts.reduce((sum, text) => sum + text.length, 0);
console.log(
  `${texts.length} chunks, ${(bytes / 1e6).toFixed(1)} MB, mean ${Math.round(bytes / texts.length)} characters`,
);
console.log(`from the shard: ${perSecond(await timed(() => embedShard(shard, model)))}`);
const embedder = new BuiltinEmbedder(model);
console.log(`from texts, cutting into terms included: ${perSecond(await timed(() => embedder.embedDocuments(texts)))}`);
const queries = ['retry the request with backoff', 'where are sessions stored', 'parse command line flags'];
const many = Array.from({ length: 1_000 }, (_, i) => queries[i % queries.length]);
console.log(`a query: ${(await timed(() => embedder.embedDocuments(many))).toFixed(0)} µs`);
