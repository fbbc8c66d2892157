import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FsckReport } from '../../src/questions/fsck/question.js';
import type { IndexReport } from '../../src/questions/index/question.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { indexRef } from '../../src/session/indexing/index-operation.js';
import {
  BRANCHES,
  faultOf,
  Mover,
  makeWorld,
  NotesWatch,
  type Told,
  type Tree,
  type World,
  WRITERS,
} from '../support/campaigns/busy.js';
import { campaign } from '../support/campaigns/campaign.js';
import { debris, orphansIn } from '../support/faults/aftermath.js';
import { pick } from '../support/generated/random.js';
import { inProcess } from '../support/in-process/search.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { makeDirectory, runGit, TestRepo } from '../support/repositories/repo.js';
import { startServer } from '../support/servers/mcp.js';

const READERS: readonly (readonly string[])[] = [
  ['search', 'rememberToken', '--committed', '--json'],
  ['status', '--json'],
  ['graph', 'stats', '--json'],
];

function indexAll(repo: TestRepo): Promise<void> {
  return inProcess(repo, async ({ session }) => {
    for (const ref of BRANCHES) await indexRef(session, { ref });
  });
}

/** At the end, every branch indexed: the notes of a clean build, and no more than what once was indexed. */
async function assertNothingLost({ main, other }: World): Promise<{ records: number; extra: number }> {
  const { repo } = main;
  await indexAll(repo);
  const clean = new TestRepo(makeDirectory('clean'));
  runGit(['clone', '-q', '--bare', '--no-hardlinks', repo.dir, clean.dir], { cwd: repo.dir });
  clean.git('remote', 'remove', 'origin');
  assert.deepEqual(clean.notesRefs(), {});
  await indexAll(clean);
  assert.deepEqual(Object.keys(repo.notesRefs()), Object.keys(clean.notesRefs()));
  const [seen, expected] = [repo.notes(), clean.notes()];
  for (const [target, record] of expected) assert.equal(seen.get(target), record, `the record of ${target}`);
  const extra = [...seen.keys()].filter((target) => !expected.has(target));
  // Of commits that nobody is at any more, and of the remote's.
  const isBlob = (place: TestRepo, target: string) =>
    runGit(['cat-file', '-t', target], { cwd: place.dir, allowFailure: true }).toString() === 'blob\n';
  for (const target of extra) assert.ok(isBlob(repo, target) || isBlob(other, target), target);
  return { records: expected.size, extra: extra.length };
}

async function assertClean({ main, linked, other, remote }: World): Promise<void> {
  for (const repo of [main.repo, other, remote]) assert.equal(repo.fsck(), '');
  assert.deepEqual([...debris(main.repo), ...debris(other)], []);
  const report = await cliJson<FsckReport>(['fsck', '--rederive'], { cwd: main.repo.dir });
  assert.equal(report.ok, true);
  for (const { repo } of [main, linked]) assert.deepEqual(await orphansIn(repo), []);
}

campaign(
  'writers',
  {
    bar: 'R4',
    claim: 'with many writers at once, no record is lost, no reader fails, and every answer fits a state that existed',
    short: { seconds: 2, writers: 3, readers: 1, files: 10, servers: 0, pauseMs: 400 },
    long: { seconds: 60, writers: 8, readers: 3, files: 60, servers: 1, pauseMs: 700 },
  },
  async ({ size, random, note, t }) => {
    const world = await makeWorld(size.files);
    await cliJson<IndexReport>(['index'], { cwd: world.main.repo.dir });
    const until = performance.now() + size.seconds * 1_000;
    const isOver = () => performance.now() >= until;
    const runs: Record<string, number> = {};
    const told: Told[] = [];
    const lost: string[] = [];
    let partial = 0;

    const write = async (name: string) => {
      for (let i = 0; !isOver(); i++) {
        const { args, repo } = await WRITERS[name](world, i);
        const { code, signal, stderr } = await cli(args, { cwd: repo.dir });
        assert.ok(signal === null && code !== null && code <= 1, `${name}: ${stderr}`);
        assert.doesNotMatch(stderr, /\bbug\b/, name);
        runs[name] = (runs[name] ?? 0) + 1;
      }
    };
    const listen = (response: SearchResponse, tree: Tree, before: number) => {
      told.push({ response, tree, before, after: tree.heads.length });
      if (response.coverage.covered < response.coverage.total) partial++;
    };
    const read = async (args: readonly string[]) => {
      for (let i = 0; !isOver(); i++) {
        const tree = i % 2 === 0 ? world.main : world.linked;
        const before = tree.heads.length;
        const { code, stdout, stderr } = await cli(args, { cwd: tree.repo.dir });
        assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
        if (args[0] === 'search') listen(JSON.parse(stdout), tree, before);
        runs[`reading: ${args[0]}`] = (runs[`reading: ${args[0]}`] ?? 0) + 1;
      }
    };
    const serve = async () => {
      const server = await startServer(t, world.linked.repo.dir);
      for (; !isOver(); await sleep(20)) {
        const before = world.linked.heads.length;
        const args = { query: 'rememberToken' };
        const { structured, isError, text } = await server.call('codebase_search', args);
        if (isError) assert.equal(structured?.error?.code, 'NOT_READY', text);
        else listen(structured, world.linked, before);
        runs['reading: server'] = (runs['reading: server'] ?? 0) + 1;
      }
      await server.close();
    };

    const mover = new Mover(world, random, size.pauseMs);
    const watch = new NotesWatch(world.main.repo);
    const moving = Promise.all([mover.run(), watch.run()]);
    const names = Object.keys(WRITERS);
    const start = random(names.length);
    const writers = Array.from({ length: size.writers }, (_, i) => write(names[(start + i) % names.length]));
    const readers = READERS.slice(0, size.readers).map(read);
    const servers = Array.from({ length: size.servers }, serve);
    try {
      await Promise.all([...writers, ...readers, ...servers]);
    } finally {
      mover.stop();
      lost.push(...watch.stop());
      await moving;
    }
    assert.deepEqual(lost, [], 'records that were there');
    note(`${mover.moves} moves, ${JSON.stringify(runs)}`);
    const { records, extra } = await assertNothingLost(world);
    await assertClean(world);
    for (const each of told.length > 200 ? Array.from({ length: 200 }, () => pick(random, told)) : told)
      assert.equal(faultOf(each), null);
    return {
      seconds: size.seconds,
      ...runs,
      movesOfTrees: mover.moves,
      looksAtNotes: watch.looks,
      answersChecked: Math.min(told.length, 200),
      saidToBePartial: partial,
      readerErrors: 0,
      records,
      recordsLost: 0,
      recordsOfEarlierCommits: extra,
    };
  },
);
