/** Pipes and devices in place of git's own files: every command ends soon and names the file. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { readChanges } from '../../src/git/changes.js';
import { CatFileReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

const skip = process.platform === 'win32' ? 'there are no named pipes in the file system' : false;
const makePipe = (path: string) => assert.equal(spawnSync('mkfifo', [path]).status, 0);

const FILES = [
  ...['HEAD', 'config', 'config.worktree', 'index', 'packed-refs', 'shallow', 'commondir', 'info/attributes'],
  ...['info/exclude', 'info/grafts', 'objects/info/alternates', 'objects/info/commit-graph', 'objects/pack/pack-x.idx'],
  ...[
    'objects/info/commit-graphs/commit-graph-chain',
    'reftable/tables.list',
    '../.gitignore',
    '../.gitattributes',
    '../.gitmodules',
  ],
];

test('a pipe or a device under a name that git opens is refused before git is asked', { skip }, async () => {
  const repo = createRepo();
  repo.commit({ 'src/a.ts': 'export const a = 1;\n' });
  // Read once, since git would wait for a pipe.
  const common = repo.commonDir;
  for (const name of FILES) {
    const path = join(common, name);
    const before = existsSync(path) ? readFileSync(path) : null;
    mkdirSync(dirname(path), { recursive: true });
    for (const put of [makePipe, (at: string) => symlinkSync('/dev/zero', at)]) {
      rmSync(path, { force: true });
      put(path);
      for (const directory of [repo.dir, join(repo.dir, 'src'), common]) {
        if (directory === common && name.startsWith('..')) continue;
        await assert.rejects(openRepository(directory), (error) => {
          return (
            isSocraticodeError(error, 'UNSAFE_REPOSITORY') &&
            error.message.startsWith(path) &&
            /Remove it/.test(error.hint)
          );
        });
      }
    }
    rmSync(path);
    if (before !== null) writeFileSync(path, before);
    await openRepository(repo.dir);
  }
  // Git would read all of it before it sees that it is no ref.
  const head = join(common, 'HEAD');
  const good = readFileSync(head);
  truncateSync(head, 2 ** 40);
  await assert.rejects(openRepository(repo.dir), (error) => isSocraticodeError(error, 'UNSAFE_REPOSITORY'));
  writeFileSync(head, good);
  // Git also probes directories on the way up that look like git directories.
  const above = makeDirectory('above');
  makePipe(join(above, 'HEAD'));
  await assert.rejects(openRepository(above), (error) => isSocraticodeError(error, 'UNSAFE_REPOSITORY'));
});

test('symbolic links of users are followed', { skip }, async () => {
  const repo = createRepo();
  const commit = repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const [config, elsewhere] = [join(repo.commonDir, 'config'), join(makeDirectory(), 'config')];
  writeFileSync(elsewhere, readFileSync(config));
  rmSync(config);
  symlinkSync(elsewhere, config);
  const { git } = await openRepository(repo.dir);
  assert.equal(await git.text(['rev-parse', 'HEAD']), commit);
});

const isLinux = process.platform === 'linux' ? false : 'only Linux says what a process waits for';

test('a git that waits for a pipe or reads a device is ended, and the error says where to look', {
  skip: isLinux,
}, async () => {
  const piped = createRepo();
  const zeroed = createRepo();
  const ignoring = createRepo();
  for (const repo of [piped, zeroed, ignoring]) repo.commit({ 'src/a.ts': 'export const a = 1;\n' });
  const started = performance.now();
  const repositories = await Promise.all([piped, zeroed, ignoring].map(({ dir }) => openRepository(dir)));
  makePipe(join(piped.commonDir, 'refs/heads/x'));
  symlinkSync('/dev/zero', join(zeroed.commonDir, 'refs/heads/x'));
  makePipe(join(ignoring.dir, 'src/.gitignore'));
  const [first, second, third] = repositories;
  const objects = new CatFileReader(first.git);
  const isNamed = (file: string) => (error: unknown) =>
    isSocraticodeError(error, 'UNSAFE_REPOSITORY') && error.message.includes(file);
  await Promise.all([
    assert.rejects(first.git.run(['for-each-ref']), isNamed(`find ${piped.dir} -type p`)),
    assert.rejects(objects.info('refs/heads/x'), isNamed(`find ${piped.dir} -type p`)),
    assert.rejects(second.git.run(['for-each-ref']), isNamed('/dev/zero')),
    assert.rejects(readChanges(third, []), isNamed(`find ${ignoring.dir} -type p`)),
  ]);
  objects.close();
  assert.ok(performance.now() - started < 30_000);
});
