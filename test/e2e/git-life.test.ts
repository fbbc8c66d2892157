/**
 * What git does to a repository, one operation after the other: afterwards answers are those of a clone that is indexed
 * from nothing, and no blob was parsed twice.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { indexRef } from '../../src/engine/indexing/index-operation.js';
import { cloneRepo, createRepo, makeDirectory, TestRepo } from '../support/repo.js';
import { manyFiles, PROJECT } from '../support/samples.js';
import { inProcess } from '../support/search.js';

const QUERIES = ['parcel depot', 'rememberToken', 'step2Of3', 'windmill', 'where are tokens kept'];

/** Every place and score that the queries find at a ref, in an order that does not depend on shards. */
function answers(repo: TestRepo, ref: string): Promise<string[]> {
  return inProcess(repo, async ({ searcher }) => {
    const lines: string[] = [];
    for (const query of QUERIES) {
      const { results, commit, coverage } = await searcher.search({ query, ref, limit: 50 });
      assert.equal(coverage.covered, coverage.total);
      const found = results.map(({ path, startLine, endLine, score, content }) =>
        JSON.stringify([query, commit, path, startLine, endLine, score.toFixed(5), content]),
      );
      lines.push(...found.sort());
    }
    return lines;
  });
}

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

  /** Indexes, and compares what was parsed with what was new, and answers with those of a fresh clone. */
  async check(ref = 'HEAD'): Promise<void> {
    const blobs = this.git('ls-tree', '-r', '--format=%(objectname)', ref).split('\n').filter(Boolean);
    const fresh = new Set(blobs.filter((oid) => !this.parsed.has(oid)));
    const report = await inProcess(this.repo, ({ session }) => indexRef(session, { ref }));
    assert.equal(report.new, fresh.size);
    for (const oid of fresh) this.parsed.add(oid);
    await this.compare(ref);
  }

  async compare(ref = 'HEAD'): Promise<void> {
    const commit = this.git('rev-parse', ref);
    const clone = createRepo({ objectFormat: commit.length === 64 ? 'sha256' : 'sha1' });
    this.git('push', '-q', clone.dir, `${commit}:refs/heads/asked`);
    assert.deepEqual(await answers(this.repo, commit), await answers(clone, commit));
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

test('amend, reset, revert, cherry-pick, stash', async () => {
  const life = await begin();
  const { repo } = life;
  repo.commit(windmill(1));
  await life.check();
  repo.write({ 'mill/m1.ts': 'export function windmill1() {\n  return "amended windmill";\n}\n' });
  life.git('commit', '-aq', '--amend', '-m', 'amended');
  await life.check();
  life.git('revert', '--no-edit', 'HEAD');
  await life.check();
  life.git('reset', '-q', '--hard', 'HEAD~1');
  await life.check();
  life.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  repo.commit(windmill(2));
  life.git('checkout', '-q', 'main');
  life.git('cherry-pick', 'side');
  await life.check();
  repo.write({ 'lib/depot.py': 'def stashed_depot():\n    pass\n' });
  life.git('stash');
  await life.check();
  // A stash is a commit like any other.
  await life.check('stash@{0}');
  life.git('stash', 'pop', '-q');
  life.git('commit', '-aqm', 'popped');
  await life.check();
});

test('rebase, squash merge, octopus merge, merge with a conflict that was resolved', async () => {
  const life = await begin();
  const { repo } = life;
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    life.git('checkout', '-q', '-b', name, 'main');
    for (let n = 0; n < 3; n++) repo.commit(windmill(10 * i + n), `${name}${n}`);
    await life.check();
  }
  life.git('checkout', '-q', 'main');
  repo.commit({ 'src/part0.ts': 'export const part0 = "windmill of main";\n' });
  await life.check();
  life.git('rebase', '-q', 'main', 'a');
  await life.check();
  life.git('checkout', '-q', 'main');
  life.git('merge', '-q', '--squash', 'a');
  life.git('commit', '-qm', 'squashed');
  await life.check();
  life.git('merge', '-q', '-m', 'octopus', 'b', 'c');
  await life.check();
  life.git('checkout', '-q', '-b', 'other', 'HEAD~1');
  repo.commit({ 'README.md': '# Windmill tracker\n' });
  life.git('checkout', '-q', 'main');
  repo.commit({ 'README.md': '# Parcel and windmill tracker\n' });
  assert.throws(() => life.git('merge', '-q', 'other'));
  repo.write({ 'README.md': '# Resolved windmill parcel tracker\n' });
  life.git('commit', '-aqm', 'resolved');
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

test('renames of files and of directories parse nothing', async () => {
  const life = await begin();
  life.git('mv', 'src', 'source');
  life.git('mv', 'lib/depot.py', 'depot.py');
  life.git('commit', '-qm', 'moved');
  await life.check();
  life.git('mv', 'source', 'SOURCE');
  life.git('commit', '-qm', 'only in case');
  await life.check();
});

test('detached HEAD, worktrees, tags, and a bare clone of it all', async () => {
  const life = await begin();
  const { repo } = life;
  repo.commit(windmill(1));
  await life.check();
  life.git('tag', '-a', '-m', 'v1', 'v1', 'HEAD~1');
  life.git('checkout', '-q', '--detach', 'v1');
  await life.check();
  await life.check('main');
  life.git('worktree', 'add', '-q', '-b', 'linked', join(makeDirectory(), 'linked tree'), 'main');
  const linked = new TestRepo(
    life.git('worktree', 'list', '--porcelain').split('\nworktree ').pop()?.split('\n')[0] ?? '',
  );
  linked.commit(windmill(2));
  assert.deepEqual(await answers(linked, 'linked'), await answers(repo, 'linked'));
  const bare = cloneRepo(repo, '--mirror');
  assert.deepEqual(await answers(bare, 'linked'), await answers(repo, 'linked'));
});

test('SHA-256 objects live the same life', async () => {
  const life = new Life(createRepo({ objectFormat: 'sha256' }));
  life.repo.commit({ ...PROJECT, ...manyFiles(3) }, 'start');
  await life.check();
  life.repo.commit(windmill(1));
  await life.check();
  life.git('checkout', '-q', '-b', 'side', 'HEAD~1');
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
