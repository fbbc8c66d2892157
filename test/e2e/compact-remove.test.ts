/** `compact` and `remove`: what goes, what stays, and what needs a second word. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import {
  type CompactReport,
  compactReportSchema,
  type RemoveReport,
  removeReportSchema,
} from '../../src/questions/remove/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const compact = async (repo: TestRepo, ...args: string[]): Promise<CompactReport> =>
  check(compactReportSchema, await cliJson(['compact', ...args], { cwd: repo.dir }));
const remove = async (repo: TestRepo, ...args: string[]): Promise<RemoveReport> =>
  check(removeReportSchema, await cliJson(['remove', ...args], { cwd: repo.dir }));
const run = (repo: TestRepo, ...args: string[]) => cli(args, { cwd: repo.dir });

/** An indexed repository with one record that nothing needs. */
async function indexed(): Promise<{ repo: TestRepo; gone: string }> {
  const repo = createRepo();
  repo.commit(PROJECT);
  await run(repo, 'index');
  repo.git('checkout', '-q', '-b', 'side');
  repo.commit({ 'src/gone.ts': 'export const gone = 1;\n' });
  await run(repo, 'index');
  const gone = repo.git('rev-parse', 'HEAD:src/gone.ts');
  repo.git('checkout', '-q', 'main');
  repo.git('branch', '-q', '-D', 'side');
  return { repo, gone };
}

test('compact: history and unreachable records go, answers stay; a reflog is a reason to keep', async () => {
  const { repo, gone } = await indexed();
  const kept = await compact(repo, '--dry-run');
  assert.deepEqual([kept.refs[0].records, kept.refs[0].commits], [{ kept: 5, dropped: 0 }, 2]);
  repo.git('reflog', 'expire', '--expire=now', '--all');
  assert.equal(repo.git('rev-list', '--count', repo.notesRef), '2');
  const { refs } = await compact(repo);
  assert.deepEqual([refs.length, refs[0].records, refs[0].changed], [1, { kept: 4, dropped: 1 }, true]);
  assert.ok(!repo.notes().has(gone));
  assert.equal(repo.git('rev-list', '--count', repo.notesRef), '1');
  const found = await cliJson<{ results: { path: string }[] }>(['search', 'rememberToken'], { cwd: repo.dir });
  assert.equal(found.results[0].path, 'src/session.ts');
  const report = await cliJson<{ new: number }>(['index'], { cwd: repo.dir });
  assert.equal(report.new, 0);
  assert.deepEqual([(await compact(repo)).refs[0].changed, repo.fsck()], [false, '']);
  assert.match((await run(repo, 'compact')).stdout, /4 records in one commit already/);
  // What comes back is derived again.
  repo.commit({ 'src/gone.ts': 'export const gone = 1;\n' });
  await run(repo, 'index');
  assert.ok(repo.notes().has(gone));
});

test('compact drops nothing where reachability is unknown, and says so', async () => {
  const { repo } = await indexed();
  repo.git('reflog', 'expire', '--expire=now', '--all');
  repo.git('config', 'remote.origin.promisor', 'true');
  repo.git('config', 'remote.origin.url', '/nowhere');
  const { refs, reason } = await compact(repo);
  assert.deepEqual([refs[0].records, refs[0].changed], [{ kept: 5, dropped: 0 }, true]);
  assert.match(reason ?? '', /partial clone/);
  const refused = await run(repo, 'compact', '--remote', 'origin');
  assert.deepEqual([refused.code, /partial clone cannot compact a remote/.test(refused.stderr)], [2, true]);
});

async function shared(): Promise<{ server: TestRepo; repo: TestRepo }> {
  const server = createRepo({ bare: true });
  const { repo } = await indexed();
  repo.git('remote', 'add', 'origin', server.dir);
  repo.git('push', '-q', 'origin', 'main');
  await run(repo, 'push');
  repo.commit({ 'src/next.ts': 'export const next = 1;\n' });
  await run(repo, 'index');
  repo.git('push', '-q', 'origin', 'main');
  await run(repo, 'push');
  return { server, repo };
}

test('compact --remote: one commit with what its branches reach; clones go on', async () => {
  const { server, repo } = await shared();
  const ref = server.notesRef;
  assert.equal(server.git('rev-list', '--count', ref), '2');
  repo.git('reset', '-q', '--hard', 'HEAD^');
  repo.git('push', '-q', '--force', 'origin', 'main');
  const clone = cloneRepo(server);
  await run(clone, 'index');
  const report = await compact(repo, '--remote');
  assert.deepEqual([report.remote, report.refs[0].records], ['origin', { kept: 4, dropped: 1 }]);
  assert.deepEqual([server.git('rev-list', '--count', ref), server.notes().size], ['1', 4]);
  // The local notes are nobody else's business.
  assert.equal(repo.notes().size, 6);
  clone.commit({ 'src/more.ts': 'export const more = 1;\n' });
  clone.git('push', '-q', 'origin', 'HEAD:main');
  await run(clone, 'index');
  assert.equal((await run(clone, 'push')).code, 0);
  assert.deepEqual([server.notes().size, server.fsck()], [5, '']);
  // Commits of others that are not here: what they reach is unknown.
  const behind = await run(repo, 'compact', '--remote');
  assert.deepEqual([behind.code, /git fetch origin/.test(behind.stderr)], [2, true]);
});

test('remove: everything local goes, and it says what; on a remote only with --yes', async () => {
  const { server, repo } = await shared();
  const planned = await remove(repo, '--dry-run');
  assert.ok(existsSync(repo.state) && planned.refs.length === 2 && planned.paths.length === 1);
  const refused = await run(repo, 'remove', '--remote');
  assert.deepEqual([refused.code, /--remote origin --yes/.test(refused.stderr)], [2, true]);
  assert.ok(existsSync(repo.state));
  const done = await remove(repo);
  assert.deepEqual([done.refs, done.remoteRefs], [planned.refs, []]);
  assert.deepEqual([existsSync(repo.state), repo.git('for-each-ref', 'refs/notes')], [false, '']);
  assert.equal(Object.keys(server.notesRefs()).length, 1);
  assert.match((await run(repo, 'remove')).stdout, /nothing to delete/);
  // What only a later version knows may have been written by people.
  const later = 'refs/notes/socraticode/reviews/v1';
  repo.git('push', '-q', 'origin', `HEAD:${later}`);
  const remote = await remove(repo, '--remote', '--yes');
  assert.equal(remote.remoteRefs.length, 1);
  assert.deepEqual([Object.keys(server.notesRefs()), server.fsck(), repo.fsck()], [[later], '', '']);
  const again = await cliJson<{ new: number }>(['index'], { cwd: repo.dir });
  assert.equal(again.new, 5);
});

test('remove --profile leaves the others', async () => {
  const { repo } = await indexed();
  const old = 'refs/notes/socraticode/syntax/0123456789ab';
  repo.git('update-ref', old, repo.git('rev-parse', repo.notesRef));
  const { otherProfiles } = await compact(repo);
  assert.deepEqual(otherProfiles, [old]);
  const { refs, paths } = await remove(repo, '--profile', '0123456789ab');
  assert.deepEqual([refs, paths], [[old], []]);
  assert.deepEqual([Object.keys(repo.notesRefs()).length, existsSync(repo.state)], [1, true]);
  assert.equal((await run(repo, 'remove', '--profile', '../x')).code, 2);
});

test('what only a later version knows stays as it is, whatever is compacted, repaired or removed', async () => {
  const { repo, gone } = await indexed();
  repo.git('reflog', 'expire', '--expire=now', '--all');
  // Of two commits, by a target that no commit reaches, not where this version puts notes, and beside something that is no note.
  const note = repo.blob('a review');
  const flat = [gone, 'version'].map((name) => `100644 blob ${note}\t${name}\n`);
  const tree = repo.gitInput(flat.join(''), 'mktree');
  const later = 'refs/notes/socraticode/reviews/v1';
  const first = repo.commitTree(tree, later);
  const tip = repo.git('commit-tree', '-p', first, '-m', 'later', tree);
  repo.git('update-ref', later, tip);
  const { refs, otherProfiles } = await compact(repo);
  assert.deepEqual([refs.map(({ records }) => records), otherProfiles], [[{ kept: 4, dropped: 1 }], []]);
  const { code, stdout } = await run(repo, 'fsck');
  assert.deepEqual([code, stdout.match(/reviews/g)?.length], [0, 1], 'one line says that it was not checked');
  assert.match(stdout, new RegExp(`^note: notes-of-later-version: ${later}: .* cannot check$`, 'm'));
  assert.equal((await run(repo, 'fsck', '--repair')).code, 0);
  const removed = await remove(repo);
  assert.equal(removed.refs.length, 1);
  assert.match(removed.kept.join(), /what a later version keeps, in 1 ref:/);
  assert.equal(repo.git('rev-parse', later), tip);
  assert.deepEqual((await remove(repo, '--knowledge', '--yes')).refs, [later]);
});
