/** Two unusual things about a clone at once: each pair of linked work trees, submodules, alternates, bare, shallow and partial clones. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../support/in-process/cli.js';
import { createRepo, makeDirectory, runGit, TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const origin = createRepo();
origin.commit(PROJECT);
origin.commit({ 'src/session.ts': `${PROJECT['src/session.ts']}\n// A second version.\n` }, 'second');
origin.git('config', 'uploadpack.allowFilter', 'true');

/** A clone of the origin; through the file protocol, which depths and filters need, unless objects are borrowed. */
function clone(...args: string[]): string {
  const dir = join(makeDirectory('pair'), 'repo');
  const from = args.includes('--shared') ? origin.dir : `file://${origin.dir}`;
  runGit(['clone', '-q', ...args, from, dir], { cwd: origin.dir });
  return dir;
}

/** A linked work tree of a clone. */
function linked(...args: string[]): string {
  const main = clone(...args);
  const dir = join(makeDirectory('linked'), 'tree');
  runGit(['worktree', 'add', '-q', '--detach', dir, 'HEAD'], { cwd: main });
  return dir;
}

/** The submodule in a project around it. */
function inside(...args: string[]): string {
  const outer = createRepo();
  const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', ...args];
  outer.git(...add, `file://${origin.dir}`, 'deps/inner');
  return join(outer.dir, 'deps/inner');
}

const REFERENCE = ['--reference', origin.dir];
const FILTER = '--filter=blob:none';

const PAIRS: Readonly<Record<string, () => string>> = {
  'work tree, submodule': () => {
    const dir = join(makeDirectory('linked'), 'tree');
    runGit(['worktree', 'add', '-q', '--detach', dir, 'HEAD'], { cwd: inside() });
    return dir;
  },
  'work tree, alternates': () => linked('--shared'),
  'work tree, bare': () => linked('--bare'),
  'work tree, shallow': () => linked('--depth=1'),
  'work tree, partial': () => linked(FILTER),
  'submodule, alternates': () => inside(...REFERENCE),
  'submodule, shallow': () => inside('--depth=1'),
  'submodule, partial': () => {
    const dir = inside();
    runGit(['config', 'remote.origin.promisor', 'true'], { cwd: dir });
    runGit(['config', 'remote.origin.partialclonefilter', 'blob:none'], { cwd: dir });
    return dir;
  },
  'alternates, bare': () => clone('--shared', '--bare'),
  'alternates, shallow': () => clone(...REFERENCE, '--depth=1'),
  'alternates, partial': () => clone(...REFERENCE, FILTER),
  'bare, shallow': () => clone('--bare', '--depth=1'),
  'bare, partial': () => clone('--bare', FILTER),
  'shallow, partial': () => clone('--depth=1', FILTER),
};

/** Questions whose answers depend on the commit alone. */
const SAME = [
  'search rememberToken --committed',
  'grep rememberToken --ref HEAD',
  'graph symbol SessionStore --ref HEAD',
];

const expected = new Map<string, string>();
for (const line of SAME) expected.set(line, (await cli(line.split(' '), { cwd: origin.dir })).stdout);

for (const [name, make] of Object.entries(PAIRS)) {
  test(`${name}: questions are answered as where it began, or refused with a next step`, async () => {
    const repo = new TestRepo(make());
    for (const line of SAME) {
      const { code, stdout, stderr } = await cli(line.split(' '), { cwd: repo.dir });
      assert.equal(code, 0, `${line}: ${stderr}`);
      assert.equal(stdout, expected.get(line), line);
    }
    for (const line of ['status', 'fsck', 'history rememberToken', 'why src/session.ts:1', 'owners src']) {
      const { code, stdout, stderr } = await cli(line.split(' '), { cwd: repo.dir });
      // What a clone lacks is a reason; a trace is none.
      assert.ok(code === 2 ? /\n {2}\S/.test(stderr) : stdout !== '', `${line}: ${code} ${stderr}`);
      assert.doesNotMatch(stderr, /This is a bug| at .*\.js:\d/, line);
    }
    assert.equal(repo.fsck(), '');
  });
}
