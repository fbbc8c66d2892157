/** Starting git: arguments that no command line can hold, and a process that may open no more. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSocraticodeError } from '../../src/base/errors.js';
import { CatFileReader } from '../../src/git/objects.js';
import {
  childEnd,
  endedBecause,
  gitFailure,
  gitFileTarget,
  memoryBound,
  supervise,
  withLimit,
  writeInput,
} from '../../src/git/process.js';
import { openRepository } from '../../src/git/repository.js';
import { readChanges } from '../../src/git/status.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

test('a NUL character in any argument is the fault of the question', async () => {
  const { git } = await openRepository(createRepo().dir);
  for (const args of [
    ['rev-parse', 'a\0b'],
    ['rev-parse', '\0'],
    ['rev-parse', '--verify', 'HEAD\0'],
  ])
    assert.throws(() => git.spawn(args), { code: 'BAD_ARGUMENT' });
  await assert.rejects(git.text(['rev-parse', 'a\0b']), { code: 'BAD_ARGUMENT' });
});

test('a git that gets no pipes is a matter of open files, and ends nothing', {
  skip: process.platform === 'win32',
}, async () => {
  const module = JSON.stringify(new URL('../../src/git/process.js', import.meta.url).href);
  // In a process of its own, which uses up what it may open.
  const script = `
    import { openSync } from 'node:fs';
    import { Git } from ${module};
    try { for (;;) openSync('/dev/null'); } catch {}
    await new Git('/').run(['version']).catch(({ code, message }) => console.log(code, message));
    await new Promise((done) => setTimeout(done, 50));
    console.log('alive');`;
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script],
    { encoding: 'utf8' },
  );
  assert.deepEqual([status, stdout, stderr], [0, 'RESOURCES cannot run git: too many open files\nalive\n', '']);
});

test('git does not wait for ever for locks that came with a repository, whatever its configuration says', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a' });
  for (const key of ['core.filesRefLockTimeout', 'core.packedRefsTimeout']) repo.git('config', key, '-1');
  const { git, gitDir } = await openRepository(repo.dir);
  for (const name of ['packed-refs', 'refs/heads/x']) writeFileSync(join(gitDir, `${name}.lock`), '');
  const signal = AbortSignal.timeout(10_000);
  await assert.rejects(git.run(['update-ref', 'refs/heads/x', 'HEAD'], { signal }), { code: 'LOCKED' });
  await assert.rejects(git.run(['pack-refs', '--all'], { signal }), { code: 'LOCKED' });
});

const OID = '1234567890'.repeat(4);

test('objects that git was asked for are named where its own message does not name them', () => {
  const messageOf = (args: string[], stderr: string) => gitFailure(args, 128, stderr).message;
  assert.equal(
    messageOf(['cat-file', OID], 'fatal: bad file'),
    `git cat-file failed (exit 128): fatal: bad file (${OID})`,
  );
  assert.equal(
    messageOf(['cat-file', OID], `fatal: ${OID} is bad`),
    `git cat-file failed (exit 128): fatal: ${OID} is bad`,
  );
  assert.equal(messageOf(['log', 'main'], ''), 'git log failed (exit 128)');
  // Git may say nothing but what to do.
  assert.equal(messageOf(['log', 'main'], 'hint: try again'), 'git log failed (exit 128)');
});

test('what the user can do follows from what git says', () => {
  const failed = (stderr: string, code = 128) => gitFailure(['log'], code, stderr);
  for (const [stderr, code] of [
    ['fatal: No space left on device', 'DISK'],
    ['fatal: unable to write file x', 'DISK'],
    ['fatal: Out of memory, malloc failed', 'RESOURCES'],
    ['error: cannot fork() for x', 'RESOURCES'],
    ["fatal: Unable to create '/r/.git/index.lock': File exists.", 'LOCKED'],
    [`fatal: could not fetch ${OID} from promisor remote`, 'UNREADABLE_OBJECT'],
    [`fatal: missing object ${OID} for refs/heads/main`, 'UNREADABLE_OBJECT'],
    [`fatal: bad object refs/notes/x`, 'UNREADABLE_OBJECT'],
    ['fatal: something else', 'GIT_FAILED'],
  ])
    assert.equal(failed(stderr).code, code, stderr);
  assert.match(failed("fatal: Unable to create '/r/.git/index.lock': File exists.").hint, /\/r\/\.git\/index\.lock$/);
  assert.match(failed('', -1).message, /was killed/);
});

test('a notes ref that leads nowhere is named with the command that deletes it, whatever its name does in a shell', () => {
  const { message, hint } = gitFailure(['for-each-ref'], 128, `fatal: missing object ${OID} for refs/notes/$(touch`);
  assert.equal(message, 'git for-each-ref needs an object that is not in this clone: refs/notes/$(touch');
  assert.match(hint, /git update-ref -d 'refs\/notes\/\$\(touch'$/);
  const failure = (stderr: string) => gitFailure(['log'], 128, stderr);
  assert.match(gitFailure(['ls-tree', OID], 128, 'fatal: not a tree object').message, new RegExp(`clone: ${OID}$`));
  assert.match(failure(`fatal: unable to read tree ${OID}`).message, new RegExp(`clone: ${OID}$`));
  assert.match(failure(`fatal: Not a valid commit: ${OID}`).message, new RegExp(`clone: ${OID}$`));
  assert.match(failure(`fatal: git upload-pack: not our ref ${OID}`).hint, /remote lacks.* git fsck$/);
  const inTheWay = "fatal: cannot lock ref 'refs/notes/a': 'refs/notes/a/b' exists; cannot create 'refs/notes/a'";
  assert.match(failure(inTheWay).hint, /git update-ref -d refs\/notes\/a\/b$/);
  const broken = "error: unable to resolve reference 'refs/notes/$(touch$IFS)': reference broken";
  assert.match(failure(broken).hint, /update-ref -d 'refs\/notes\/\$\(touch\$IFS\)', then/);
});

const GIB = 2 ** 30;

test('git may take half of the memory of the machine or container, between 1 and 8 GiB', () => {
  for (const [total, constrained, bound] of [
    [64, 0, 8],
    [8, 0, 4],
    [1, 0, 1],
    [64, 4, 2],
    [64, 2 ** 34, 8],
    [8, 64, 4],
    [256, 1, 1],
  ])
    assert.equal(memoryBound(total * GIB, constrained * GIB), bound * GIB, `${total} ${constrained}`);
});

test('the shell takes the bound in KiB, and git may take less for the tree of a commit', {
  skip: process.platform !== 'linux',
}, () => {
  const bound = (command: string) => Number(withLimit(command, ['HEAD'])[1][2]) * 1_024;
  assert.deepEqual(['ls-tree', 'diff-tree', 'status'].map(bound), [GIB, GIB, GIB]);
  assert.equal(bound('log'), Math.floor(memoryBound() / 1_024) * 1_024);
});

test('a git that a signal ended has not succeeded, whatever it was that ended it', async () => {
  const ended = (code: number | null, signal: string | null) => {
    const child = Object.assign(new EventEmitter(), { stderr: new PassThrough() });
    const end = childEnd(child as unknown as ChildProcessWithoutNullStreams);
    child.emit('close', code, signal);
    return end.then(
      (result) => result.code,
      (error) => error.code,
    );
  };
  assert.deepEqual(
    await Promise.all([
      ended(0, null),
      ended(128, null),
      ended(null, 'SIGKILL'),
      ended(null, 'SIGSEGV'),
      ended(null, 'SIGINT'),
      ended(null, 'SIGXCPU'),
    ]),
    [0, 128, -1, -1, 'CANCELLED', 'RESOURCES'],
  );
});

test('a git that waits for requests for seconds still answers the next one', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  const { git } = await openRepository(repo.dir);
  const pids = new Set<number | undefined>();
  const spawn = git.spawn.bind(git);
  git.spawn = (...args) => {
    const child = spawn(...args);
    pids.add(child.pid);
    return child;
  };
  const objects = new CatFileReader(git);
  assert.equal((await objects.read('HEAD:a.txt'))?.content.toString(), 'text\n');
  // A look comes every two seconds.
  await sleep(4_500);
  assert.equal((await objects.read('HEAD:a.txt'))?.content.toString(), 'text\n');
  objects.close();
  assert.equal(pids.size, 1);
});

test('a git whose input is full again and again leaves no listeners behind', async () => {
  const slow = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => setImmediate(done) });
  const count = () => ['drain', 'close', 'error'].map((event) => slow.listenerCount(event));
  const before = count();
  for (let i = 0; i < 30; i++) assert.equal(await writeInput(slow, 'line\n'), true);
  assert.deepEqual(count(), before);
});

test('silence is counted only while git owes an answer', async (t) => {
  const HOUR_MS = 3_600_000;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** Process whose streams are as given; `advance` lets time pass in steps of a second. */
  const supervised = (stdin: object, stdout: object, isIdle?: () => boolean, command = 'log') => {
    const streams = {
      stdin: { bytesWritten: 9, ...stdin },
      stdout: { bytesRead: 0, ...stdout },
      stderr: { bytesRead: 0 },
    };
    const child = Object.assign(new EventEmitter(), streams, { pid: 2 ** 22 + 7, kill: () => true });
    supervise(child as unknown as ChildProcessWithoutNullStreams, command, { isIdle });
    return child;
  };
  const waitsForInput = supervised({ writableEnded: false }, { readableLength: 0 });
  const waitsForReader = supervised({ writableEnded: true }, { readableLength: 1 });
  const silent = supervised({ writableEnded: true }, { readableLength: 0 });
  const [lookUp, reads] = ['rev-parse', 'cat-file'].map((command) =>
    supervised({ writableEnded: true }, { readableLength: 0 }, undefined, command),
  );
  const [asked, unasked] = [false, true].map((isIdle) =>
    supervised({ writableEnded: false }, { readableLength: 0 }, () => isIdle),
  );
  const advance = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) t.mock.timers.tick(1_000);
  };
  advance(HOUR_MS / 3);
  assert.equal(endedBecause(silent), undefined);
  assert.match(endedBecause(lookUp)?.message ?? '', /rev-parse was ended after 1 minutes of silence/);
  assert.match(endedBecause(lookUp)?.hint ?? '', /less busy/);
  assert.match(endedBecause(reads)?.message ?? '', /cat-file was ended after 5 minutes of silence/);
  advance(2 * HOUR_MS);
  assert.match(endedBecause(silent)?.message ?? '', /after 30 minutes of silence/);
  assert.match(endedBecause(asked)?.message ?? '', /after 30 minutes of silence/);
  assert.equal(endedBecause(unasked), undefined);
  assert.deepEqual([endedBecause(waitsForInput), endedBecause(waitsForReader)], [undefined, undefined]);
});

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

test('the git directory that a file names is relative to where that file is', () => {
  const folder = makeDirectory();
  const target = (text: string) => {
    writeFileSync(join(folder, '.git'), text);
    return gitFileTarget(join(folder, '.git'));
  };
  assert.equal(target('gitdir: ../other/.git\n'), join(dirname(folder), 'other', '.git'));
  assert.equal(target(`gitdir: ${folder}/x`), join(folder, 'x'));
  assert.deepEqual([target('something else\n'), target('')], [null, null]);
  assert.equal(gitFileTarget(join(folder, 'missing')), null);
});
