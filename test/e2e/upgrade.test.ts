/** Repositories as earlier builds left them: notes, local state, a hook, and of the later one a graph, vectors, notes, a tag and a task. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { HooksStatus } from '../../src/questions/hooks/question.js';
import type { IndexReport } from '../../src/questions/index/question.js';
import type { ProfilesReport } from '../../src/questions/state/question.js';
import type { StatusReport } from '../../src/questions/status/question.js';
import { CLI, cli, cliJson } from '../support/processes/cli.js';
import { capturedGit, idle, logged } from '../support/repositories/hooks.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/upgrade/', import.meta.url));
const refOf = (profile: string) => `refs/notes/socraticode/syntax/${profile}`;
/** Profiles of the first build that had all three, and of the one before definitions and uses were read anew. */
const [FIRST, LATER] = ['31be63723f3f', 'df29d2601a1b'];

/** The fixture unpacked: its hook calls the program under test, as after an upgrade in place. */
function leftBehind(profile: string): TestRepo {
  const fixture = join(FIXTURE, profile);
  const repo = createRepo();
  repo.git('fetch', '-q', '--update-head-ok', join(fixture, 'repository.bundle'), '+refs/*:refs/*');
  repo.git('reset', '-q', '--hard', 'main');
  cpSync(join(fixture, 'state'), repo.state, { recursive: true });
  const hook = join(repo.commonDir, 'hooks', 'post-commit');
  const text = readFileSync(join(fixture, 'post-commit'), 'utf8');
  writeFileSync(hook, text.replaceAll('@NODE@', process.execPath).replaceAll('@PROGRAM@', CLI));
  chmodSync(hook, 0o755);
  chmodSync(CLI, 0o755);
  return repo;
}

const found = async (repo: TestRepo, query: string) =>
  (await cliJson<{ results: { path: string }[] }>(['search', query], { cwd: repo.dir })).results.map(
    ({ path }) => path,
  );

test('what 0.1.0 indexed is searched, its hook goes on, and its records stay as they are', async () => {
  const repo = leftBehind(FIRST);
  const notes = repo.notesRefs();
  assert.deepEqual(Object.keys(notes), [refOf(FIRST)]);
  const first = await cli(['search', 'rememberToken'], { cwd: repo.dir });
  assert.match(first.stdout, /^src\/session\.ts:5 {2}SessionStore/);
  assert.match(first.stderr, /records here \(31be63723f3f\) were written by another version; this one makes its own/);
  assert.deepEqual((await found(repo, 'nearest depot')).slice(0, 1), ['lib/depot.py']);

  repo.write({ 'src/fresh.ts': 'export function freshThing() {}\n' });
  repo.git('add', '-A');
  assert.equal(capturedGit(repo.dir, ['commit', '-q', '-m', 'fresh']).status, 0);
  await logged(repo, /indexed/);
  await idle(repo);
  const status = await cliJson<StatusReport>(['status'], { cwd: repo.dir });
  assert.equal(status.commit, repo.git('rev-parse', 'HEAD'));
  assert.deepEqual((await found(repo, 'freshThing')).slice(0, 1), ['src/fresh.ts']);
  assert.equal(repo.notesRefs()[refOf(FIRST)], notes[refOf(FIRST)], 'the older version finds what it left');

  const hooks = async () =>
    (await cliJson<HooksStatus>(['hooks', 'status'], { cwd: repo.dir })).hooks.find(
      ({ event }) => event === 'post-commit',
    )?.state;
  assert.equal(await hooks(), 'outdated');
  await cli(['hooks', 'install'], { cwd: repo.dir });
  assert.equal(await hooks(), 'installed');
  const { profiles } = await cliJson<ProfilesReport>(['profiles'], { cwd: repo.dir });
  assert.match(JSON.stringify(profiles), /31be63723f3f/);
  assert.equal((await cli(['fsck'], { cwd: repo.dir })).code, 0);
});

test('the build before new records: its state, notes and tags serve the new one, and what is parsed again is said once', async () => {
  const repo = leftBehind(LATER);
  const env = laterUser(repo);
  const left = { ...repo.notesRefs(), ...oldState(repo) };
  const first = await cli(['index', '--json'], { cwd: repo.dir, env });
  assert.match(first.stderr, /records here \(df29d2601a1b\) were written by another version; this one makes its own/);
  const { new: parsed, chunks } = JSON.parse(first.stdout) as IndexReport;
  assert.deepEqual([parsed, chunks], [6, 6], 'each file once');
  const second = await cli(['index', '--json', '--ref', 'topic'], { cwd: repo.dir, env });
  assert.equal((JSON.parse(second.stdout) as IndexReport).new, 1, 'and of another branch what differs');
  assert.equal(second.stderr, '', 'said once');

  const said = async (...args: string[]) => (await cli(args, { cwd: repo.dir, env })).stdout;
  assert.match(await said('search', 'what a customer buys'), /^src\/cart\.ts:2 {2}Cart/);
  assert.match(await said('impact', 'Cart.total'), /src\/page\.ts.*cartPage/);
  assert.match(await said('outline', 'lib/flow.js'), /weigh/, 'Flow was lost before');
  assert.match(await said('review', 'main..topic'), /dayTotal/);
  assert.match(await said('note', 'list'), /src\/cart\.ts.*current\s+a cart lives for a day/);
  assert.match(await said('note', 'list'), /src\/page\.ts.*current\s+pages are cached/);
  assert.match(await said('tags'), /money/);
  assert.match(await said('task', 'list'), /round totals/);
  assert.equal((await cli(['compact'], { cwd: repo.dir, env })).code, 0);
  assert.equal((await cli(['fsck'], { cwd: repo.dir, env })).code, 0);
  assert.deepEqual(
    { ...left, ...repo.notesRefs(), ...oldState(repo) },
    { ...repo.notesRefs(), ...left },
    'the older one goes on',
  );
});

test('the build before new records and this one push to one remote: neither loses a record, and a new clone parses nothing', async () => {
  const repo = leftBehind(LATER);
  const env = laterUser(repo);
  const remote = createRepo({ bare: true });
  const pushed = 'refs/notes/remotes/origin/socraticode/*:refs/notes/socraticode/*';
  remote.git('fetch', '-q', join(FIXTURE, LATER, 'repository.bundle'), '+refs/heads/*:refs/heads/*', pushed);
  repo.git('remote', 'set-url', 'origin', remote.dir);
  const before = remote.notesRefs();
  for (const command of ['pull', 'index', 'push']) {
    const { code, stderr } = await cli([command], { cwd: repo.dir, env });
    assert.equal(code, 0, `${command}: ${stderr}`);
  }
  const after = remote.notesRefs();
  for (const ref of Object.keys(before)) assert.deepEqual(listed(remote, ref, before[ref]), listed(remote, ref), ref);
  const added = Object.keys(after).filter((ref) => !(ref in before));
  assert.deepEqual(added.map((ref) => ref.split('/')[3]).sort(), ['syntax', 'vectors']);

  const clone = cloneRepo(remote);
  assert.equal((await cli(['pull'], { cwd: clone.dir })).code, 0);
  const { new: parsed, reused } = await cliJson<IndexReport>(['index'], { cwd: clone.dir });
  assert.deepEqual([parsed, reused], [0, 6]);
  assert.match((await cli(['note', 'list'], { cwd: clone.dir })).stdout, /pages are cached/);
});

/** Entries of a notes ref: paths with the ids of their contents. */
const listed = (repo: TestRepo, ref: string, commit = ref) => repo.git('ls-tree', '-r', commit).split('\n');

/** The user of the later build, with whose key its local state is sealed, and who shares vectors. */
function laterUser(repo: TestRepo): NodeJS.ProcessEnv {
  const state = join(repo.commonDir, 'user');
  mkdirSync(join(state, 'git-socraticode'), { recursive: true });
  writeFileSync(join(state, 'git-socraticode', 'key'), Buffer.alloc(32, 7), { mode: 0o600 });
  repo.git('config', 'socraticode.vectors.share', 'always');
  repo.git('config', 'remote.origin.url', '../remote');
  return { XDG_STATE_HOME: state };
}

/** Files of the local state of the later build, by their bytes. */
function oldState(repo: TestRepo): Record<string, string> {
  const names = readdirSync(repo.state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes(LATER));
  return Object.fromEntries(names.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
}
