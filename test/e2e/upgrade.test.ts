/** A repository as an earlier version left it: notes, local state and a hook of 0.1.0 at its first state that had all three. */
import assert from 'node:assert/strict';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { HooksStatus } from '../../src/questions/hooks/question.js';
import type { ProfilesReport } from '../../src/questions/profiles/question.js';
import type { StatusReport } from '../../src/questions/status/question.js';
import { CLI, cli, cliJson } from '../support/processes/cli.js';
import { capturedGit, idle, logged } from '../support/repositories/hooks.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/upgrade/', import.meta.url));
const OLD_NOTES = 'refs/notes/socraticode/syntax/31be63723f3f';

/** The fixture unpacked: its hook calls the program under test, as after an upgrade in place. */
function leftBehind(): TestRepo {
  const repo = createRepo();
  repo.git('fetch', '-q', '--update-head-ok', join(FIXTURE, 'repository.bundle'), '+refs/*:refs/*');
  repo.git('reset', '-q', '--hard', 'main');
  cpSync(join(FIXTURE, 'state'), repo.state, { recursive: true });
  const hook = join(repo.commonDir, 'hooks', 'post-commit');
  const text = readFileSync(join(FIXTURE, 'post-commit'), 'utf8');
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
  const repo = leftBehind();
  const notes = repo.notesRefs();
  assert.deepEqual(Object.keys(notes), [OLD_NOTES]);
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
  assert.equal(repo.notesRefs()[OLD_NOTES], notes[OLD_NOTES], 'the older version finds what it left');

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
