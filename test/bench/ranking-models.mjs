// Does a model that the user brings make answers better, and never worse? `npm run bench -- ranking-models --data DIR --checkouts DIR
// [--only NAME,…]`. No such model can be had everywhere, so a server with OpenAI's protocol stands in: its vectors are those of the built-in
// model beside an oracle's, which knows the judged files and is disturbed by noise. So each stand-in is as good as its noise allows, and it
// errs as real models do: like words do, and at random. `offset` turns all its vectors in one direction, as most real models do.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { judge, loadJudged, matches, mean } from './ranking-judged.mjs';

const dist = new URL('../../dist/', import.meta.url);
const load = (path) => import(new URL(path, dist));
const { builtinModel } = await load('embed/builtin/index.js');
const { wordVector } = await load('embed/builtin/model.js');
const { textTerms } = await load('extract/terms.js');
const { Searcher } = await load('session/search/searcher.js');
const { Session } = await load('session/session.js');
const CLI = fileURLToPath(new URL('cli/main.js', dist));

const ORACLE = 128;
const ASKED = 100;
/** `sense`: share of the built-in model. `noise`: length of what disturbs a question's oracle, whose own is 1. */
const MODELS = [
  { name: 'poor', sense: 1, oracle: 0.2, noise: 8, offset: 0 },
  { name: 'equal', sense: 1, oracle: 0.5, noise: 5, offset: 0 },
  { name: 'better', sense: 1, oracle: 0.7, noise: 2.5, offset: 0 },
  { name: 'better, all alike', sense: 1, oracle: 0.7, noise: 2.5, offset: 1.5 },
  { name: 'poor, all alike', sense: 1, oracle: 0.2, noise: 8, offset: 1.5 },
  { name: 'best', sense: 1, oracle: 1.2, noise: 1.5, offset: 1.5 },
  { name: 'noise', sense: 0, oracle: 1, noise: 50, offset: 1.5 },
];

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== 'ranking-models'),
  options: {
    data: { type: 'string' },
    checkouts: { type: 'string' },
    only: { type: 'string' },
    models: { type: 'string' },
  },
});

/** Numbers from a text, always the same: normally distributed, of length 1. */
function direction(text, dimensions) {
  let state = 2166136261;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16777619);
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return unit(
    Float64Array.from(
      { length: dimensions },
      () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
    ),
  );
}
function unit(vector) {
  const length = Math.hypot(...vector) || 1;
  return vector.map((x) => x / length);
}
const sum = (vectors) => vectors.reduce((a, b) => a.map((x, i) => x + b[i]));

/** Finds the files that a chunk may come from, by its rarest line. */
function oracleOf({ dir, queries }) {
  const paths = execFileSync('git', ['ls-files', '-z'], { cwd: dir, encoding: 'utf8' }).split('\0').filter(Boolean);
  const filesOf = new Map();
  for (const path of paths) {
    let text = '';
    try {
      text = readFileSync(join(dir, path), 'utf8');
    } catch {
      continue;
    }
    for (const line of new Set(text.split('\n').map((each) => each.trim()))) {
      if (line.length < 4) continue;
      const list = filesOf.get(line);
      if (list === undefined) filesOf.set(line, [path]);
      else list.push(path);
    }
  }
  const asked = new Map(queries.map((each) => [each.query, each]));
  return (text, noise) => {
    const judged = asked.get(text);
    if (judged !== undefined) {
      const targets = paths.filter((path) => judged.targets.some((target) => matches({ path: target.path }, { path })));
      const right = unit(sum([new Float64Array(ORACLE), ...targets.map((path) => direction(path, ORACLE))]));
      const wrong = direction(`noise of ${text}`, ORACLE);
      return unit(right.map((x, i) => x + noise * wrong[i]));
    }
    let best = [];
    for (const line of text.split('\n')) {
      const found = filesOf.get(line.trim());
      if (found !== undefined && (best.length === 0 || found.length < best.length)) best = found;
    }
    return best.length === 0 ? new Float64Array(ORACLE) : direction(best[0], ORACLE);
  };
}

function vectorOf(text, oracle, { sense, oracle: share, noise, offset }) {
  const words = wordVector(
    builtinModel(),
    textTerms(text).map((term) => [term, 1]),
  );
  const places = oracle(text, noise);
  const all = [...words.map((x) => sense * x), ...places.map((x) => share * x)];
  const own = unit(Float64Array.from(all));
  const same = direction('everything', all.length);
  return Array.from(unit(own.map((x, i) => x + offset * same[i])), (x) => Math.fround(x));
}

/** Answers as OpenAI's embeddings do, with the vectors of the model that a request names. */
async function serve(oracle) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { input, model } = JSON.parse(body);
    const named = MODELS.find(({ name }) => slug(name) === model);
    const data = [input]
      .flat()
      .map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, oracle, named) }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data, model, usage: { prompt_tokens: 0, total_tokens: 0 } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const slug = (name) => name.replaceAll(/[^a-z]+/g, '-');

const NONE = { SOCRATICODE_EMBEDDER_NAME: 'builtin' };
const SETTINGS = ['NAME', 'MODEL', 'ENDPOINT', 'BATCH', 'DIMENSIONS'].map((name) => `SOCRATICODE_EMBEDDER_${name}`);
const using = (env) => {
  for (const name of SETTINGS) delete process.env[name];
  Object.assign(process.env, env);
};

/** Rows of both ways to ask, with the embedder that the environment names. */
async function ask({ dir, queries }) {
  await new Promise((done, fail) => {
    import('node:child_process').then(({ execFile }) =>
      execFile(process.execPath, [CLI, 'index'], { cwd: dir }, (error) => (error ? fail(error) : done())),
    );
  });
  const session = await Session.open({ directory: dir });
  const searcher = new Searcher(session);
  const rows = { semantic: [], hybrid: [] };
  for (const judged of queries)
    for (const mode of Object.keys(rows)) {
      const { results } = await searcher.search({ query: judged.query, mode, limit: ASKED, committed: true });
      rows[mode].push(judge(judged, results));
    }
  session.close();
  return rows;
}

const only = options.only?.split(',');
const chosen = options.models?.split(',');
const repos = loadJudged(options.data, options.checkouts).filter(({ name }) => only?.includes(name) ?? true);
const all = new Map();
for (const repo of repos) {
  const server = await serve(oracleOf(repo));
  const endpoint = `http://127.0.0.1:${server.address().port}/v1`;
  const add = async (name) => all.set(name, [...(all.get(name) ?? []), await ask(repo)]);
  using(NONE);
  await add('built-in');
  for (const { name } of MODELS) {
    if (chosen && !chosen.includes(slug(name))) continue;
    using({
      SOCRATICODE_EMBEDDER_NAME: 'openai',
      SOCRATICODE_EMBEDDER_MODEL: slug(name),
      SOCRATICODE_EMBEDDER_ENDPOINT: endpoint,
      SOCRATICODE_EMBEDDER_BATCH: '128',
    });
    await add(name);
  }
  server.closeAllConnections();
  server.close();
}
console.log(
  `${repos.length} repositories, ${repos.reduce((n, { queries }) => n + queries.length, 0)} questions; NDCG@10, first is right`,
);
for (const [name, list] of all) {
  const of = (mode, measure) => mean(list.map((rows) => mean(rows[mode].map((row) => row[measure])))).toFixed(3);
  console.log(
    `${name.padEnd(20)} alone ${of('semantic', 'ndcg')} ${of('semantic', 'first')}   with words ${of('hybrid', 'ndcg')} ${of('hybrid', 'first')}`,
  );
}
