/** Notes refs that stand for a branch, as an archive can bring them: nothing of ours is written through one. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { writeNotes } from '../../src/git/notes.js';
import { moveRefs } from '../../src/git/notes-history.js';
import { NOTES_PREFIX, openRepository } from '../../src/git/repository.js';
import { requireDirect, requireDirectBelow } from '../../src/git/symbolic.js';
import { commitNotes, uniteNotes } from '../../src/git/unite.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;
const isRefused = (error: unknown) =>
  isSocraticodeError(error, 'GIT_FAILED') && (error.hint ?? '').includes(`git symbolic-ref -d ${REF}`);

async function project(): Promise<{ repo: TestRepo; repository: Awaited<ReturnType<typeof openRepository>> }> {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a\n' });
  return { repo, repository: await openRepository(repo.dir) };
}

for (const target of ['refs/heads/main', 'refs/heads/unborn', 'HEAD']) {
  test(`a notes ref that is symbolic for ${target} is not written`, async () => {
    const { repo, repository } = await project();
    const blob = repo.git('rev-parse', 'HEAD:a.txt');
    const theirs = await commitNotes(repository, null, new Map([[blob, blob]]));
    repo.git('symbolic-ref', REF, target);
    const before = repo.git('for-each-ref');
    await assert.rejects(writeNotes(repository, REF, [{ target: blob, note: Buffer.from('n') }]), isRefused);
    await assert.rejects(uniteNotes(repository, REF, theirs), isRefused);
    await assert.rejects(requireDirectBelow(repository, NOTES_PREFIX), isRefused);
    assert.equal(repo.git('for-each-ref'), before);
  });
}

test('moving a symbolic ref moves the ref, not its target', async () => {
  const { repo, repository } = await project();
  const main = repo.git('rev-parse', 'main');
  repo.git('symbolic-ref', REF, 'refs/heads/main');
  assert.equal(await moveRefs(repository.git, [{ ref: REF, from: main, to: null }]), null);
  assert.equal(repo.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main');
});

test('a symbolic link counts as a symbolic ref; packed and missing refs are accepted', async () => {
  const { repo, repository } = await project();
  await requireDirect(repository, REF);
  repo.git('update-ref', REF, 'HEAD');
  await requireDirect(repository, REF);
  repo.git('pack-refs', '--all');
  await requireDirectBelow(repository, NOTES_PREFIX);
  const notes = join(repo.commonDir, 'refs', 'notes');
  mkdirSync(notes, { recursive: true });
  symlinkSync(join('..', 'heads'), join(notes, 'remotes'));
  const isLinked = (error: unknown) => isSocraticodeError(error, 'GIT_FAILED') && /is a link/.test(error.message);
  await assert.rejects(requireDirect(repository, 'refs/notes/remotes/origin/socraticode/syntax/a'), isLinked);
  await assert.rejects(requireDirectBelow(repository, 'refs/notes/remotes/origin/socraticode'), isLinked);
});
