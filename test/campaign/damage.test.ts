/** R3: whatever happened to local files, the answer is the same. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findLocalKey } from '../../src/base/local-key.js';
import { log, setLogLevel } from '../../src/base/log.js';
import { openRepository } from '../../src/git/repository.js';
import { HookQueue } from '../../src/hooks/queue.js';
import { buildHnsw, openHnsw, type UsearchIndex, usearch } from '../../src/shard/hnsw.js';
import { hnswPath } from '../../src/shard/lexical-format.js';
import { writeVectorShard } from '../../src/shard/vector-shard.js';
import { RemoteMemory } from '../../src/share/pull.js';
import { campaign } from '../support/campaigns/campaign.js';
import { pick, type Random } from '../support/generated/random.js';
import { answers, damage, filesOf, kindOf, MUTATIONS, makeSubject, type Subject } from '../support/hostile/damage.js';
import { answer } from '../support/in-process/answer.js';
import { ask } from '../support/processes/ask.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { makeDirectory, type TestRepo } from '../support/repositories/repo.js';

setLogLevel('silent');

/** Up to so many files damaged at once, of kinds that are equally likely; returns what was done to which. */
function damageSome(subject: Subject, most: number, random: Random): { kind: string; mutation: string }[] {
  const done: { kind: string; mutation: string }[] = [];
  for (let n = 1 + random(most); n > 0; n--) {
    const files = filesOf(subject.repo);
    const kind = pick(random, [...new Set(files.map(kindOf))]);
    const of = files.filter((each) => kindOf(each) === kind);
    const mutation = pick(random, Object.keys(MUTATIONS));
    if (damage(subject, pick(random, of), mutation, random)) done.push({ kind, mutation });
  }
  return done;
}

/** All of an earlier state: each file is whole, and sealed here. */
async function assertNotStale({ repo, earlier, expected }: Subject): Promise<void> {
  rmSync(repo.state, { recursive: true });
  cpSync(earlier, repo.state, { recursive: true, preserveTimestamps: true });
  assert.deepEqual(await answers(repo), expected, 'an earlier state');
}

/** Nothing left at all: built from records, without parsing. */
async function assertRebuilt({ repo, expected }: Subject): Promise<void> {
  rmSync(repo.state, { recursive: true });
  assert.equal((await cliJson<{ new: number }>(['index'], { cwd: repo.dir })).new, 0);
  assert.deepEqual(await answers(repo), expected, 'no state');
}

const manifestBeside = ({ state }: TestRepo, name: string): string =>
  readFileSync(join(state, dirname(name), 'manifest.json'), 'utf8');

/** On the command line damage is one line, and gone the next time. */
async function assertSaid({ repo }: Subject): Promise<void> {
  const ask = () => cli(['search', 'rememberToken', '--committed'], { cwd: repo.dir });
  const before = await ask();
  // Replaced shards stay for a while, and nobody reads them: the manifest names those that are read.
  const shard = filesOf(repo).find(
    (name) => kindOf(name) === 'lexical' && manifestBeside(repo, name).includes(basename(name)),
  );
  const path = join(repo.state, shard as string);
  writeFileSync(path, readFileSync(path).fill(0xff, 100, 200));
  const damaged = await ask();
  assert.deepEqual([damaged.code, damaged.stdout], [0, before.stdout]);
  assert.match(damaged.stderr, /^git-socraticode: lexical-\w+\.bin fails its checksum[^\n]*\n$/);
  assert.deepEqual(await ask(), { ...damaged, stderr: '' });
}

/** Files that are only read by what runs beside a question: none of them stops it, or is waited for. */
async function damageBeside(subject: Subject, count: number, random: Random): Promise<void> {
  const { repo } = subject;
  const names = ['hook.queue', 'hook.taken', 'remotes.json', 'log.jsonl', 'hook.stderr'];
  const hooks = () => answer(['-C', repo.dir, 'hooks', 'status', '--json']);
  await useBeside(repo);
  const expected = (await hooks()).code;
  for (let i = 0; i < count; i++) {
    const name = names[i % names.length];
    const path = join(repo.state, name);
    if (!existsSync(path)) writeFileSync(path, 'something');
    const mutation = pick(random, Object.keys(MUTATIONS));
    if (!damage(subject, name, mutation, random)) continue;
    await useBeside(repo);
    const { code, stderr } = await hooks();
    assert.equal(code, expected, `${mutation} ${name}: ${stderr}`);
    rmSync(path, { recursive: true, force: true });
  }
}

async function useBeside(repo: TestRepo): Promise<void> {
  const queue = new HookQueue(repo.state);
  queue.peek();
  queue.take();
  queue.add({ event: 'post-commit', directory: repo.dir, pusher: 0, argument: '' });
  const memory = new RemoteMemory(await openRepository(repo.dir));
  memory.isUnited('refs/notes/x', '0');
  memory.setRequested('somewhere', 1_000);
  log.info('something happened');
}

/** The key itself: with another one, or none that can be used, everything is built again. */
async function damageKey(subject: Subject, count: number, random: Random): Promise<void> {
  const { repo } = subject;
  const question = ['search', 'ThirdDraft SecondShard', '--json'];
  const expected = await answer(['-C', repo.dir, ...question]);
  for (let i = 0; i < count; i++) {
    const home = makeDirectory('home');
    const env = { XDG_STATE_HOME: home };
    const { id } = findLocalKey({ ...env });
    await ask(repo.dir, [question], env);
    const path = join(home, 'git-socraticode/key');
    const mutation = pick(
      random,
      Object.keys(MUTATIONS).filter((name) => name !== 'swap' && name !== 'older'),
    );
    MUTATIONS[mutation]({ path, name: 'key', bytes: readFileSync(path), random, subject });
    assert.notEqual(findLocalKey({ ...env }).id, id, mutation);
    const [{ code, stdout, stderr }] = await ask(repo.dir, [question], env);
    assert.deepEqual([code, stdout, stderr], [0, expected.stdout, ''], `${mutation} key`);
  }
}

const [PROFILE, LEXICAL] = ['0123456789ab', 'lexical-0123456789abcdef.bin'];

/** Graphs of vectors: none that was damaged is loaded. Returns how many were tried. */
async function damageGraphs(subject: Subject, count: number, random: Random): Promise<number> {
  const engine = usearch();
  if (engine === null) return 0;
  const [directory, dimensions] = [makeDirectory(), 32];
  const rows = Int8Array.from({ length: 200 * dimensions }, () => random(255) - 127);
  const vectors = writeVectorShard(directory, PROFILE, LEXICAL, { dimensions, rows });
  await buildHnsw(directory, PROFILE, LEXICAL, vectors);
  const path = hnswPath(directory, PROFILE, LEXICAL);
  const sound = readFileSync(path);
  const prototype: UsearchIndex = engine.Index.prototype;
  const { load } = prototype;
  let loads = 0;
  prototype.load = function (this: UsearchIndex, file: string) {
    loads++;
    load.call(this, file);
  };
  try {
    for (let i = 0; i < count; i++) {
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, sound);
      const mutation = pick(
        random,
        Object.keys(MUTATIONS).filter((name) => name !== 'swap' && name !== 'older'),
      );
      MUTATIONS[mutation]({ path, name: 'hnsw', bytes: sound, random, subject });
      assert.equal(openHnsw(directory, PROFILE, LEXICAL, vectors), null, mutation);
    }
    assert.equal(loads, 0, 'a damaged graph was loaded');
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
    await buildHnsw(directory, PROFILE, LEXICAL, vectors);
    assert.ok(openHnsw(directory, PROFILE, LEXICAL, vectors) !== null);
    assert.equal(loads, 1);
  } finally {
    prototype.load = load;
  }
  return count;
}

const AT_ONCE = 4;

campaign(
  'damage',
  {
    bar: 'R3',
    claim: 'damage to local files is noticed before they are believed, and the answer stays the same',
    short: { mutations: 24, graphs: 20, beside: 6, keys: 0 },
    long: { mutations: 2_000, graphs: 500, beside: 200, keys: 10 },
  },
  async ({ size, random, note }) => {
    const subject = await makeSubject();
    const [kinds, mutations] = [new Map<string, number>(), new Map<string, number>()];
    const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
    let [done, rounds] = [0, 0];
    for (; done < size.mutations; rounds++) {
      const some = damageSome(subject, Math.min(AT_ONCE, size.mutations - done), random);
      assert.deepEqual(await answers(subject.repo), subject.expected, JSON.stringify(some));
      for (const { kind, mutation } of some) {
        count(kinds, kind);
        count(mutations, mutation);
      }
      done += some.length;
      if (rounds % 50 === 49) note(`${done} mutations`);
    }
    await assertSaid(subject);
    await damageBeside(subject, size.beside, random);
    await damageKey(subject, size.keys, random);
    await assertRebuilt(subject);
    await assertNotStale(subject);
    const graphs = await damageGraphs(subject, size.graphs, random);
    const list = (counts: Map<string, number>) =>
      [...counts]
        .map(([name, n]) => `${name} ${n}`)
        .sort()
        .join(', ');
    return {
      'mutations of files that are believed': done,
      'of graphs of vectors': graphs,
      'of the queue, the log and what is known of remotes': size.beside,
      'of the key': size.keys,
      'rounds of questions': rounds,
      kinds: list(kinds),
      how: list(mutations),
    };
  },
);
