/** Which repositories may be named: what the user opened, and nothing that a path, a link or a `.git` file leads to. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ERROR_CODES } from '../../src/base/errors.js';
import { searcherOf } from '../../src/session/search/searcher.js';
import { serve } from '../support/in-process/serve.js';
import { cloneRepo, createRepo, makeDirectory, runGit, type TestRepo } from '../support/repositories/repo.js';

const FILES = { 'src/deep/a.ts': 'export const a = 1;\n' };

function repoWith(directory?: string): TestRepo {
  const repo = createRepo({ directory });
  repo.commit(FILES);
  return repo;
}

test('the served repository, its directories and its other work trees may be named in every way', async (t) => {
  const repo = repoWith();
  const beside = join(makeDirectory(), 'other tree');
  repo.git('worktree', 'add', '-q', '--detach', beside);
  symlinkSync('src', join(repo.dir, 'link'));
  const projects = serve(t, repo);
  const home = await projects.open();
  const inside = ['.', '', 'src', './src/deep/', 'src/../src', 'link', 'link/deep', `../${basename(repo.dir)}`];
  const whole = [repo.dir, `${repo.dir}/`, join(repo.dir, 'src/deep'), `${repo.dir}/src/..`, `${repo.dir}//src`];
  const uris = [pathToFileURL(repo.dir), pathToFileURL(join(repo.dir, 'src')), `file://localhost${repo.dir}`];
  for (const path of [...inside, ...whole, ...uris.map(String)].filter((each) => each !== ''))
    assert.equal(await projects.open(path), home, path);
  for (const path of [beside, join(beside, 'src'), String(pathToFileURL(beside))])
    assert.equal((await projects.open(path)).root, realpathSync(beside));
});

test('S7: paths outside are refused, whatever they look like and whether or not there is something', async (t) => {
  const place = makeDirectory();
  const repo = repoWith(join(place, 'repo'));
  const other = repoWith(join(place, 'repository'));
  const real = repoWith(join(place, 'private'));
  symlinkSync(other.dir, join(repo.dir, 'out'));
  symlinkSync('../repository/src', join(repo.dir, 'relative'));
  symlinkSync('out', join(repo.dir, 'twice'));
  symlinkSync('/', join(repo.dir, 'root'));
  symlinkSync('loop', join(repo.dir, 'loop'));
  const outside = [
    // Elsewhere on this machine.
    ...[
      '/',
      '/etc',
      '/etc/passwd',
      '/proc/self/cwd/..',
      '/root',
      '/tmp',
      '/home',
      '/var',
      '/dev',
      '/proc/1/root',
      '//etc',
    ],
    // Beside the repository, with or without its name in the path.
    ...['..', '../', '../..', '../../..', './..', 'src/../..', '../repository', '../repository/src', '../private/.git'],
    ...[place, other.dir, join(other.dir, 'src'), `${repo.dir}/../repository`, `${repo.dir}itory`, `${repo.dir}.git`],
    ...[`${repo.dir}/src/../../private`, real.dir, join(real.dir, '.git'), dirname(place), `${repo.dir}/../../..`],
    // Through links.
    ...['out', 'out/src', 'relative', 'relative/deep', 'twice', 'twice/src', 'root/etc', 'root', 'loop', 'src/../out'],
    // Of other systems, other spellings.
    ...[
      'C:\\Windows',
      'C:/Users',
      '\\\\server\\share',
      '..\\repository',
      '~',
      '~/.ssh',
      '~root',
      '$HOME',
      '%2e%2e',
      '..%2frepository',
    ],
    ...[
      repo.dir.toUpperCase().replace('/TMP', '/TMP'),
      `${repo.dir}\0/../repository`,
      '\0',
      'src\0',
      `${'a/'.repeat(3_000)}b`,
    ],
    // Addresses.
    ...[
      String(pathToFileURL(other.dir)),
      `file://${place}`,
      'file:///etc',
      'file:///%2e%2e/etc',
      'FILE:///etc',
      'file:///',
    ],
    ...['file://server/share', `file://${repo.dir}%2f..%2frepository`, `file://${repo.dir}%00`, 'file:', 'file:..'],
    ...[
      'https://example.com/a.git',
      'ssh://git@example.com/a',
      'git@example.com:a/b',
      'ext::sh -c id',
      '--upload-pack=id',
    ],
    // Not directories, or not there.
    ...['src/deep/a.ts', 'nothing', 'nothing/../nothing', ' ', '\n', '.git/config', 'con', '-', '*'],
  ];
  assert.ok(outside.length > 60);
  const projects = serve(t, repo);
  for (const path of outside) {
    await assert.rejects(
      projects.open(path),
      { code: 'BAD_ARGUMENT', hint: /allowed when the server is started/ },
      JSON.stringify(path),
    );
  }
  const messages = await Promise.all(
    [other.dir, `${other.dir}-not-there`].map((path) => projects.open(path).catch((e) => e)),
  );
  const [there, missing] = messages.map(({ message }) => message.replace(/repository(-not-there)?/, ''));
  assert.equal(there, missing, 'nobody learns what exists');
  // The server's own repository is opened to look for links that its user allowed.
  const opened = (await projects.opened()).map(({ session }) => session.repository.workTree);
  assert.deepEqual(opened, [repo.dir]);
});

test('a .git file that leads to a repository outside is not followed', async (t) => {
  const repo = repoWith();
  const victim = repoWith();
  writeFileSync(join(mkdir(repo.dir, 'one'), '.git'), `gitdir: ${victim.commonDir}\n`);
  symlinkSync(victim.commonDir, join(mkdir(repo.dir, 'two'), '.git'));
  // A git directory of its own that shares everything with the victim's.
  const forged = mkdir(repo.dir, 'three/.git');
  writeFileSync(join(forged, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(forged, 'commondir'), `${victim.commonDir}\n`);
  writeFileSync(join(forged, 'gitdir'), `${join(repo.dir, 'three/.git')}\n`);
  // Named by the repository as if it were a work tree of its own.
  const named = mkdir(repo.commonDir, 'worktrees/x');
  writeFileSync(join(named, 'gitdir'), `${join(victim.dir, '.git')}\n`);
  writeFileSync(join(named, 'commondir'), '../..\n');
  writeFileSync(join(named, 'HEAD'), 'ref: refs/heads/main\n');
  // One whose parts are the victim's.
  const { commonDir } = repoWith(join(repo.dir, 'four'));
  for (const part of ['objects', 'refs']) {
    rmSync(join(commonDir, part), { recursive: true });
    symlinkSync(join(victim.commonDir, part), join(commonDir, part));
  }
  const projects = serve(t, repo);
  for (const path of ['one', 'two', 'three', 'four', victim.dir])
    await assert.rejects(projects.open(path), { code: 'BAD_ARGUMENT' }, path);
});

test('a submodule and a repository inside the served one are answered about as themselves', async (t) => {
  const repo = repoWith();
  const part = repoWith();
  runGit(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${part.dir}`, 'sub'], {
    cwd: repo.dir,
  });
  repoWith(join(repo.dir, 'nested'));
  const projects = serve(t, repo);
  for (const path of ['sub', 'nested', 'sub/src'])
    assert.equal((await projects.open(path)).root, join(realpathSync(repo.dir), path.split('/')[0]));
});

test('allowed directories, the roots of a client, and those permitted later may be named; each only for who has it', async (t) => {
  const repo = repoWith();
  const [allowed, permitted] = [repoWith(), repoWith()];
  const rooted = repoWith(join(makeDirectory(), 'a b'));
  const main = repoWith();
  const tree = join(makeDirectory(), 'tree');
  main.git('worktree', 'add', '-q', '--detach', tree);
  const projects = serve(t, repo, { allow: [allowed.dir, tree, '/not/there'] });
  assert.equal((await projects.open(join(allowed.dir, 'src'))).root, realpathSync(allowed.dir));
  assert.equal((await projects.open(tree)).root, realpathSync(tree), 'a work tree whose repository is elsewhere');
  await assert.rejects(projects.open(main.dir), { code: 'BAD_ARGUMENT' });
  await assert.rejects(projects.open(permitted.dir), { code: 'BAD_ARGUMENT' });
  projects.permit(permitted.dir);
  assert.equal((await projects.open(permitted.dir)).root, realpathSync(permitted.dir));
  const roots = async () => [String(pathToFileURL(rooted.dir)), 'http://not.a/path', 'file://other.host/x'];
  assert.equal((await projects.open(rooted.dir, roots)).root, realpathSync(rooted.dir));
  const link = join(makeDirectory(), 'link');
  symlinkSync(rooted.dir, link);
  for (const path of [link, rooted.dir])
    assert.equal(
      (await projects.open(path, async () => [link])).root,
      realpathSync(rooted.dir),
      'a root that is a link',
    );
  await assert.rejects(projects.open(rooted.dir), { code: 'BAD_ARGUMENT' });
  await assert.rejects(
    projects.open(rooted.dir, () => Promise.reject(new Error('no'))),
    { code: 'BAD_ARGUMENT' },
  );
});

test('started in no repository, the server takes the first root that is one, else the fallback, else says what to do', async (t) => {
  const [nowhere, repo, other] = [makeDirectory(), repoWith(), repoWith()];
  const projects = serve(t, { dir: nowhere } as TestRepo, { fallback: other.dir });
  assert.equal((await projects.open(undefined, async () => [nowhere, repo.dir])).root, realpathSync(repo.dir));
  assert.equal((await projects.open()).root, realpathSync(other.dir));
  const none = serve(t, { dir: nowhere } as TestRepo);
  await assert.rejects(none.open(), { code: 'NOT_A_REPOSITORY', hint: ERROR_CODES.NOT_A_REPOSITORY });
});

test('at most eight stay open: the one used longest ago is closed, unless a request still waits for it', async (t) => {
  const repo = repoWith();
  const others = Array.from({ length: 9 }, () => cloneRepo(repo));
  const projects = serve(t, repo, { allow: others.map(({ dir }) => dir) });
  const held = await projects.lease(others[0].dir);
  for (const { dir } of others.slice(1)) (await projects.lease(dir)).release();
  const open = (await projects.opened()).map(({ root }) => root);
  assert.ok(open.length <= 9, `${open.length}`);
  assert.ok(open.includes(realpathSync(others[0].dir)) && !open.includes(realpathSync(others[1].dir)));
  assert.equal((await searcherOf(held.project.session).search({ query: 'a' })).coverage.total, 1);
  held.release();
});

function mkdir(...parts: string[]): string {
  const path = join(...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

test('a project whose configuration changed stays open for every question that has it, until the last one ends', async (t) => {
  const repo = repoWith();
  const projects = serve(t, repo);
  const [first, second] = [await projects.lease(), await projects.lease()];
  assert.equal(first.project, second.project);
  repo.git('config', 'core.abbrev', '12');
  const next = await projects.lease();
  assert.notEqual(next.project, first.project);
  first.release();
  first.release();
  assert.equal((await searcherOf(second.project.session).search({ query: 'a' })).coverage.total, 1);
  second.release();
  next.release();
});
