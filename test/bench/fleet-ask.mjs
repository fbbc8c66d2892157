/**
 * What a large fleet costs: questions to a server over a store that `fleet-copies.mjs` filled, publications of five files, eight
 * writers, many clients, and the time that a forbidden repository takes beside one that does not exist.
 *
 *     node test/bench/fleet-ask.mjs --store DIR --clone DIR [--questions 100] [--writers 20] [--clients 50] [--seconds 180] [--s3 25]
 *
 * `--clone` names one of the clones that were published; questions are subjects of its commits. `--writers` is the number of
 * seconds that eight processes publish for, `--s3` the ms that each request of an object store takes: the store is then read over the
 * protocol of S3 from a server of the tests, which keeps it in memory. `--only load` leaves everything out but the many clients, beside whom
 * `fleet maintain` runs once a minute as a process of its own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cpuMs, memoryMb, middle, sizeOf, startServer } from './fleet-server.mjs';

const options = Object.fromEntries(
  process.argv.slice(2).flatMap((word, i, all) => (word.startsWith('--') ? [[word.slice(2), all[i + 1]]] : [])),
);
const build = resolve(options.build ?? 'build/src');
const { fleetClient } = await import(pathToFileURL(join(build, '../fleet/src/http/client.js')));
const MAIN = join(build, 'cli/main.js');
const store = resolve(options.store);
const at = pathToFileURL(store).href;
const LIMIT = 10;

const run = (command, args, cwd) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
};
const ms = (value) => `${value.toFixed(0)} ms`;

const subjects = run('git', ['log', '-n', '2000', '--no-merges', '--format=%s'], options.clone)
  .split('\n')
  .filter((text) => text.length > 20);
const step = Math.max(1, Math.floor(subjects.length / Number(options.questions ?? 100)));
const questions = subjects.filter((_, i) => i % step === 0).slice(0, Number(options.questions ?? 100));
const own = `bench/${basename(options.clone)}`;

function storeSize() {
  const status = JSON.parse(run(process.execPath, [MAIN, 'fleet', 'status', '--at', at, '--json']));
  const [profile] = readdirSync(store);
  const units = status.tables.unit.rows;
  const each = (name) => (sizeOf(join(store, profile, `${name}_1.lance`)) / units / 1e3).toFixed(2);
  console.log(
    `${units} units, ${status.refs} refs: ${(sizeOf(store) / units / 1e3).toFixed(2)} kB a unit (search ${each('unit')}, records ${each('record')}, views ${each('view')})`,
  );
}

async function askAll(server, scopes) {
  const fleet = fleetClient({ url: server.url, token: null });
  const started = performance.now();
  await fleet.search({ query: 'where is a connection opened', limit: LIMIT });
  console.log(
    `first question of a server: ${ms(performance.now() - started)}, memory ${memoryMb(server.pid).toFixed(0)} MB`,
  );
  for (const [name, about] of scopes) {
    const walls = [];
    const cpu = cpuMs(server.pid);
    for (const query of questions) {
      const begun = performance.now();
      await fleet.search({ query, limit: LIMIT, ...about });
      walls.push(performance.now() - begun);
    }
    const each = (cpuMs(server.pid) - cpu) / questions.length;
    console.log(
      `${name}: p50 ${ms(middle(walls))}, p95 ${ms(middle(walls, 0.95))}, CPU ${ms(each)} a question, memory ${memoryMb(server.pid).toFixed(0)} MB`,
    );
  }
}

/** A clone with five changed files a round, to be published again and again. */
function writerOf(number) {
  const dir = mkdtempSync(join(tmpdir(), 'fleet-writer-'));
  run('git', ['init', '-q', '-b', 'main', dir]);
  let round = 0;
  const change = () => {
    round++;
    for (let i = 0; i < 5; i++)
      writeFileSync(
        join(dir, `part${i}.ts`),
        `export function part${i}Of${number}Round${round}(value: number) {\n  return value * ${round};\n}\n`,
      );
    const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];
    run('git', ['add', '.'], dir);
    run('git', [...identity, 'commit', '-qm', `round ${round}`], dir);
    run(process.execPath, [MAIN, 'index'], dir);
    return `part0Of${number}Round${round}`;
  };
  const publish = async (url) => {
    const child = spawn(
      process.execPath,
      [MAIN, 'publish', '--to', url, '--repo', `writers/w${number}`, '--default', 'main'],
      { cwd: dir, stdio: 'ignore' },
    );
    const [code] = await once(child, 'close');
    return code === 0;
  };
  return { change, publish, remove: () => rmSync(dir, { recursive: true }) };
}

async function publishing(server) {
  const fleet = fleetClient({ url: server.url, token: null });
  const writer = writerOf(0);
  writer.change();
  await writer.publish(server.url);
  const times = [];
  for (let i = 0; i < 10; i++) {
    const name = writer.change();
    const begun = performance.now();
    const cpu = cpuMs(server.pid);
    const good = await writer.publish(server.url);
    const published = performance.now() - begun;
    const { results } = await fleet.search({ query: name, limit: 1 });
    if (!good || results[0]?.repo !== 'writers/w0') throw new Error(`${name} is not found`);
    times.push({ published, found: performance.now() - begun, cpu: cpuMs(server.pid) - cpu });
  }
  writer.remove();
  const of = (key) => ms(middle(times.map((each) => each[key])));
  console.log(
    `publish of 5 indexed files, the whole command: p50 ${of('published')}; found ${of('found')} after its start; CPU of the server ${of('cpu')}`,
  );
}

async function writers(server, seconds) {
  const all = Array.from({ length: 8 }, (_, i) => writerOf(i + 1));
  for (const writer of all) writer.change();
  const until = performance.now() + 1_000 * seconds;
  let [done, failed] = [0, 0];
  const begun = performance.now();
  await Promise.all(
    all.map(async (writer) => {
      while (performance.now() < until) {
        if (await writer.publish(server.url)) done++;
        else failed++;
        writer.change();
      }
    }),
  );
  const elapsed = (performance.now() - begun) / 1e3;
  for (const writer of all) writer.remove();
  console.log(
    `8 writers for ${elapsed.toFixed(0)} s, each committing and indexing 5 files between two publications: ${(done / elapsed).toFixed(1)} a second, ${failed} failed`,
  );
}

async function load(server, clients, seconds) {
  const fleet = fleetClient({ url: server.url, token: null });
  const until = performance.now() + 1_000 * seconds;
  const walls = [];
  const memory = [];
  const failures = new Map();
  let published = 0;
  const cpu = cpuMs(server.pid);
  const client = async (i) => {
    for (let n = i; performance.now() < until; n += 7) {
      const begun = performance.now();
      await fleet.search({ query: questions[n % questions.length], limit: LIMIT }).then(
        () => walls.push(performance.now() - begun),
        ({ code }) => failures.set(code, (failures.get(code) ?? 0) + 1),
      );
    }
  };
  const writer = writerOf(99);
  const publisher = async () => {
    while (performance.now() < until) {
      writer.change();
      if (await writer.publish(server.url)) published++;
      else failures.set('publish', (failures.get('publish') ?? 0) + 1);
    }
  };
  const watch = setInterval(() => memory.push(memoryMb(server.pid)), 1_000);
  const looksAfter = () => spawn(process.execPath, [MAIN, 'fleet', 'maintain', '--at', at], { stdio: 'ignore' });
  const maintain = setInterval(looksAfter, 60_000);
  await Promise.all([publisher(), ...Array.from({ length: clients }, (_, i) => client(i))]);
  clearInterval(watch);
  writer.remove();
  clearInterval(maintain);
  const sixth = Math.ceil(memory.length / 6);
  const parts = [0, 1, 2, 3, 4, 5].map((i) => Math.round(Math.max(...memory.slice(i * sixth, (i + 1) * sixth))));
  console.log(
    `${clients} clients for ${seconds} s, ${published} publications meanwhile: ${walls.length} answers, failures ${JSON.stringify(Object.fromEntries(failures))}, p50 ${ms(middle(walls))}, p95 ${ms(middle(walls, 0.95))}, CPU ${ms((cpuMs(server.pid) - cpu) / walls.length)} an answer with its share of publications, memory by sixths ${parts.join(', ')} MB`,
  );
}

/** A forbidden repository and an absent one, asked in turn by a token that may read one other repository. */
async function timing() {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-tokens-'));
  const token = 'a-token-of-the-bench';
  const sha256 = createHash('sha256').update(token).digest('hex');
  const grants = { tokens: [{ sha256, name: 'bench', read: ['copy1/*'], publish: [] }] };
  writeFileSync(join(folder, 'tokens.json'), JSON.stringify(grants));
  const server = await startServer(MAIN, at, { args: ['--tokens', join(folder, 'tokens.json')] });
  const fleet = fleetClient({ url: server.url, token });
  const asks = {
    forbidden: [own, 'bench/absent'].map((repo) => () => fleet.file({ repo, path: 'README.md' })),
    search: [own, 'bench/absent'].map((repo) => () => fleet.search({ query: 'connection', repo: [repo] })),
  };
  for (const [name, pair] of Object.entries(asks)) {
    const walls = [[], []];
    for (let i = 0; i < 400; i++) {
      const side = i % 2;
      const begun = performance.now();
      await pair[side]().catch(() => {});
      walls[side].push(performance.now() - begun);
    }
    const [there, absent] = walls.map(
      (list) => `${middle(list).toFixed(2)} (${middle(list, 0.25).toFixed(2)} to ${middle(list, 0.75).toFixed(2)}) ms`,
    );
    console.log(`${name}: a repository that may not be read ${there}, one that does not exist ${absent}`);
  }
  await server.close();
  rmSync(folder, { recursive: true });
}

async function objectStorage(delayMs) {
  const { startS3, s3Environment } = await import(pathToFileURL(resolve('build/test/support/servers/s3-server.js')));
  const s3 = await startS3({ delayMs });
  for (const entry of readdirSync(store, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    s3.objects.set(`bucket/fleet/${path.slice(store.length + 1)}`, {
      bytes,
      etag: `"${s3.objects.size}"`,
      modified: new Date(),
    });
  }
  const server = await startServer(MAIN, 's3://bucket/fleet', { env: { ...process.env, ...s3Environment(s3) } });
  await askAll(server, [
    ['object storage, all', {}],
    ['object storage, all, again', {}],
    ['object storage, one repository', { repo: [own] }],
  ]);
  await server.close();
  await s3.close();
}

storeSize();
const server = await startServer(MAIN, at);
if (options.only !== 'load') {
  await askAll(server, [
    ['all repositories', {}],
    ['all repositories, again', {}],
    ['one repository', { repo: [own] }],
    ['a tenth of them', { repo: ['copy1/*'] }],
  ]);
  await publishing(server);
  if (options.writers) await writers(server, Number(options.writers));
}
if (options.clients) await load(server, Number(options.clients), Number(options.seconds ?? 180));
await server.close();
if (options.only !== 'load') await timing();
if (options.s3) await objectStorage(Number(options.s3));
