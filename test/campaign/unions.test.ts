import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { notePath } from '../../src/git/notes.js';
import { openRepository } from '../../src/git/repository.js';
import { pullNotes } from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import { campaign } from '../support/campaigns/campaign.js';
import type { Random } from '../support/generated/random.js';
import { type Case, cases, UnionWorld } from '../support/generated/unions.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';
import {
  blobOf,
  NOTES_REF,
  note,
  noted,
  remoteWith,
  SELECTOR,
  sharedOf,
  texts,
} from '../support/repositories/share.js';

const support = (name: string) => fileURLToPath(new URL(`../support/processes/${name}.js`, import.meta.url));
/** Loose objects and refs of so many cases. */
const CASES_PER_REPO = 100;

async function assertUnion(world: UnionWorld, given: Case): Promise<void> {
  const [a, b, c] = await world.commits(given);
  const expected = world.expected(given);
  const ab = await world.unite([a, b], given);
  const all = await world.unite([c], given, ab);
  const tree = await world.treeOf(all);
  assert.deepEqual(await world.notesOf(all, given), expected);
  assert.deepEqual((await world.depthsOf(all)).split('\n'), expected.map(([target]) => notePath(target)).sort());
  const bc = await world.unite([c, b], given);
  const others = [await world.unite([bc, a], given), await world.unite([a, bc], given)];
  others.push(await world.unite([c, b, a, b, c, all], given));
  for (const other of others) assert.equal(await world.treeOf(other), tree);
  assert.equal(await world.unite([a, ab, c, all, bc], given, all), all, 'nothing is gained, nothing is written');
  // As git itself may have written it, at whatever depths.
  assert.deepEqual(await world.notesOf(await world.unite([b, c], given, a), given), expected);
  // Whoever deletes notes deletes them for nobody else.
  const less = await world.without(all, given.deleted);
  assert.equal(await world.unite([less], given, all), all);
  assert.equal(await world.treeOf(await world.unite([all], given, less)), tree);
}

/** So many cases one after the other; git runs most of the time, so two such rows run at once. */
async function tryCases(numRuns: number, seed: number): Promise<void> {
  let world: UnionWorld | null = null;
  let done = 0;
  const property = fc.asyncProperty(cases, async (given) => {
    if (world === null || done++ % CASES_PER_REPO === 0) {
      if (world !== null) assert.equal(world.repo.fsck(), '');
      const repo = createRepo();
      world = new UnionWorld(repo, await openRepository(repo.dir));
    }
    await assertUnion(world, given);
  });
  if (numRuns > 0) await fc.assert(property, { numRuns, seed, endOnFailure: true, includeErrorInReport: true });
}

function run(script: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [support(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve, reject) =>
    child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`${script} ended with ${code}`)))),
  );
}

const push = async (repo: TestRepo, name = 'origin') => pushNotes(await sharedOf(repo), name, [SELECTOR]);
const pull = async (repo: TestRepo, name = 'origin') => pullNotes(await sharedOf(repo), name, [SELECTOR]);

/** Clones that note and push one blob after the other, all at once, while one also indexes and another one also pulls. */
async function race(clones: number, pushes: number): Promise<{ attempts: number; records: number }> {
  const count = clones * pushes;
  const { remote, clone } = remoteWith(texts(count));
  const blobs = Array.from({ length: count }, (_, i) => blobOf(clone, `f${i}.txt`));
  const repos = Array.from({ length: clones }, () => cloneRepo(remote));
  const local = Array.from({ length: 30 }, (_, i) => repos[0].blob(`only here ${i}`));
  const pushing = repos.map((repo, i) =>
    run('pusher', [repo.dir, 'origin', ...blobs.slice(i * pushes, (i + 1) * pushes)]),
  );
  let isOver = false;
  const pulling = (async () => {
    while (!isOver) await pull(repos[1]);
  })();
  const writing = run('notes-writer', [repos[0].dir, NOTES_REF, ...local]);
  const attempts = (await Promise.all(pushing)).reduce((sum, text) => sum + Number(text), 0);
  isOver = true;
  await Promise.all([pulling, writing]);
  assert.deepEqual(noted(remote), [...blobs].sort());
  for (const [i, repo] of repos.entries()) {
    await pull(repo);
    assert.deepEqual(noted(repo), [...blobs, ...(i === 0 ? local : [])].sort());
    assert.equal(repo.fsck(), '');
  }
  assert.equal(remote.fsck(), '');
  return { attempts, records: count };
}

/** What becomes of a remote's ref while nobody looks. */
const MISHAPS: Readonly<Record<string, (remote: TestRepo, early: string) => void>> = {
  'rewound by one': (remote) => {
    const parent = remote.git('rev-list', '--max-count=2', NOTES_REF).split('\n').at(-1) as string;
    remote.git('update-ref', NOTES_REF, parent);
  },
  'an old state': (remote, early) => remote.git('update-ref', NOTES_REF, early),
  deleted: (remote) => remote.git('update-ref', '-d', NOTES_REF),
  emptied: (remote) => void remote.commitTree(remote.gitInput('', 'mktree'), NOTES_REF),
  'another history': (remote) => {
    const tree = remote.git('rev-parse', `${NOTES_REF}^{tree}`);
    remote.commitTree(tree, NOTES_REF);
  },
};

/** Two clones and two remotes, whose refs meet with mishaps between the pushes: at the end all have everything. */
async function mishaps(rounds: number, random: Random): Promise<number> {
  const count = 2 * rounds + 1;
  const { remote, clone } = remoteWith(texts(count));
  const second = createRepo({ bare: true });
  const blobs = Array.from({ length: count }, (_, i) => blobOf(clone, `f${i}.txt`));
  const other = cloneRepo(remote);
  clone.git('push', '-q', second.dir, 'main');
  for (const repo of [clone, other]) repo.git('remote', 'add', 'second', `file://${second.dir}`);
  await note(clone, blobs.slice(0, 1));
  for (const name of ['origin', 'second']) await push(clone, name);
  const early = remote.git('rev-parse', NOTES_REF);
  second.git('fetch', '-q', remote.dir, early);
  const had = new Map([clone, other].map((repo) => [repo, new Set<string>()]));
  const names = Object.keys(MISHAPS);
  let happened = 0;
  for (let i = 0; i < rounds; i++) {
    const targets = [remote, second];
    const target = targets[random(2)];
    // To what an earlier mishap has deleted, and nobody has pushed to since, no more can happen.
    if (NOTES_REF in target.notesRefs()) {
      MISHAPS[names[i % names.length]](target, early);
      happened++;
    }
    for (const [j, repo] of [clone, other].entries()) {
      await note(repo, [blobs[1 + 2 * i + j]]);
      const name = ['origin', 'second'][random(2)];
      await (random(2) === 0 ? push(repo, name) : pull(repo, name));
      const now = new Set(noted(repo));
      for (const blob of had.get(repo) ?? [])
        assert.ok(now.has(blob), `${names[i % names.length]} lost a local record`);
      had.set(repo, now);
    }
  }
  for (const repo of [clone, other, clone]) for (const name of ['origin', 'second']) await push(repo, name);
  const trees = [clone, other, remote, second].map((repo) => repo.git('rev-parse', `${NOTES_REF}^{tree}`));
  assert.deepEqual([noted(remote), new Set(trees).size], [[...blobs].sort(), 1]);
  for (const repo of [clone, other, remote, second]) assert.equal(repo.fsck(), '');
  return happened;
}

campaign(
  'unions',
  {
    bar: 'R6',
    claim: 'notes unite in any order to the same tree; racing pushes and remotes that were reset lose nothing',
    short: { cases: 5, clones: 3, pushes: 2, mishaps: 4 },
    long: { cases: 1_000, clones: 4, pushes: 25, mishaps: 40 },
  },
  async ({ size, random, note: tell }) => {
    const halves = [Math.ceil(size.cases / 2), Math.floor(size.cases / 2)];
    await Promise.all(halves.map((numRuns) => tryCases(numRuns, random(2 ** 31))));
    tell(`${size.cases} cases`);
    const raced = await race(size.clones, size.pushes);
    tell(`${raced.records} pushes`);
    return {
      generatedCases: size.cases,
      clones: size.clones,
      racingPushes: raced.records,
      recordsKept: `${raced.records}/${raced.records}`,
      attempts: raced.attempts,
      mishapsOfRemotes: await mishaps(size.mishaps, random),
      kindsOfMishaps: Object.keys(MISHAPS).join('; '),
      localRecordsLost: 0,
    };
  },
);
