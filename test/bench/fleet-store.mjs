/**
 * A fleet's server over tables on a disk, as an operator runs it: does it answer at tags as the local engine does, how large is a
 * unit, what does a question cost, and does it stay well while many clients ask and others publish?
 *
 *     node test/bench/fleet-store.mjs --clones DIR,DIR [--tags 3] [--questions 100] [--clients 50] [--seconds 60] [--build build/src]
 *
 * Publishes the default branch and the newest tags of every clone over HTTP. Questions are subjects of commits and names of
 * definitions. CPU is that of the server's process, from /proc: Linux only.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cpuMs, memoryMb, middle, sizeOf, startServer } from './fleet-server.mjs';

const options = Object.fromEntries(
  process.argv.slice(2).flatMap((word, i, all) => (word.startsWith('--') ? [[word.slice(2), all[i + 1]]] : [])),
);
const build = resolve(options.build ?? 'build/src');
const load = (path) => import(pathToFileURL(join(build, path)));
const [{ fleetClient }, { Session }, { Searcher }] = await Promise.all([
  load('../fleet/src/http/client.js'),
  load('session/session.js'),
  load('session/search/searcher.js'),
]);
const MAIN = join(build, 'cli/main.js');
const clones = options.clones.split(',').map((dir) => resolve(dir));
const LIMIT = 10;

const run = (command, args, cwd) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
};
const lines = (text) => text.split('\n').filter(Boolean);

const folder = mkdtempSync(join(tmpdir(), 'fleet-store-'));
const at = pathToFileURL(folder).href;
const serving = await startServer(MAIN, at);
const { url } = serving;

const nameOf = (dir) => `bench/${basename(dir)}`;
const publish = (dir, refs, more = []) =>
  run(
    process.execPath,
    [MAIN, 'publish', '--to', url, '--repo', nameOf(dir), ...refs.flatMap((ref) => ['--ref', ref]), ...more],
    dir,
  );
const refsOf = new Map();
for (const dir of clones) {
  const tags = lines(run('git', ['tag', '--sort=-creatordate'], dir)).slice(0, Number(options.tags ?? 3));
  const before = cpuMs(serving.pid);
  const started = performance.now();
  publish(dir, ['HEAD', ...tags]);
  const seconds = ((performance.now() - started) / 1e3).toFixed(1);
  console.log(
    `${nameOf(dir)}: HEAD ${tags.join(' ')} published in ${seconds} s, ${cpuMs(serving.pid) - before} CPU ms of the server`,
  );
  refsOf.set(dir, ['HEAD', ...tags]);
}
run(process.execPath, [MAIN, 'fleet', 'maintain', '--now', '--at', at]);
const status = JSON.parse(run(process.execPath, [MAIN, 'fleet', 'status', '--at', at, '--json']));
const units = status.tables.unit.rows;
const [profile] = readdirSync(folder);
const perUnit = (name) => (sizeOf(join(folder, profile, `${name}_1.lance`)) / units / 1e3).toFixed(2);
console.log(
  `${units} units, ${status.refs} refs: ${(sizeOf(folder) / units / 1e3).toFixed(2)} kB a unit (search ${perUnit('unit')}, records ${perUnit('record')}, views ${perUnit('view')})`,
);

function questionsOf(dir, count) {
  const subjects = lines(run('git', ['log', '-n', String(count * 6), '--no-merges', '--format=%s'], dir)).filter(
    (text) => text.length > 20,
  );
  const symbols = JSON.parse(run(process.execPath, [MAIN, 'graph', 'symbols', '--limit', '200', '--json'], dir));
  const names = (symbols.symbols?.list ?? symbols.results ?? symbols.list ?? [])
    .map(({ symbol }) => symbol)
    .filter(Boolean);
  return [...subjects.slice(0, count / 2), ...names.slice(0, count / 2)];
}
const fleet = fleetClient({ url, token: null });
const each = Math.max(2, Math.round(Number(options.questions ?? 100) / clones.length));
const questions = clones.flatMap((dir) => questionsOf(dir, each).map((query) => ({ dir, query })));

const placeOf = ({ path, startLine }) => `${path}:${startLine}`;
let [asked, first, shared, of] = [0, 0, 0, 0];
for (const dir of clones) {
  const session = await Session.open({ directory: dir });
  const searcher = new Searcher(session);
  for (const ref of refsOf.get(dir).slice(1))
    for (const { query } of questions.filter((each) => each.dir === dir)) {
      const local = (await searcher.search({ query, limit: LIMIT, ref, noHistory: true })).results.map(placeOf);
      const there = (await fleet.search({ query, limit: LIMIT, repo: [nameOf(dir)], ref })).results.map(placeOf);
      asked++;
      if (local[0] === there[0]) first++;
      shared += local.filter((place) => there.includes(place)).length;
      of += local.length;
    }
  session.close();
}
if (asked > 0)
  console.log(
    `at tags, beside the local engine: ${asked} questions, first equal in ${((100 * first) / asked).toFixed(1)} %, ${((100 * shared) / of).toFixed(1)} % of its ten`,
  );

for (const [name, about] of [
  ['one repository', ({ dir }) => ({ repo: [nameOf(dir)] })],
  ['all repositories', () => ({})],
])
  for (const round of ['first time', 'again']) {
    const walls = [];
    const cpu = cpuMs(serving.pid);
    for (const question of questions) {
      const started = performance.now();
      await fleet.search({ query: question.query, limit: LIMIT, ...about(question) });
      walls.push(performance.now() - started);
    }
    const ms = ((cpuMs(serving.pid) - cpu) / questions.length).toFixed(0);
    console.log(
      `${name}, ${round}: p50 ${middle(walls).toFixed(0)} ms, p95 ${middle(walls, 0.95).toFixed(0)} ms, CPU ${ms} ms a question`,
    );
  }

const clients = Number(options.clients ?? 0);
if (clients > 0) {
  const seconds = Number(options.seconds ?? 60);
  const until = performance.now() + 1_000 * seconds;
  const walls = [];
  const memory = [];
  const failures = new Map();
  let published = 0;
  const cpu = cpuMs(serving.pid);
  const client = async (i) => {
    for (let n = i; performance.now() < until; n += 7) {
      const started = performance.now();
      await fleet.search({ query: questions[n % questions.length].query, limit: LIMIT }).then(
        () => walls.push(performance.now() - started),
        ({ code }) => failures.set(code, (failures.get(code) ?? 0) + 1),
      );
    }
  };
  const publishing = async () => {
    for (let n = 0; performance.now() < until; n++) {
      const dir = clones[n % clones.length];
      const args = [MAIN, 'publish', '--to', url, '--repo', `${nameOf(dir)}-copy${n}`];
      const child = spawn(process.execPath, args, { cwd: dir, stdio: 'ignore' });
      const [code] = await once(child, 'close');
      if (code === 0) published++;
      else failures.set('publish', (failures.get('publish') ?? 0) + 1);
    }
  };
  const watch = setInterval(() => memory.push(memoryMb(serving.pid)), 2_000);
  await Promise.all([publishing(), ...Array.from({ length: clients }, (_, i) => client(i))]);
  clearInterval(watch);
  const third = Math.ceil(memory.length / 3);
  const parts = [0, 1, 2].map((i) => Math.round(Math.max(...memory.slice(i * third, (i + 1) * third))));
  console.log(
    `${clients} clients for ${seconds} s, ${published} publications meanwhile: ${walls.length} answers, failures ${JSON.stringify(Object.fromEntries(failures))}, p50 ${middle(walls).toFixed(0)} ms, p95 ${middle(walls, 0.95).toFixed(0)} ms, CPU ${((cpuMs(serving.pid) - cpu) / walls.length).toFixed(0)} ms an answer and publication share, memory by thirds ${parts.join(', ')} MB`,
  );
}
await serving.close();
rmSync(folder, { recursive: true });
