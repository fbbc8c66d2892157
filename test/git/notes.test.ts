/** Writing notes: found by git, complete under races, united at any fan-out depth. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import {
  importLoose,
  isLostRace,
  listNotes,
  notePath,
  notesFailure,
  requireDirect,
  requireDirectBelow,
  writeNotes,
} from '../../src/git/notes.js';
import { moveRefs } from '../../src/git/notes-history.js';
import { commitNotes, uniteNotes } from '../../src/git/notes-union.js';
import { NOTES_PREFIX, openRepository, type Repository } from '../../src/git/repository.js';
import { createRepo, makeDirectory, runGit, type TestRepo } from '../support/repositories/repo.js';

const REF = `${NOTES_PREFIX}/syntax/0123456789ab`;

function blobs(repo: TestRepo, count: number, prefix = 'blob'): string[] {
  return repo.blobs(Array.from({ length: count }, (_, i) => `${prefix} ${i}\n`));
}

const contentOf = (repo: TestRepo, target: string) =>
  runGit(['notes', `--ref=${REF}`, 'show', target], { cwd: repo.dir }).toString('latin1');

for (const objectFormat of ['sha1', 'sha256'] as const) {
  test(`${objectFormat}: git reads the written notes, binary ones too, and git fsck is clean`, async () => {
    const repo = createRepo({ objectFormat });
    const repository = await openRepository(repo.dir);
    const targets = blobs(repo, 20);
    const entries = targets.map((target, i) => ({ target, note: Buffer.from([i, 0, 10, 13, 0xff, 10]) }));
    const tip = await writeNotes(repository, REF, entries);
    assert.equal(tip, repo.git('rev-parse', REF));
    assert.deepEqual([...repo.notes().keys()].sort(), [...targets].sort());
    assert.equal(contentOf(repo, targets[3]), Buffer.from([3, 0, 10, 13, 0xff, 10]).toString('latin1'));
    const { notes, foreign } = await listNotes(repository.git, tip);
    assert.deepEqual([...notes.keys()].sort(), [...targets].sort());
    assert.equal(foreign.size, 0);
    assert.equal(repo.fsck(), '');
  });
}

test('notes that git wrote at other fan-out depths are read, and replaced without a duplicate', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const targets = blobs(repo, 300);
  for (const target of targets.slice(0, 5)) {
    const source = repo.blob(`by git ${target}`);
    repo.git('notes', `--ref=${REF}`, 'add', '-C', source, target);
  }
  const flat = await listNotes(repository.git, REF);
  assert.deepEqual([flat.notes.size, flat.foreign.size], [5, 5]);
  const entries = targets.slice(3).map((target) => ({ target, note: Buffer.from(`ours ${target}`) }));
  await writeNotes(repository, REF, entries, { foreign: flat.foreign });
  assert.equal(contentOf(repo, targets[0]), `by git ${targets[0]}`);
  assert.equal(contentOf(repo, targets[3]), `ours ${targets[3]}`);
  assert.equal(repo.notes().size, 300);
  // Adding by hand makes git rewrite the fan-out as it likes.
  const extra = repo.blob('extra');
  repo.git('notes', `--ref=${REF}`, 'add', '-C', repo.blob('by git'), extra);
  const mixed = await listNotes(repository.git, REF);
  assert.equal(mixed.notes.size, 301);
  await writeNotes(repository, REF, [{ target: extra, note: Buffer.from('ours') }], { foreign: mixed.foreign });
  assert.equal(contentOf(repo, extra), 'ours');
  assert.equal((await listNotes(repository.git, REF)).notes.size, 301);
  assert.equal(repo.fsck(), '');
});

test('entries of a notes tree that are not notes are ignored and kept', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const oid = repo.blob('x');
  repo.commitTree(
    repo.rawTree([
      { oid, name: 'README' },
      { oid, name: 'ab' },
    ]),
    REF,
  );
  const [target] = blobs(repo, 1);
  await writeNotes(repository, REF, [{ target, note: Buffer.from('n') }]);
  assert.deepEqual([...(await listNotes(repository.git, REF)).notes.keys()], [target]);
  assert.equal(repo.git('cat-file', '-p', `${REF}:README`), 'x');
});

test('waits for a ref lock that is released', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const [target] = blobs(repo, 1);
  const lock = join(repo.commonDir, `${REF}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, '');
  setTimeout(() => rmSync(lock), 150);
  await writeNotes(repository, REF, [{ target, note: Buffer.from('n') }]);
  assert.equal(repo.notes().size, 1);
});

test('a lock on another ref is reported with its path and stays', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const [target] = blobs(repo, 1);
  await writeNotes(repository, REF, [{ target, note: Buffer.from('n') }]);
  const lock = join(repo.commonDir, 'packed-refs.lock');
  writeFileSync(lock, '');
  const commit = repo.git('rev-parse', REF);
  const failure = await moveRefs(repository.git, [{ ref: REF, from: commit, to: null }]);
  const { code, hint } = notesFailure(failure ?? '');
  assert.deepEqual([code, hint.includes(lock)], ['LOCKED', true]);
  assert.deepEqual([existsSync(lock), repo.git('rev-parse', REF)], [true, commit]);
});

test('a note lies at fan-out ab/cd/rest', () => {
  assert.equal(notePath('abcdef0123'), 'ab/cd/ef0123');
});

test('a race that was lost, or a gc in between, is worth another attempt; a full disk and other failures are not', () => {
  for (const failure of [
    'fatal: Not updating refs/notes/x (new tip aaa does not contain bbb)\nerror: not updating',
    "error: cannot lock ref 'refs/notes/x': is at aaa but expected bbb",
    "fatal: Unable to create '/r/.git/refs/notes/x.lock': File exists.",
    'error: unable to create temporary file: No such file or directory',
    'error: unable to write file .git/objects/ab/cdef: No such file or directory',
    'fatal: branch is missing commits',
  ])
    assert.equal(isLostRace(failure), true, failure);
  for (const failure of [
    "fatal: Unable to create '/r/.git/refs/notes/x.lock': No space left on device",
    "fatal: Unable to create '/r/.git/refs/notes/x.lock': Permission denied",
    'fatal: bad object',
    '',
  ])
    assert.equal(isLostRace(failure), false, failure);
});

test('a stream that git refuses makes no commit, and its crash report does not stay', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const stream = (...lines: string[]) =>
    importLoose(repository, (ref) => [Buffer.from([`commit ${ref}`, ...lines, ''].join('\n'))]);
  const made = await stream('mark :1', 'committer A <a@b> now', 'data 1', 'x', '');
  assert.equal(repo.git('cat-file', '-t', made), 'commit');
  await assert.rejects(stream('no such command'), { code: 'GIT_FAILED' });
  assert.deepEqual(
    readdirSync(repository.gitDir).filter((name) => name.startsWith('fast_import_crash')),
    [],
  );
  assert.equal(repo.git('for-each-ref', 'refs/socraticode'), '');
});

describe('symbolic', () => {
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
});
