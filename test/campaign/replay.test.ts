/**
 * Real commits through the hook path, with everything that people do in between, while others ask and processes are
 * killed. `--repository DIR` says whose history is replayed in the long form; in the suite it is made up.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { campaign } from '../support/campaigns/campaign.js';
import { LONG } from '../support/campaigns/long.js';
import { gitBeside, Replay, WORK_BRANCH } from '../support/campaigns/replay/history.js';
import { Askers, Killer } from '../support/campaigns/replay/replay-beside.js';
import { answersOf, indexBytes, publishLater, totalOf, unionCommit } from '../support/campaigns/replay/replay-end.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { filesUnder, processesIn } from '../support/processes/traces.js';
import { installHooks, until } from '../support/repositories/hooks.js';
import { cloneRepo, createRepo, makeDirectory, TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';
import { startServer } from '../support/servers/mcp.js';

/** Of the disk that a clean build takes. */
const MAX_RATIO = 1.2;
const ORIGINALS = 'refs/originals/tip';

/** A made-up history: files that are added, changed and removed. */
function madeUp(commits: number): TestRepo {
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...manyFiles(20) });
  for (let i = 0; i < commits; i++) {
    if (i % 5 === 4) repo.git('rm', '-q', `src/part${i % 20}.ts`);
    repo.commit({ [`src/part${(i * 7) % 20}.ts`]: `export function made${i}() {\n  return ${i};\n}\n` }, `step ${i}`);
  }
  return repo;
}

interface Start {
  repo: TestRepo;
  commits: string[];
}

/** A clone at the first of the commits to be replayed, indexed, with hooks. */
async function start(source: string, wanted: number): Promise<Start> {
  const repo = cloneRepo(new TestRepo(source));
  repo.git('remote', 'remove', 'origin');
  const log = repo.git('rev-list', '--first-parent', '--reverse', 'HEAD').split('\n');
  const commits = log.slice(-wanted);
  repo.git('checkout', '-q', '-B', WORK_BRANCH, log[log.length - commits.length - 1] ?? `${commits[0]}~1`);
  // The originals are needed until they have been made again.
  repo.git('update-ref', ORIGINALS, commits[commits.length - 1]);
  for (const name of repo.git('for-each-ref', '--format=%(refname)').split('\n')) {
    if (name !== `refs/heads/${WORK_BRANCH}` && name !== ORIGINALS) repo.git('update-ref', '-d', name);
  }
  await cliJson(['index'], { cwd: repo.dir });
  await installHooks(repo);
  return { repo, commits };
}

/** Until the worker of the hooks has served them all; a killed one may have left them to the next event. */
async function settle(repo: TestRepo): Promise<void> {
  const { stderr } = await gitBeside(repo.dir, ['commit', '-q', '--allow-empty', '-m', 'the last one']);
  assert.equal(stderr, '');
  const busy = () => ['hook.queue', 'hook.lock', 'hook.starting'].filter((name) => existsSync(join(repo.state, name)));
  await until(
    () => busy().length === 0,
    () => `still there: ${busy()}`,
  );
}

campaign(
  'replay',
  {
    bar: 'L1',
    claim: 'after thousands of commits, with gc, rebases and kills in between, the index equals a clean build',
    short: { commits: 25, askers: 1, kills: 3 },
    long: { commits: 2_000, askers: 2, kills: 200 },
  },
  async ({ size, random, isLong, t, note }) => {
    const source = LONG?.repository ?? madeUp(size.commits + 1).dir;
    const { repo, commits } = await start(source, size.commits);
    const temporary = makeDirectory('tmp');
    process.env.TMPDIR = temporary;
    const replay = new Replay(repo.dir, random);
    const beside = await startBeside(t, repo, size.askers);
    const killer = new Killer(repo, random);
    const kill = Math.max(1, Math.floor(commits.length / size.kills));
    for (const [i, commit] of commits.entries()) {
      await replay.commit(commit);
      await replay.steps();
      if (i % kill === kill - 1) await killer.killOne(beside.askers);
      // The worker gets its turn after every third commit or so; the others come in storms.
      if (random(3) === 0) await killer.pause(random(isLong ? 900 : 300));
      if (i % 100 === 99) note(`${i + 1} commits, ${beside.askers.asked} questions, ${killer.killed} kills`);
    }
    await settle(repo);
    const descriptors = await beside.end();
    return { ...(await judge(repo, temporary, isLong)), ...replay.counts, ...killer.figures(), ...descriptors };
  },
);

/** Those who ask all the time: processes, and one server that stays. */
async function startBeside(t: TestContext, repo: TestRepo, count: number) {
  const server = await startServer(t, repo.dir);
  await server.ask('codebase_search', { query: 'export function' });
  const countDescriptors = () => readdirSync(`/proc/${server.pid}/fd`).length;
  const before = process.platform === 'linux' ? countDescriptors() : 0;
  const askers = new Askers(repo, server, count);
  askers.start();
  t.after(() => askers.cancel());
  return {
    askers,
    end: async () => {
      await askers.stop();
      const after = process.platform === 'linux' ? countDescriptors() : 0;
      assert.ok(after <= before + 10, `descriptors of the server: ${before}, then ${after}`);
      await server.close();
      return { questions: askers.asked, 'slowest answer (ms)': askers.slowest, descriptors: `${before} -> ${after}` };
    },
  };
}

/** Compares what all this left with a clean build of the same commits. */
async function judge(repo: TestRepo, temporary: string, isLong: boolean): Promise<Record<string, number | string>> {
  repo.git('update-ref', '-d', ORIGINALS);
  const { commits, files } = unionCommit(repo);
  const clean = new TestRepo(makeDirectory('clean'));
  repo.git('clone', '-q', '--mirror', `file://${repo.dir}`, join(clean.dir, '.git'));
  clean.git('config', 'core.bare', 'false');
  for (const name of Object.keys(clean.notesRefs())) clean.git('update-ref', '-d', name);
  clean.git('reset', '-q', '--hard', WORK_BRANCH);
  const { code, stdout } = await cli(['fsck', '--rederive', 'all'], { cwd: repo.dir });
  assert.equal(code, 0, stdout);
  for (const each of [repo, clean]) {
    for (const ref of ['union', WORK_BRANCH]) await cliJson(['index', '--ref', ref], { cwd: each.dir });
  }
  const [answers, expected] = [await answersOf(repo), await answersOf(clean)];
  assert.deepEqual(answers, expected);
  for (const each of [repo, clean]) await publishLater(each);
  repo.git('reflog', 'expire', '--expire=now', '--all');
  const [grown, small] = [indexBytes(repo), indexBytes(clean)];
  for (const each of [repo, clean]) await cliJson(['compact'], { cwd: each.dir });
  assert.equal(repo.notesTree(), clean.notesTree());
  assert.equal(repo.fsck(), '');
  const ratio = totalOf(grown) / totalOf(small);
  // Of a few small files most bytes are caches of what was asked.
  if (isLong) assert.ok(ratio <= MAX_RATIO, `${JSON.stringify(grown)}, a clean build ${JSON.stringify(small)}`);
  assert.deepEqual(processesIn(repo.dir), []);
  assert.deepEqual(filesUnder(temporary), []);
  const left = filesUnder(repo.commonDir).filter((name) =>
    /\.tmp-|tmp_(pack|idx|obj)|fast_import_crash|socraticode\/.*\.(lock|steal|starting)$|^refs\/notes\/.*\.lock$/.test(
      name,
    ),
  );
  assert.deepEqual(left, []);
  return { commits, files, 'disk against a clean build': Number(ratio.toFixed(3)), bytes: totalOf(grown) };
}
