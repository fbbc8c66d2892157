/** Checks of the program, of the place of a repository, of its disk, and of locks: what each says, fine or not. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SocraticodeError } from '../../../src/base/errors.js';
import type { Git } from '../../../src/git/process.js';
import { openRepository, type Repository } from '../../../src/git/repository.js';
import {
  attempt,
  checkDisk,
  checkFeatures,
  checkGit,
  checkGitLocks,
  checkGrammars,
  checkHead,
  checkLocks,
  checkPlace,
  checkVectors,
  diagnose,
  fine,
  settle,
  wrong,
} from '../../../src/questions/doctor/local-checks.js';
import type { Session } from '../../../src/session/session.js';
import { createRepo, makeDirectory } from '../../support/repositories/repo.js';

test('a check that throws is a result with a hint, under its own name or the one that it gives', async () => {
  assert.deepEqual(await attempt(() => 7), { value: 7 });
  const failing = () => {
    throw new SocraticodeError('DISK', 'full', { hint: 'free it' });
  };
  assert.deepEqual(await attempt(failing), { failed: wrong('full', 'free it') });
  const row = { group: 'git' as never, facts: {} };
  assert.deepEqual(await settle('git' as never, 'a', failing), [{ ...row, name: 'a', ...wrong('full', 'free it') }]);
  assert.deepEqual(await settle('git' as never, 'a', () => [fine('x'), { ...fine('y'), name: 'b', facts: { n: 1 } }]), [
    { ...row, name: 'a', ...fine('x') },
    { ...row, name: 'b', ...fine('y'), facts: { n: 1 } },
  ]);
});

test('git is new enough from 2.31 on', async () => {
  const of = async (version: string) => {
    const git = { text: async () => `git version ${version}` } as unknown as Git;
    const { ok, detail, hint, facts } = await checkGit(git);
    return [ok, detail, hint, facts?.version];
  };
  for (const version of ['2.31.0', '2.47.1', '3.0.0', '2.31.1 (Apple Git-130)'])
    assert.deepEqual(await of(version), [true, version, null, version]);
  for (const version of ['2.30.9', '1.99.0'])
    assert.deepEqual(await of(version), [false, `${version} is too old`, 'Install git 2.31 or newer.', version]);
});

test('all grammars are here, and vectors are compared one by one', () => {
  const { ok, detail, facts } = checkGrammars();
  assert.equal(ok, true);
  assert.match(detail, /^all \d+$/);
  assert.notDeepEqual(facts, {});
  assert.match(checkVectors().detail, /^compared one by one/);
});

test('a place is its work tree, a linked one or a bare repository', () => {
  const repository = { gitDir: '/r/.git', commonDir: '/r/.git', workTree: '/r', bare: false, objectFormat: 'sha1' };
  const of = (rest: object) => checkPlace({ ...repository, ...rest } as unknown as Repository);
  assert.deepEqual(of({}), { ...fine('/r'), facts: repository });
  assert.equal(of({ gitDir: '/r/.git/worktrees/a', workTree: '/a' }).detail, '/a, a linked work tree');
  assert.equal(of({ bare: true, workTree: null }).detail, '/r/.git (bare)');
  assert.equal(of({ workTree: null }).detail, '/r/.git');
});

test('HEAD is a branch, detached, or of no commit yet; other failures are thrown', async () => {
  const repo = createRepo();
  const resolve = async () => ({ commit: '0123456789abcdef' });
  const head = async (resolved: () => Promise<unknown>) => {
    const repository = await openRepository(repo.dir);
    return checkHead({ repository, objects: { resolve: resolved } } as unknown as Session);
  };
  const unborn = async () => Promise.reject(new SocraticodeError('UNBORN_HEAD', 'x'));
  assert.equal((await head(resolve)).detail, 'main at 012345678');
  assert.deepEqual(await head(unborn), {
    ...fine('main, no commit yet'),
    facts: { branch: 'main', commit: null },
  });
  await assert.rejects(
    head(async () => Promise.reject(new SocraticodeError('GIT_FAILED', 'x'))),
    { code: 'GIT_FAILED' },
  );
  repo.commit({ a: '' });
  repo.git('checkout', '-q', '--detach');
  assert.equal((await head(resolve)).detail, 'detached at 012345678');
});

test('what is unusual about a repository is named, each by its own file', () => {
  const commonDir = makeDirectory('git');
  const features = (rest: object = {}, gitConfig: object[] = []) =>
    checkFeatures({ repository: { commonDir, objectFormat: 'sha1', ...rest }, gitConfig } as unknown as Session);
  assert.equal(features().detail, 'nothing special');
  assert.equal(features({ objectFormat: 'sha256' }).detail, 'sha256');
  const partial = [{ key: 'remote.origin.promisor', value: 'true', scope: 'local', origin: '' }];
  assert.equal(features({}, partial).detail, 'partial');
  const files = {
    shallow: 'shallow',
    reftable: 'reftable/tables.list',
    grafts: 'info/grafts',
    alternates: 'objects/info/alternates',
  };
  for (const [name, path] of Object.entries(files)) {
    mkdirSync(join(commonDir, path, '..'), { recursive: true });
    writeFileSync(join(commonDir, path), '');
    const { detail, facts } = features();
    assert.deepEqual([detail, facts?.[name as 'shallow']], [name, true]);
    rmSync(join(commonDir, path));
  }
});

test('a disk is writable with its free space; a state that is a link is told', () => {
  const commonDir = makeDirectory('git');
  const check = () => checkDisk({ repository: { commonDir } as Repository });
  const { ok, detail, facts } = check();
  assert.equal(
    detail,
    `${ok ? 'writable, ' : ''}${Math.round(Number(facts?.freeBytes) / 1024 ** 2).toLocaleString('en')} MB free`,
  );
  symlinkSync(makeDirectory('elsewhere'), join(commonDir, 'socraticode'));
  const state = join(commonDir, 'socraticode');
  assert.deepEqual(
    check(),
    wrong(`${state} is a symbolic link, which is not followed`, 'Remove it: it is made again.'),
  );
});

test('where git accepts no repository, the nearest `.git` above says why', () => {
  const top = makeDirectory('broken');
  const git = join(top, '.git');
  const told = () => diagnose(join(top, 'a', 'b'))?.detail.replaceAll(top, 'TOP') ?? null;
  const withHead = (head: string) => {
    writeFileSync(join(git, 'HEAD'), head);
    return told();
  };
  mkdirSync(git);
  assert.equal(told(), 'TOP/.git/HEAD is missing');
  for (const head of ['nonsense', 'ref: heads/main', 'abc'])
    assert.equal(withHead(head), 'TOP/.git/HEAD says nothing that git understands', head);
  for (const head of ['ref: refs/heads/main\n', 'a'.repeat(40), 'a'.repeat(64)])
    assert.equal(withHead(head), 'TOP/.git/objects is missing', head);
  mkdirSync(join(git, 'objects'));
  assert.deepEqual(diagnose(top), wrong(`${git}/refs is missing`, `mkdir ${git}/refs`));
  mkdirSync(join(git, 'refs'));
  assert.equal(told(), null);
  // A linked work tree has its objects in the folder that `commondir` names.
  const linked = makeDirectory('linked');
  writeFileSync(join(linked, '.git'), 'gitdir: own\n');
  assert.equal(diagnose(linked)?.detail, `${linked}/.git leads to ${linked}/own, which is gone`);
  mkdirSync(join(linked, 'own'));
  writeFileSync(join(linked, 'own', 'HEAD'), 'ref: refs/heads/a');
  assert.equal(diagnose(linked)?.detail, `${linked}/own/objects is missing`);
  writeFileSync(join(linked, 'own', 'commondir'), `${git}\n`);
  assert.equal(diagnose(linked), null);
  writeFileSync(join(linked, '.git'), 'somewhere');
  assert.equal(diagnose(linked)?.detail, `${linked}/.git names no git directory`);
  rmSync(join(linked, '.git'));
  symlinkSync('own', join(linked, '.git'));
  assert.deepEqual(diagnose(linked), wrong(`${linked}/.git is no directory`, 'Remove it, or clone again.'));
});

test('locks of ours are told with their holder, those of git with their age and what to do', () => {
  const commonDir = makeDirectory('git');
  const state = join(commonDir, 'socraticode');
  const repository = { gitDir: commonDir, commonDir } as Repository;
  const ours = () => checkLocks({ repository }).detail.replaceAll(commonDir, 'GIT');
  const git = () => checkGitLocks({ repository }).map(({ ok, detail }) => `${ok ? 'ok' : 'WRONG'} ${detail}`);
  assert.deepEqual([ours(), git()], ['none held', ['ok none held']]);
  const at = (path: string, minutes: number) => {
    const time = new Date(Date.now() - minutes * 60_000);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    utimesSync(path, time, time);
  };
  at(join(state, 'writer.lock'), 119);
  at(join(state, '0123456789ab-0123456789abcdef', 'overlay-1', 'watch.lock'), 47 * 60);
  assert.match(
    ours(),
    /^GIT\/socraticode\/writer\.lock is 119 minutes old and nobody's: whoever needs it takes it over/,
  );
  at(join(commonDir, 'index.lock'), 0);
  at(join(commonDir, 'config.lock'), 48 * 60);
  at(join(commonDir, 'packed-refs.lock'), 120);
  assert.deepEqual(git().sort(), [
    'WRONG config.lock is 2 days old',
    'WRONG packed-refs.lock is 2 hours old',
    'ok index.lock is less than a minute old: git is at work',
  ]);
});
