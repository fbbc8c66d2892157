/** Jobs of the background: one at a time, shared by who asks for the same, and gone when nobody is there any more. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answerImpact } from '../../src/questions/graph/impact/answer.js';
import { answerReferences } from '../../src/questions/graph/references/answer.js';
import { answerSymbol } from '../../src/questions/graph/symbol/answer.js';
import { answerUnused } from '../../src/questions/graph/unused/answer.js';
import { describeRun, type JobMessage, JobProcess, type JobRequest } from '../../src/serve/job.js';
import { searcherOf } from '../../src/session/search/searcher.js';
import { askerOf } from '../support/in-process/asker.js';
import { holdWriterLock, serve, until, untilIdle } from '../support/in-process/serve.js';
import { descendants, isAlive } from '../support/processes/process-tree.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { startServer } from '../support/repositories/vectors-repo.js';

function shop(files = 1): TestRepo {
  const repo = createRepo();
  const entries = Array.from({ length: files }, (_, i) => [
    `src/part${i}.ts`,
    `export function part${i}(): number {\n  return ${i};\n}\n`.repeat(20),
  ]);
  repo.commit(Object.fromEntries(entries));
  return repo;
}

test('who asks for the same waits for the same, and what was asked last goes first', async (t) => {
  const repo = shop();
  repo.git('branch', 'one');
  repo.commit({ 'two.ts': 'export const two = 2;\n' });
  repo.git('branch', 'two');
  repo.commit({ 'three.ts': 'export const three = 3;\n' });
  const release = await holdWriterLock(repo);
  t.after(release);
  const { background } = await serve(t, repo).open();
  const asked = [background.update({}, {}), background.update({}, {}), background.update({ ref: 'HEAD' }, {})];
  await until(() => background.isBusy);
  const one = background.update({ ref: 'one' });
  await until(() => background.state().queued.length > 0);
  const two = background.update({ in: 'one..two' });
  await until(() => background.state().queued.length > 1);
  const { running, queued } = background.state();
  assert.deepEqual([running?.ref, ...queued.map(({ ref }) => ref)], ['HEAD', 'two', 'one']);
  assert.match(describeRun(running as NonNullable<typeof running>), /^indexing HEAD/);
  const late = await background.update({ ref: 'one' }, { waitMs: 1 });
  assert.deepEqual([late.status, background.state().queued[0].ref], ['running', 'one']);
  release();
  for (const outcome of await Promise.all([...asked, one, two])) assert.equal(outcome.status, 'done');
  const outcomes = await Promise.all(asked);
  const reports = outcomes.map((outcome) => outcome.status === 'done' && outcome.report);
  assert.equal(reports[0], reports[1]);
  assert.equal(reports[0], reports[2], 'HEAD and no ref are the same files under the same settings');
});

test('what is told of a job on the way, and what the report says, are those of an index run', async (t) => {
  const repo = shop(400);
  const { background } = await serve(t, repo).open();
  const phases = new Set<string>();
  let [counted, done] = [0, 0];
  const outcome = await background.update(
    {},
    {
      onProgress: ({ running }) => {
        if (running === null) return;
        phases.add(running.phase);
        if (running.phase !== 'indexing') return;
        counted = Math.max(counted, running.total);
        done = Math.max(done, running.done);
      },
    },
  );
  assert.ok(outcome.status === 'done');
  assert.deepEqual([outcome.report.files, outcome.report.new, outcome.report.vectors.fault], [400, 400, null]);
  assert.ok(phases.has('indexing') && phases.has('vectors'), [...phases].join());
  assert.deepEqual([done, counted], [400, 400], 'the last step is told, however soon it follows another one');
});

test('a question that waits for a job says when it begins and when it ends', async (t) => {
  const repo = shop();
  const release = await holdWriterLock(repo);
  t.after(release);
  const projects = serve(t, repo);
  const { background, session } = await projects.open();
  let waiting = 0;
  projects.waits.addListener({ pause: () => waiting++, resume: () => waiting-- });
  const origin = await session.origin(undefined);
  const asked = [background.index(origin), background.link(origin), background.update({})];
  await until(() => waiting === asked.length);
  release();
  await Promise.all(asked);
  assert.equal(waiting, 0);
});

test('stopping ends what runs and forgets what waits; asked again, it goes on', async (t) => {
  const repo = shop();
  const release = await holdWriterLock(repo);
  t.after(release);
  const { background } = await serve(t, repo).open();
  assert.equal(await background.stop(), false);
  const asked = background.update({});
  await until(() => background.state().running?.phase === 'waiting-for-lock');
  assert.equal(await background.stop(), true);
  const outcome = await asked;
  assert.ok(outcome.status === 'failed');
  assert.equal(outcome.error.code, 'CANCELLED');
  assert.deepEqual(background.state().running, null);
  release();
  assert.equal((await background.update({})).status, 'done');
});

test('a run that waits for an embedder makes way for files that are new, and is taken up again', async (t) => {
  const server = await startServer(t);
  Object.assign(process.env, { SOCRATICODE_EMBEDDER_NAME: 'ollama', SOCRATICODE_EMBEDDER_ENDPOINT: server.url });
  t.after(() => {
    delete process.env.SOCRATICODE_EMBEDDER_NAME;
    delete process.env.SOCRATICODE_EMBEDDER_ENDPOINT;
  });
  const repo = shop();
  server.fail('/api/embed', { kind: 'hang' }, 1);
  const { background, session } = await serve(t, repo).open();
  const whole = background.update({});
  await until(() => background.state().running?.phase === 'vectors');
  repo.commit({ 'src/late.ts': 'export const late = 1;\n' });
  const search = () => searcherOf(session).search({ query: 'late', mode: 'lexical' });
  await until(async () => (await search()).coverage.covered === 2);
  assert.equal((await search()).results[0].path, 'src/late.ts');
  const outcome = await whole;
  assert.ok(outcome.status === 'done');
  assert.deepEqual([outcome.report.files, outcome.report.vectors.fault], [1, null]);
  assert.equal(outcome.report.vectors.covered, outcome.report.vectors.total);
});

test('what cannot be indexed is an error with its reason, and is not tried by every question', async (t) => {
  const repo = shop();
  repo.write({ '.git/socraticode': 'a file where a directory should be' });
  const project = await serve(t, repo).open();
  const outcome = await project.background.update({});
  assert.ok(outcome.status === 'failed');
  const { code, hint } = outcome.error;
  assert.ok(code === 'DISK' && hint !== '', code);
  await assert.rejects(searcherOf(project.session).search({ query: 'part' }), { code: 'DISK' });
  await untilIdle(project);
  const before = project.background.state().last?.endedAt;
  await assert.rejects(searcherOf(project.session).search({ query: 'part' }), { code: 'DISK' });
  assert.equal(project.background.state().last?.endedAt, before);
});

const SERVING = fileURLToPath(new URL('../support/processes/serving.js', import.meta.url));

/** A server that has come so far. */
async function serverIn(repo: TestRepo, phase: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [SERVING, repo.dir], { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(() => said.includes(`${phase}\n`) || child.exitCode !== null);
  return child;
}

/** Processes that do jobs for this one. */
function workers(): number[] {
  return descendants(process.pid).filter((pid) => {
    try {
      return isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('background-worker');
    } catch {
      return false;
    }
  });
}

const needsProc = { skip: existsSync('/proc/self/stat') ? false : 'there is no /proc' };

/** Files enough to be still indexing when it is killed. */
const FILES = { 'waiting-for-lock': 100, indexing: 600 };

for (const [phase, files] of Object.entries(FILES)) {
  test(`a server that is killed leaves no process behind: ${phase}`, needsProc, async (t) => {
    const repo = shop(files);
    const release = phase === 'indexing' ? () => {} : await holdWriterLock(repo);
    t.after(release);
    const server = await serverIn(repo, phase);
    const pids = descendants(server.pid as number);
    assert.ok(pids.length >= 3, `the server, its job and git: ${pids.length}`);
    server.kill('SIGKILL');
    await until(() => !pids.some(isAlive));
    release();
    const { background } = await serve(t, repo).open();
    assert.equal((await background.update({})).status, 'done');
    assert.equal(repo.fsck(), '');
  });
}

test(
  'the next commit is indexed and linked by the process that did the last; one that died is replaced',
  needsProc,
  async (t) => {
    await until(() => workers().length === 0);
    const repo = shop();
    const project = await serve(t, repo).open();
    const ask = async (name: string) => {
      repo.commit({ [`src/${name}.ts`]: `export const ${name} = 1;\n` });
      const search = () => searcherOf(project.session).search({ query: name, mode: 'lexical' });
      await search();
      // The first answer waits only a moment: on a busy machine it comes before the commit is indexed.
      await untilIdle(project);
      assert.equal((await search()).results[0].path, `src/${name}.ts`);
      const [pid, ...more] = workers();
      assert.deepEqual(more, []);
      return pid;
    };
    await ask('first');
    const [one, last] = [await ask('second'), project.background.state().last];
    assert.deepEqual([last?.ok, last?.kind], [true, 'link']);
    assert.equal(await ask('third'), one);
    process.kill(one, 'SIGKILL');
    await until(() => workers().length === 0);
    assert.notEqual(await ask('fourth'), one);
    project.close();
    await until(() => workers().length === 0);
  },
);

test('a job that meets a process which has just died begins anew in another one', needsProc, async (t) => {
  await until(() => workers().length === 0);
  const repo = shop();
  const { background } = await serve(t, repo).open();
  assert.equal((await background.update({})).status, 'done');
  await until(() => !background.isBusy);
  const [pid] = workers();
  repo.commit({ 'src/next.ts': 'export const next = 1;\n' });
  // Its end is not heard before this returns.
  process.kill(pid, 'SIGKILL');
  const outcome = await background.update({});
  assert.deepEqual([outcome.status, outcome.status === 'done' && outcome.report.new], ['done', 1]);
  await until(() => !background.isBusy);
  assert.notEqual(workers()[0], pid);
});

test('a job that makes way leaves its process to the one that goes first', needsProc, async (t) => {
  await until(() => workers().length === 0);
  const repo = shop();
  const project = await serve(t, repo).open();
  const { background, session } = project;
  const release = await holdWriterLock(repo);
  t.after(release);
  const { run } = JobProcess.prototype;
  const pids: (number | undefined)[] = [];
  t.mock.method(JobProcess.prototype, 'run', function (this: JobProcess, ...job: Parameters<JobProcess['run']>) {
    pids.push(this.pid);
    return run.apply(this, job);
  });
  const stopped = background.update({});
  await until(() => background.state().running?.phase === 'waiting-for-lock');
  await background.stop();
  assert.equal((await stopped).status, 'failed');
  release();
  assert.equal((await background.update({})).status, 'done');
  // What is made in advance may begin in another process meanwhile.
  assert.equal(pids[1], pids[0]);
  assert.equal(await background.index(await session.origin('HEAD')), null);
});

test('what is linked in advance is linked to its end beside what a question waits for, but no two of them', async (t) => {
  const repo = shop();
  const project = await serve(t, repo).open();
  const { background, session } = project;
  const outcome = await background.update({});
  assert.ok(outcome.status === 'done');
  await untilIdle(project);
  const runs: { tell: (message: JobMessage) => void; free: () => void }[] = [];
  t.mock.method(JobProcess.prototype, 'run', (_: JobRequest, tell: (message: JobMessage) => void) => {
    return new Promise<void>((free) => runs.push({ tell, free }));
  });
  const kill = t.mock.method(JobProcess.prototype, 'kill', () => {});
  const ask = async (name: string) => {
    repo.commit({ [`src/${name}.ts`]: `export const ${name} = 1;\n` });
    const asked = background.index(await session.origin(undefined));
    const [latest] = runs.slice(-1);
    latest.tell({ type: 'indexed', report: null });
    latest.tell({ type: 'phase', phase: 'linking' });
    assert.equal(await asked, null);
    return [runs.length, kill.mock.callCount()];
  };
  assert.deepEqual(await ask('one'), [1, 0]);
  assert.deepEqual(await ask('two'), [2, 0], 'at once, while the first is being linked');
  assert.deepEqual(await ask('three'), [3, 1], 'the first is given up');
  repo.git('checkout', '-q', 'HEAD~1');
  const asked = background.link(await session.origin(undefined));
  assert.equal(runs.length, 3, 'what is linked beside is not linked once more');
  assert.deepEqual([background.isBusy, background.state().running?.phase], [true, 'linking']);
  for (const { tell, free } of runs) {
    tell({ type: 'done', report: outcome.report });
    free();
  }
  assert.equal(await asked, 'whole');
  await untilIdle(project);
  assert.equal(background.state().last?.ok, true);
});

test('while an index takes long, a name is looked up in the files that are read, and nothing is called complete', async (t) => {
  const repo = createRepo();
  repo.commit({
    'src/cart.ts': "import { price } from './price';\nexport function total(): number {\n  return price() * 2;\n}\n",
    'src/price.ts': 'export function price(): number {\n  return 21;\n}\nfunction lonely() {}\n',
  });
  const project = await serve(t, repo).open();
  await searcherOf(project.session).search({ query: 'total' });
  await untilIdle(project);
  const release = await holdWriterLock(repo);
  t.after(release);
  repo.commit({ 'src/discount.ts': "import { price } from './price';\nexport const discount = () => price() - 3;\n" });
  repo.write({ 'src/open.ts': 'export const open = 1;\n' });
  const at = askerOf(project.session);
  const coverage = { covered: 2, total: 3 };

  const symbol = await answerSymbol(at, { names: ['lonely'], linked: false } as never);
  assert.ok('noCallers' in symbol);
  assert.deepEqual([symbol.coverage, symbol.dirty, symbol.overlay], [coverage, 1, 0]);
  assert.deepEqual([symbol.noCallers?.verdict, symbol.definitions[0].path], ['degraded', 'src/price.ts']);
  const references = await answerReferences(at, { name: 'price' } as never);
  assert.ok('uses' in references);
  assert.deepEqual(
    references.uses.list.map(({ path, kind }) => `${path} ${kind}`),
    ['src/cart.ts import', 'src/cart.ts call'],
  );
  const impact = await answerImpact(at, { target: 'price', depth: 3, minConfidence: 0 } as never);
  assert.match(impact && 'risk' in impact ? impact.risk.reasons.join() : '', /not all files are read yet/);
  // What is not there yet is not said to be missing, and what only the whole graph tells is not told from a part.
  const later = answerReferences(at, { name: 'discount' } as never);
  await assert.rejects(later, {
    code: 'NOT_READY',
    message: /^no symbol discount is defined.*only 2 of 3 files are read so far$/,
  });
  await assert.rejects(answerUnused(at, {} as never), { code: 'NOT_READY', message: /the graph is not linked yet/ });

  release();
  await untilIdle(project);
  const whole = await answerReferences(at, { name: 'price' } as never);
  assert.ok('uses' in whole);
  assert.deepEqual([whole.coverage, whole.uses.list.length], [{ covered: 4, total: 4 }, 4]);
});
