/** Repositories of every shape: what is checked, and what is no fault there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setLogLevel } from '../../../src/base/log.js';
import { encodeSyntaxRecord } from '../../../src/record/syntax-codec.js';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo, makeDirectory, runGit, TestRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';
import { check, faultsOf, writeNote } from './stock.js';

setLogLevel('silent');

const index = (repo: TestRepo) => inProcess(repo, ({ session }) => indexRef(session));

test('nothing indexed, nothing committed: nothing wrong', async () => {
  const unborn = createRepo();
  const report = await check(unborn, { rederive: 5, repair: true });
  assert.deepEqual([report.ok, report.checked.records, report.repaired?.indexed], [true, 0, false]);
  const fresh = await check(createRepo());
  assert.deepEqual([fresh.ok, fresh.indexed, fresh.findings], [true, false, []]);
});

test('SHA-256, bare and linked work trees', async () => {
  const repo = createRepo({ objectFormat: 'sha256' });
  repo.commit(PROJECT);
  await index(repo);
  const linked = makeDirectory('linked');
  repo.git('worktree', 'add', '-q', '--detach', linked, 'HEAD');
  const bare = makeDirectory('bare');
  runGit(['clone', '-q', '--mirror', `file://${repo.dir}`, bare], { cwd: repo.dir });
  const mirror = new TestRepo(bare);
  await index(mirror);
  for (const place of [repo, new TestRepo(linked), mirror]) {
    const report = await check(place, { rederive: place === mirror ? 'all' : undefined });
    assert.deepEqual([report.ok, faultsOf(report), report.checked.records], [true, {}, 4]);
    if (place === mirror) assert.equal(report.rederived?.equal, 4);
    assert.deepEqual([report.checked.shards, report.checked.units], [1, 4]);
  }
  const blob = repo.git('rev-parse', 'HEAD:README.md');
  await writeNote(mirror, [{ target: blob, note: Buffer.from('x') }]);
  assert.deepEqual(faultsOf(await check(mirror)), { 'note-undecodable': 1 });
  assert.deepEqual(faultsOf(await check(mirror, { repair: true })), {});
  assert.equal(mirror.notesTree(), repo.notesTree());
});

test('a partial clone: what is elsewhere is no fault, and nothing is fetched', async () => {
  const remote = createRepo();
  remote.git('config', 'uploadpack.allowFilter', 'true');
  remote.commit(PROJECT);
  remote.commit({ 'README.md': '# Another\n' });
  await index(remote);
  const dir = makeDirectory('partial');
  runGit(['clone', '-q', '--filter=blob:none', '--no-checkout', `file://${remote.dir}`, dir], { cwd: remote.dir });
  const clone = new TestRepo(dir);
  clone.git('fetch', '-q', '--no-filter', 'origin', '+refs/notes/*:refs/notes/*');
  const before = clone.git('count-objects', '-v');
  const report = await check(clone, { rederive: 'all' });
  assert.deepEqual([report.ok, faultsOf(report), report.checked.records], [true, {}, 4]);
  assert.deepEqual([report.rederived?.notComparable, report.counts['orphan-records']], [{ 'not-here': 4 }, 1]);
  assert.equal(clone.git('count-objects', '-v'), before);
});

test('records of other profiles: checked as far as they are known, and touched only by name', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  await index(repo);
  const [own, other] = [repo.notesRef, 'refs/notes/socraticode/syntax/0123456789ab'];
  const blob = repo.git('rev-parse', 'HEAD:README.md');
  const newer = Buffer.from(encodeSyntaxRecord(blob, { skip: 'binary' }));
  // The version stands behind the magic.
  newer[5] = 9;
  const [good, bad] = [repo.blob(newer), repo.blob('no record')];
  const second = repo.git('rev-parse', 'HEAD:lib/depot.py');
  repo.git('notes', `--ref=${other}`, 'add', '-C', good, blob);
  repo.git('notes', `--ref=${other}`, 'add', '-C', bad, second);
  const tip = repo.git('rev-parse', other);
  const report = await check(repo);
  assert.equal(faultsOf(report)['note-undecodable'], 1);
  await check(repo, { repair: true });
  assert.equal(repo.git('rev-parse', other), tip);
  const named = await check(repo, { repair: true, profile: '0123456789ab' });
  assert.deepEqual([named.ok, repo.git('notes', `--ref=${other}`, 'list')], [true, `${good} ${blob}`]);
  assert.deepEqual([(await check(repo)).ok, repo.notesRefs()[own] !== undefined], [true, true]);
});
