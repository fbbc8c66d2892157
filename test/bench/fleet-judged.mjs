/**
 * How good are the answers of a fleet? Publishes repositories with judged queries over HTTP to a server over a fresh store on a disk,
 * and asks each query of the local engine, of the fleet in its repository alone, and of the fleet in all repositories together, where a
 * result of another repository takes up a place. `ranking-judged.mjs` describes the folder of queries and the rules of NDCG@10.
 *
 *     node test/bench/fleet-judged.mjs --data DIR --checkouts DIR [--only NAME,NAME] [--more DIR,DIR] [--build build/src]
 *
 * `--more` names further clones that only take up places. Checkouts are indexed where they are not.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServer } from './fleet-server.mjs';
import { judge, loadJudged } from './ranking-judged.mjs';

const options = Object.fromEntries(
  process.argv.slice(2).flatMap((word, i, all) => (word.startsWith('--') ? [[word.slice(2), all[i + 1]]] : [])),
);
const build = resolve(options.build ?? 'build/src');
const load = (path) => import(pathToFileURL(join(build, path)));
const [{ HttpTarget }, { fleetClient }, { Publisher }, { installedProfile }, { Session }, { Searcher }] =
  await Promise.all([
    load('../fleet/src/publish/http.js'),
    load('../fleet/src/http/client.js'),
    load('../fleet/src/publish/publish.js'),
    load('../fleet/src/publish/profile.js'),
    load('session/session.js'),
    load('session/search/searcher.js'),
  ]);
const MAIN = join(build, 'cli/main.js');

/** Results that are asked for: those outside of the judged part of a repository are dropped. */
const LIMIT = 30;
const only = options.only?.split(',');
const judged = loadJudged(resolve(options.data), resolve(options.checkouts)).filter(
  ({ name, queries }) => queries.length > 0 && (only?.includes(name) ?? true),
);
const folder = mkdtempSync(join(tmpdir(), 'fleet-judged-'));
const profile = installedProfile({ embedder: { name: 'builtin' } });
const at = pathToFileURL(folder).href;
let server = await startServer(MAIN, at);
const target = new HttpTarget(server.url, { token: undefined });
const quiet = { update() {}, finish() {} };
const nameOf = (name) => `judged/${name}`;
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / Math.max(1, list.length);
const ndcg = (query, results) => judge(query, results).ndcg;

async function publish(dir, repo) {
  const session = await Session.open({ directory: dir });
  const publisher = new Publisher(session, target, profile, { repo, family: repo, progress: quiet });
  await publisher.publish({ ref: 'HEAD', name: 'main', isDefault: true });
  return session;
}

const local = new Map();
for (const { name, dir, queries } of judged) {
  const session = await publish(dir, nameOf(name));
  const searcher = new Searcher(session);
  for (const query of queries) {
    const { results } = await searcher.search({ query: query.query, limit: LIMIT, noHistory: true });
    local.set(query, ndcg(query, results));
  }
  session.close();
}
const more = (options.more ?? '').split(',').filter(Boolean);
for (const dir of more) (await publish(resolve(dir), `more/${basename(dir)}`)).close();
const command = (...args) =>
  spawnSync(process.execPath, [MAIN, 'fleet', ...args, '--at', at], { encoding: 'utf8' }).stdout;
await server.close();
command('maintain', '--now');
const { tables } = JSON.parse(command('status', '--json'));
server = await startServer(MAIN, at);

const fleet = fleetClient({ url: server.url, token: null });
const rows = [];
for (const { name, root, queries } of judged) {
  const repo = nameOf(name);
  // A result of another repository is in the judged part, and is no target.
  const foreign = root === '' ? '\0' : `${root}/\0`;
  const own = ({ results }) => results.map((each) => (each.repo === repo ? each : { ...each, path: foreign }));
  const scores = [];
  for (const query of queries) {
    const one = await fleet.search({ query: query.query, limit: LIMIT, repo: [repo] });
    const all = await fleet.search({ query: query.query, limit: LIMIT });
    scores.push([local.get(query), ndcg(query, own(one)), ndcg(query, own(all))]);
  }
  const row = [0, 1, 2].map((i) => mean(scores.map((each) => each[i])));
  rows.push(row);
  console.log(`${name}: ${queries.length} queries, ${row.map((score) => score.toFixed(3)).join(' ')}`);
}
const [here, one, all] = [0, 1, 2].map((i) => mean(rows.map((row) => row[i])).toFixed(3));
console.log(
  `${rows.length} judged repositories of ${rows.length + more.length}, ${tables.unit.rows} contents: local ${here}, fleet in one repository ${one}, in all together ${all} (NDCG@10, mean over repositories)`,
);
await server.close();
rmSync(folder, { recursive: true });
