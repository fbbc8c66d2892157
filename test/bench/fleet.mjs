/**
 * Judged questions to a fleet: how good are its answers beside those of the local engine, and what does one cost?
 *
 *     node test/bench/fleet.mjs --bench DIR --checkouts DIR [--build DIR] [--more DIR,DIR] [--clients 50] [--seconds 10]
 *
 * Publishes every checkout through real HTTP into a store in memory, asks the judged questions of each repository locally, in the
 * fleet with its name, and in the fleet without, then lets clients ask for some seconds. `--bench` has `ndcg.mjs` and its judgements;
 * `--more` names further repositories that only stand in the way.
 */
import { spawnSync } from 'node:child_process';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const options = Object.fromEntries(
  process.argv.slice(2).flatMap((word, i, all) => (word.startsWith('--') ? [[word.slice(2), all[i + 1]]] : [])),
);
const build = resolve(options.build ?? 'build/src');
const load = (path) => import(pathToFileURL(join(build, path)));
const { loadTasks, score, summarise } = await import(pathToFileURL(resolve(options.bench, 'ndcg.mjs')));
const [
  { MemoryEngine },
  { serveFleet },
  { fleetClient },
  { OPEN_ACCESS },
  { HttpTarget },
  { Publisher },
  { installedProfile },
] = await Promise.all([
  load('../test/support/servers/memory-engine.js'),
  load('../fleet/src/http/server.js'),
  load('../fleet/src/http/client.js'),
  load('../fleet/src/access/access.js'),
  load('../fleet/src/publish/http.js'),
  load('../fleet/src/publish/publish.js'),
  load('../fleet/src/publish/profile.js'),
]);
const [{ Session }, { Searcher }] = await Promise.all([load('session/session.js'), load('session/search/searcher.js')]);

const asked = {
  data: options.bench,
  checkouts: resolve(options.checkouts),
  set: 'all',
  match: 'suffix',
  scope: 'root',
  k: 10,
};
const { repos, tasks } = loadTasks(asked);
const directories = [...repos.map(({ dir }) => dir), ...(options.more ?? '').split(',').filter(Boolean)];

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};
const middle = (list, share = 0.5) => [...list].sort((a, b) => a - b)[Math.floor(list.length * share)];

const profile = installedProfile({ embedder: { name: 'builtin' } });
const engine = new MemoryEngine(profile);
const local = { host: '127.0.0.1', port: 0, isOpen: true, write: () => {} };
const serving = await serveFleet({ engine, access: OPEN_ACCESS, ...local, limits: { requests: 1_000 } });
const target = new HttpTarget(serving.url, { token: undefined });
const progress = { update() {}, finish() {} };
const sessions = new Map();
for (const dir of directories) {
  spawnSync(process.execPath, [join(build, 'cli/main.js'), '-C', dir, 'index'], { stdio: 'ignore' });
  const session = await Session.open({ directory: dir });
  const repo = `bench/${basename(dir)}`;
  const publisher = new Publisher(session, target, profile, { repo, family: repo, progress });
  const started = performance.now();
  const report = await publisher.publish({ ref: 'HEAD', name: 'main', isDefault: true });
  const seconds = ((performance.now() - started) / 1e3).toFixed(1);
  console.log(
    `${repo}: ${report.outcome}, ${report.missing} units, ${(report.sentBytes / 1e6).toFixed(1)} MB in ${seconds} s`,
  );
  sessions.set(dir, session);
}

const fleet = fleetClient({ url: serving.url, token: null });
const LIMIT = 50;
const ways = {
  local: ({ dir, query }) => searcherOf(dir).search({ query, limit: LIMIT, ref: 'HEAD' }),
  'one repository': ({ dir, query }) => fleet.search({ query, limit: LIMIT, repo: [`bench/${basename(dir)}`] }),
  fleet: ({ query }) => fleet.search({ query, limit: LIMIT }),
};
const searchers = new Map();
function searcherOf(dir) {
  if (!searchers.has(dir)) searchers.set(dir, new Searcher(sessions.get(dir)));
  return searchers.get(dir);
}

const found = {};
for (const [name, ask] of Object.entries(ways)) {
  const got = new Map();
  const [walls, cpus] = [[], []];
  for (const task of tasks) {
    const [wall, cpu] = [performance.now(), cpuMs()];
    const { results } = await ask(task);
    walls.push(performance.now() - wall);
    cpus.push(cpuMs() - cpu);
    // A result of another repository takes up its place, and matches nothing.
    const own = `bench/${basename(task.dir)}`;
    const place = ({ repo = own, path, ...rest }) => ({
      ...rest,
      path: repo === own ? path : join(task.root, `other/${repo}/${path}`),
    });
    got.set(`${task.repo}\0${task.query}`, results.map(place));
  }
  found[name] = got;
  const { ndcg, ndcgPerQuery } = summarise(score(tasks, got, asked).rows);
  const cost = `p50 ${middle(walls).toFixed(0)} ms, p95 ${middle(walls, 0.95).toFixed(0)} ms, CPU p50 ${middle(cpus).toFixed(0)} ms`;
  console.log(
    `${name}: NDCG@10 ${ndcg.toFixed(4)} by repository, ${ndcgPerQuery.toFixed(4)} by query; ${cost} (client and server)`,
  );
}

const ten = (name, task) =>
  found[name]
    .get(`${task.repo}\0${task.query}`)
    .slice(0, 10)
    .map(({ path, startLine }) => `${path}:${startLine}`);
const shared = tasks.map((task) => {
  const [own, theirs] = [ten('local', task), ten('one repository', task)];
  return {
    first: own[0] === theirs[0],
    share: own.filter((each) => theirs.includes(each)).length / Math.max(1, own.length),
  };
});
const share = (list) => ((100 * list.reduce((sum, value) => sum + Number(value), 0)) / list.length).toFixed(1);
console.log(
  `one repository beside local: first equal in ${share(shared.map(({ first }) => first))} %, of ten ${share(shared.map((each) => each.share))} %`,
);

const clients = Number(options.clients ?? 0);
if (clients > 0) {
  const until = performance.now() + 1_000 * Number(options.seconds ?? 10);
  const walls = [];
  let errors = 0;
  const [cpu, before] = [cpuMs(), process.memoryUsage().rss];
  const client = async (i) => {
    for (let n = i; performance.now() < until; n += clients) {
      const started = performance.now();
      await fleet.search({ query: tasks[n % tasks.length].query }).then(
        () => walls.push(performance.now() - started),
        () => errors++,
      );
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  const mb = (bytes) => Math.round(bytes / 1e6);
  console.log(
    `${clients} clients: ${walls.length} answers, ${errors} errors, p50 ${middle(walls).toFixed(0)} ms, p95 ${middle(walls, 0.95).toFixed(0)} ms, CPU ${((cpuMs() - cpu) / walls.length).toFixed(0)} ms an answer, memory ${mb(before)} to ${mb(process.memoryUsage().rss)} MB`,
  );
}
await serving.close();
for (const session of sessions.values()) session.close();
process.exit(0);
