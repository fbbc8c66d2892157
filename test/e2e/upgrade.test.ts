/** Repositories as earlier builds left them: notes, local state, a hook, and of the later one a linked graph and a kept note. */
import assert from 'node:assert/strict';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { HooksStatus } from '../../src/questions/hooks/question.js';
import type { ProfilesReport } from '../../src/questions/state/question.js';
import type { StatusReport } from '../../src/questions/status/question.js';
import { CLI, cli, cliJson } from '../support/processes/cli.js';
import { capturedGit, idle, logged } from '../support/repositories/hooks.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/upgrade/', import.meta.url));
const refOf = (profile: string) => `refs/notes/socraticode/syntax/${profile}`;
/** Profiles of the first build that had all three, and of the one before definitions and uses were read anew. */
const [FIRST, LATER] = ['31be63723f3f', '48f12490de7a'];

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

test('a later build’s graph, note and records: each is read anew or kept, said, and left to the older one', async () => {
  const repo = leftBehind(LATER);
  const old = repo.notesRefs()[refOf(LATER)];
  const first = await cli(['search', 'what a customer buys'], { cwd: repo.dir });
  assert.match(first.stdout, /^src\/cart\.ts:2 {2}Cart/);
  assert.match(first.stderr, /records here \(48f12490de7a\) were written by another version; this one makes its own/);
  assert.match((await cli(['impact', 'Cart.total'], { cwd: repo.dir })).stdout, /src\/page\.ts.*cartPage/);
  assert.match((await cli(['outline', 'lib/flow.js'], { cwd: repo.dir })).stdout, /weigh/, 'Flow was lost before');
  assert.match(
    (await cli(['note', 'list'], { cwd: repo.dir })).stdout,
    /src\/cart\.ts.*current\s+a cart lives for a day/,
  );
  assert.equal(repo.notesRefs()[refOf(LATER)], old);
  assert.equal((await cli(['fsck'], { cwd: repo.dir })).code, 0);

  const { made, records } = await afterPushOfBoth(repo);
  assert.deepEqual(made, [refOf(LATER), ...Object.keys(repo.notesRefs()).filter((ref) => ref !== refOf(LATER))].sort());
  assert.equal(records, 6);
});

/** Pushes the records of both builds; a fresh clone fetches those of this one. */
async function afterPushOfBoth(repo: TestRepo): Promise<{ made: string[]; records: number }> {
  const remote = createRepo({ bare: true });
  repo.git('remote', 'add', 'origin', remote.dir);
  repo.git('push', '-q', 'origin', 'main', refOf(LATER));
  assert.equal((await cli(['push'], { cwd: repo.dir })).code, 0);
  const clone = createRepo();
  clone.git('remote', 'add', 'origin', remote.dir);
  clone.git('fetch', '-q', 'origin');
  clone.git('reset', '-q', '--hard', 'origin/main');
  await cli(['pull'], { cwd: clone.dir });
  const { reused } = await cliJson<{ reused: number }>(['index'], { cwd: clone.dir });
  return { made: Object.keys(remote.notesRefs()).sort(), records: reused };
}
