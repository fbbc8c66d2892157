/**
 * What git does to a repository, one operation after the other: no blob is parsed twice, whatever commits it is in and
 * whatever it is called. That answers stay right is campaign `states`.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { indexRef } from '../../src/session/indexing/index-operation.js';
import { inProcess } from '../support/in-process/search.js';
import { cloneRepo, createRepo, makeDirectory, TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';

/** A repository that is indexed after every step. */
class Life {
  readonly repo: TestRepo;
  private readonly parsed = new Set<string>();

  constructor(repo = createRepo()) {
    this.repo = repo;
  }

  git(...args: string[]): string {
    return this.repo.git(...args);
  }

  /** Indexes, and compares what was parsed with what was new. */
  async check(ref = 'HEAD'): Promise<void> {
    const blobs = this.git('ls-tree', '-r', '--format=%(objectname)', ref).split('\n').filter(Boolean);
    const fresh = new Set(blobs.filter((oid) => !this.parsed.has(oid)));
    const report = await inProcess(this.repo, ({ session }) => indexRef(session, { ref }));
    assert.equal(report.new, fresh.size);
    for (const oid of fresh) this.parsed.add(oid);
  }
}

async function begin(): Promise<Life> {
  const life = new Life();
  life.repo.commit({ ...PROJECT, ...manyFiles(6) }, 'start');
  await life.check();
  return life;
}

const windmill = (n: number) => ({
  [`mill/m${n}.ts`]: `export function windmill${n}() {\n  return 'windmill ${n}';\n}\n`,
});

test('amend, revert, cherry-pick, stash, rebase, merges: what is known is never parsed again', async () => {
  const life = await begin();
  const { repo } = life;
  repo.commit(windmill(1));
  await life.check();
  repo.write({ 'mill/m1.ts': 'export function windmill1() {\n  return "amended windmill";\n}\n' });
  life.git('commit', '-aq', '--amend', '-m', 'amended');
  await life.check();
  life.git('revert', '--no-edit', 'HEAD');
  await life.check();
  life.git('checkout', '-q', '-b', 'side', 'HEAD~2');
  repo.commit(windmill(2));
  life.git('checkout', '-q', 'main');
  life.git('cherry-pick', 'side');
  await life.check();
  repo.write({ 'lib/depot.py': 'def stashed_depot():\n    pass\n' });
  life.git('stash');
  // A stash is a commit like any other.
  await life.check('stash@{0}');
  life.git('stash', 'pop', '-q');
  life.git('commit', '-aqm', 'popped');
  life.git('rebase', '-q', 'main', 'side');
  await life.check();
  life.git('checkout', '-q', 'main');
  life.git('merge', '-q', '--squash', 'side');
  life.git('commit', '-q', '--allow-empty', '-m', 'squashed');
  await life.check();
});

test('gc and repack keep every record, and the branches that are left', async () => {
  const life = await begin();
  const { repo } = life;
  life.git('checkout', '-q', '-b', 'gone');
  repo.commit(windmill(1));
  await life.check();
  life.git('checkout', '-q', 'main');
  life.git('branch', '-qD', 'gone');
  repo.commit(windmill(2));
  await life.check();
  const notes = repo.notesTree();
  life.git('reflog', 'expire', '--expire=now', '--all');
  life.git('gc', '-q', '--prune=now');
  await life.check();
  life.git('repack', '-qadf');
  life.git('pack-refs', '--all');
  await life.check();
  assert.equal(repo.notesTree(), notes);
  assert.equal(repo.fsck(), '');
});

test('renames, tags, other work trees, and clones parse nothing', async () => {
  const life = await begin();
  life.git('tag', '-a', '-m', 'v1', 'v1');
  life.git('mv', 'src', 'source');
  life.git('mv', 'lib/depot.py', 'depot.py');
  life.git('commit', '-qm', 'moved');
  life.git('mv', 'source', 'SOURCE');
  life.git('commit', '-qm', 'only in case');
  await life.check();
  life.git('checkout', '-q', '--detach', 'v1');
  await life.check();
  const place = join(makeDirectory(), 'linked tree');
  life.git('worktree', 'add', '-q', '-b', 'linked', place, 'main');
  const linked = new TestRepo(place);
  const parsedIn = async (one: TestRepo) => (await inProcess(one, ({ session }) => indexRef(session))).new;
  assert.equal(await parsedIn(linked), 0);
  linked.commit(windmill(2));
  assert.equal(await parsedIn(linked), 1);
  await assert.doesNotReject(life.check('v1'));
  assert.equal(await parsedIn(cloneRepo(linked, '--mirror')), 0);
});

test('SHA-256 objects live the same life', async () => {
  const life = new Life(createRepo({ objectFormat: 'sha256' }));
  life.repo.commit({ ...PROJECT, ...manyFiles(3) }, 'start');
  await life.check();
  life.git('checkout', '-q', '-b', 'side');
  life.repo.commit(windmill(2));
  life.git('rebase', '-q', 'main');
  await life.check();
  life.git('gc', '-q', '--prune=now');
  await life.check();
});

test('names with spaces, quotes, newlines, leading dashes, and bytes that are no UTF-8', async () => {
  const life = await begin();
  const names = [
    'a b.ts',
    "it's.ts",
    'say "hi".ts',
    'new\nline.ts',
    '-rf.ts',
    '--help',
    'tab\there.ts',
    'ünï.ts',
    '*.ts',
    ':/x.ts',
  ];
  for (const [i, name] of names.entries())
    life.repo.write({ [name]: `export const windmill${i} = 'windmill ${i}';\n` });
  const odd = life.repo.blob('export const windmillOdd = "windmill that is no UTF-8";\n');
  life.git('add', '-A');
  const entry = Buffer.concat([Buffer.from(`100644 ${odd}\t`), Buffer.from([0x66, 0xff, 0x2e, 0x74, 0x73, 0])]);
  life.repo.gitInput(entry, 'update-index', '-z', '--index-info');
  life.git('commit', '-qm', 'odd names');
  await life.check();
  const found = await inProcess(life.repo, ({ searcher }) =>
    searcher.search({ query: 'windmill', ref: 'HEAD', limit: 50, noContent: true }),
  );
  const paths = new Set(found.results.map(({ path }) => path));
  for (const name of [...names, 'f\\xff.ts']) assert.ok(paths.has(name), JSON.stringify(name));
});
