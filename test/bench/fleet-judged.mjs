/**
 * How good are the answers of a fleet? Publishes repositories with judged queries into a fresh store on a disk, and asks each query
 * of the local engine, of the fleet in its repository alone, and of the fleet in all repositories together, where a result of another
 * repository takes up a place. `ranking-judged.mjs` describes the folder of queries and the rules of NDCG@10.
 *
 *     node test/bench/fleet-judged.mjs --data DIR --checkouts DIR [--only NAME,NAME] [--build dist]
 *
 * Checkouts are indexed where they are not.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { judge, loadJudged } from './ranking-judged.mjs';

const options = Object.fromEntries(
  process.argv.slice(2).flatMap((word, i, all) => (word.startsWith('--') ? [[word.slice(2), all[i + 1]]] : [])),
);
const build = resolve(options.build ?? 'dist');
const load = (path) => import(pathToFileURL(join(build, path)));
const [{ openEngine }, { FleetIntake }, { Publisher }, { installedProfile }, { Session }, { Searcher }, ask, stores] =
  await Promise.all([
    load('fleet/open.js'),
    load('fleet/intake.js'),
    load('fleet/publish/publish.js'),
    load('fleet/publish/profile.js'),
    load('session/session.js'),
    load('session/search/searcher.js'),
    load('fleet/ask/asking.js'),
    load('fleet/ask/store.js'),
  ]);

/** Results that are asked for: those outside of the judged part of a repository are dropped. */
const LIMIT = 30;
const only = options.only?.split(',');
const judged = loadJudged(resolve(options.data), resolve(options.checkouts)).filter(
  ({ name, queries }) => queries.length > 0 && (only?.includes(name) ?? true),
);
const folder = mkdtempSync(join(tmpdir(), 'fleet-judged-'));
const profile = installedProfile({ embedder: { name: 'builtin' } });
const engine = await openEngine(pathToFileURL(folder).href, profile);
const intake = new FleetIntake(engine);
const quiet = { update() {}, finish() {} };
const nameOf = (name) => `judged/${name}`;
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / Math.max(1, list.length);
const ndcg = (query, results) => judge(query, results).ndcg;

const local = new Map();
for (const { name, dir, queries } of judged) {
  const session = await Session.open({ directory: dir });
  const repo = nameOf(name);
  const publisher = new Publisher(session, intake, profile, { repo, family: repo, progress: quiet });
  await publisher.publish({ ref: 'HEAD', name: 'main', isDefault: true });
  const searcher = new Searcher(session);
  for (const query of queries) {
    const { results } = await searcher.search({ query: query.query, limit: LIMIT, noHistory: true });
    local.set(query, ndcg(query, results));
  }
  session.close();
}
const now = Math.floor(Date.now() / 1e3);
const ages = { orphansBefore: 0, versionsBefore: now, force: true, graceMs: 0 };
await engine.maintain({ holder: 'bench', now, ...ages });
const { tables } = await engine.status();

const fleet = ask.asking(stores.fleetStore(engine), { mayRead: () => true });
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
  `${rows.length} repositories, ${tables.unit.rows} contents: local ${here}, fleet in one repository ${one}, in all together ${all} (NDCG@10, mean over repositories)`,
);
await fleet.close();
rmSync(folder, { recursive: true });
