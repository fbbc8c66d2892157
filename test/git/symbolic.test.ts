/** Notes refs that stand for a branch, as an archive can bring them: nothing of ours is written through one. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { writeNotes } from '../../src/git/notes.js';
import { moveRefs } from '../../src/git/notes-history.js';
import { NOTES_PREFIX, openRepository, type Repository } from '../../src/git/repository.js';
import { requireDirect, requireDirectBelow } from '../../src/git/symbolic.js';
import { commitNotes, uniteNotes } from '../../src/git/unite.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

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
  await requireDirectBelow(repository, NOTES_PREFIX);
  repo.git('pack-refs', '--all');
  await requireDirectBelow(repository, NOTES_PREFIX);
  const notes = join(repo.commonDir, 'refs', 'notes');
  mkdirSync(notes, { recursive: true });
  symlinkSync(join('..', 'heads'), join(notes, 'remotes'));
  const isLinked = (error: unknown) => isSocraticodeError(error, 'GIT_FAILED') && /is a link/.test(error.message);
  await assert.rejects(requireDirect(repository, 'refs/notes/remotes/origin/socraticode/syntax/a'), isLinked);
  await assert.rejects(requireDirectBelow(repository, 'refs/notes/remotes/origin/socraticode'), isLinked);
});

test('a ref that is a link itself is symbolic; a link above it is told by its name', async () => {
  const { repo, repository } = await project();
  const syntax = join(repo.commonDir, NOTES_PREFIX, 'syntax');
  mkdirSync(syntax, { recursive: true });
  symlinkSync('nowhere', join(syntax, '0123456789ab'));
  await assert.rejects(requireDirect(repository, REF), isRefused);
  const linked = createRepo();
  symlinkSync('heads', join(linked.commonDir, 'refs', 'notes'));
  const message = 'refs/notes is a link: writing below it would change other refs';
  await assert.rejects(requireDirect(await openRepository(linked.dir), REF), { code: 'GIT_FAILED', message });
});

test('refs are looked through sixteen folders deep, and not beyond', async () => {
  const { repo, repository } = await project();
  const deep = (count: number) => join(repo.commonDir, NOTES_PREFIX, ...Array.from({ length: count }, () => 'd'));
  mkdirSync(deep(16), { recursive: true });
  await requireDirectBelow(repository, NOTES_PREFIX);
  mkdirSync(deep(17));
  await assert.rejects(requireDirectBelow(repository, NOTES_PREFIX), { code: 'GIT_FAILED', message: /is a link/ });
});

test('where refs are in a reftable, git is asked', async () => {
  const commonDir = makeDirectory('reftable');
  mkdirSync(join(commonDir, 'reftable'));
  const answers = { code: 1, text: '' };
  const git = { run: async () => ({ code: answers.code }), text: async () => answers.text };
  const repository = { commonDir, git } as unknown as Repository;
  await requireDirect(repository, REF);
  answers.text = `${NOTES_PREFIX}/a \n${NOTES_PREFIX}/b `;
  await requireDirectBelow(repository, NOTES_PREFIX);
  answers.text += `\n${REF} refs/heads/main\n${NOTES_PREFIX}/z refs/heads/main`;
  await assert.rejects(requireDirectBelow(repository, NOTES_PREFIX), isRefused);
  answers.code = 0;
  await assert.rejects(requireDirect(repository, REF), isRefused);
});

test('a ref that git packs between two looks is direct; one that cannot be read is a fault of the disk', async () => {
  const { repository } = await project();
  const folders = ['before', 'after'].map((name) => makeDirectory(name));
  const lookTwice = (make: (path: string) => void) => {
    mkdirSync(join(folders[1], 'refs'), { recursive: true });
    make(join(folders[1], 'refs', 'x'));
    let looks = 0;
    // The third look opens the file.
    return {
      ...repository,
      get commonDir() {
        return folders[looks++ < 2 ? 0 : 1];
      },
    };
  };
  mkdirSync(join(folders[0], 'refs'));
  writeFileSync(join(folders[0], 'refs', 'x'), 'a'.repeat(40));
  await requireDirect(
    lookTwice(() => {}),
    'refs/x',
  );
  await assert.rejects(
    requireDirect(
      lookTwice((path) => mkdirSync(path)),
      'refs/x',
    ),
    { code: 'DISK', message: /cannot read refs\/x/ },
  );
});
