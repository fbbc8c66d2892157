/** `export`, `import`, `.socraticode/` of a tree, and `profiles`. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ExportReport, exportReportSchema } from '../../src/questions/export/question.js';
import { type ImportReport, importReportSchema } from '../../src/questions/import/question.js';
import type { IndexReport } from '../../src/questions/index/question.js';
import { type ProfilesReport, profilesReportSchema } from '../../src/questions/state/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { cloneRepo, createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';

const at = (repo: TestRepo) => ({ cwd: repo.dir });
const exported = async (repo: TestRepo, ...args: string[]): Promise<ExportReport> =>
  check(exportReportSchema, await cliJson(['export', ...args], at(repo)));
const imported = async (repo: TestRepo, ...args: string[]): Promise<ImportReport> =>
  check(importReportSchema, await cliJson(['import', ...args], at(repo)));
const index = (repo: TestRepo): Promise<IndexReport> => cliJson(['index'], at(repo));
const profiles = async (repo: TestRepo): Promise<ProfilesReport> =>
  check(profilesReportSchema, await cliJson(['profiles'], at(repo)));

/** A repository that carries its records in its tree, as a host that drops notes would give it. */
async function carrying(): Promise<TestRepo> {
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...manyFiles(30) });
  await exported(repo);
  repo.commit();
  return repo;
}

function withoutNotes(repo: TestRepo, ...args: string[]): TestRepo {
  for (const ref of Object.keys(repo.notesRefs())) repo.git('update-ref', '-d', ref);
  return cloneRepo(repo, ...args);
}

test('a clone without notes reads .socraticode/ and parses nothing; the same notes come out', async () => {
  const repo = await carrying();
  const tree = repo.notesTree();
  for (const args of [[], ['--bare'], ['--depth=1']]) {
    const clone = withoutNotes(repo, ...args);
    const report = await index(clone);
    assert.deepEqual([report.new, report.files, clone.notesTree()], [0, 34, tree], args.join());
    assert.equal(clone.fsck(), '');
  }
  const found = await cliJson<{ results: { path: string }[] }>(['search', 'rememberToken'], at(withoutNotes(repo)));
  assert.equal(found.results[0].path, 'src/session.ts');
});

test('files that .socraticode/ does not cover are parsed; the directory itself is never indexed', async () => {
  const repo = await carrying();
  repo.commit({ 'src/new.ts': 'export const brandNew = 1;\n' });
  const report = await index(withoutNotes(repo));
  assert.deepEqual([report.new, report.files], [1, 35]);
});

test('export writes only what has changed, and the same files everywhere', async () => {
  const repo = await carrying();
  const again = await exported(repo);
  assert.deepEqual(
    [again.profiles[0].written, again.profiles[0].removed, repo.git('status', '--porcelain')],
    [0, 0, ''],
  );
  repo.commit({ 'src/part1.ts': 'export const changed = 1;\n' });
  const { profiles: after } = await exported(repo);
  assert.ok(after[0].written >= 1 && after[0].written <= 2, `${after[0].written}`);
  assert.deepEqual([after[0].records, after[0].missing], [34, 0]);
  const elsewhere = makeDirectory('elsewhere');
  await exported(withoutNotes(repo), '--output', elsewhere);
  const compare = ['diff', '--no-index', '--stat', join(repo.dir, '.socraticode'), elsewhere];
  assert.equal(repo.git(...compare), '');
});

test('export into a bare repository needs a place; never through a link', async () => {
  const repo = await carrying();
  const bare = withoutNotes(repo, '--bare');
  const refused = await cli(['export'], at(bare));
  assert.deepEqual([refused.code, /--output DIR/.test(refused.stderr)], [2, true]);
  const output = makeDirectory('out');
  assert.equal((await exported(bare, '--output', output)).directory, output);
  rmSync(join(repo.dir, '.socraticode'), { recursive: true });
  const outside = makeDirectory('outside');
  symlinkSync(outside, join(repo.dir, '.socraticode'));
  assert.equal((await cli(['export'], at(repo))).code, 2);
  assert.deepEqual(readdirSync(outside), []);
});

test('import: from the work tree, from a ref, from a directory', async () => {
  const repo = await carrying();
  for (const args of [[], ['--ref', 'HEAD'], [join(repo.dir, '.socraticode')]]) {
    const clone = withoutNotes(repo);
    const report = await imported(clone, ...args);
    assert.deepEqual([report.profiles[0].added, clone.notes().size], [34, 34]);
    assert.equal((await imported(clone, ...args)).profiles[0].known, 34);
  }
  // Records of blobs that are not here stay out.
  const other = createRepo();
  other.commit({ 'src/session.ts': PROJECT['src/session.ts'] });
  const { profiles: report } = await imported(other, join(repo.dir, '.socraticode'));
  assert.deepEqual([report[0].added, report[0].foreign], [1, 33]);
  const empty = createRepo();
  empty.commit(PROJECT);
  assert.equal((await cli(['import'], at(empty))).code, 2);
  assert.deepEqual(
    [(await cli(['import', makeDirectory('none')], at(empty))).code, existsSync(empty.state)],
    [1, true],
  );
});

test('hostile files in .socraticode/ do no harm: they are passed over and everything is parsed', async () => {
  const repo = await carrying();
  const shelf = join('.socraticode', 'syntax', readdirSync(join(repo.dir, '.socraticode', 'syntax'))[0]);
  for (const name of readdirSync(join(repo.dir, shelf))) repo.write({ [join(shelf, name)]: Buffer.alloc(5000, 0x86) });
  repo.commit();
  const clone = withoutNotes(repo);
  const { code, stderr, stdout } = await cli(['index', '--json'], at(clone));
  assert.deepEqual([code, (JSON.parse(stdout) as IndexReport).new], [0, 34]);
  assert.match(stderr, /unusable items in \.socraticode\/ were passed over/);
});

test('profiles: where records are, what they are, and what this version makes of them', async () => {
  const repo = await carrying();
  const {
    profiles: [syntax],
  } = await profiles(repo);
  assert.deepEqual([syntax.kind, syntax.use, typeof syntax.about?.chunker], ['syntax', 'current', 'number']);
  assert.deepEqual(
    syntax.places.map(({ where }) => where),
    ['notes', 'tree', 'shards'],
  );
  assert.equal(syntax.places[0].records, 34);
  // Others: one that lies about what it is, one that says nothing.
  const lie = `refs/notes/socraticode/syntax/${'0'.repeat(12)}`;
  const commit = repo.git('commit-tree', '-m', 'profile: {"chunker":99}', `${repo.notesRef}^{tree}`);
  repo.git('update-ref', lie, commit);
  const {
    profiles: [stranger],
    notice,
  } = await profiles(repo);
  assert.deepEqual([stranger.use, stranger.about, notice], ['unknown', null, null]);
  const text = await cli(['profiles'], at(repo));
  assert.match(text.stdout, /^syntax 0{12}: of unknown origin: its notes do not describe it\n {2}refs\/notes/);
  assert.match(text.stdout, /syntax [0-9a-f]{12}: in use \(extraction \d+\)/);
});

test('profiles and status say that there are only records of a newer version', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const { profileId, canonicalJson } = await import('../../src/config/resolve.js');
  const about = { chunker: 99 };
  const ref = `refs/notes/socraticode/syntax/${profileId(about)}`;
  const empty = repo.git('mktree');
  repo.git('update-ref', ref, repo.git('commit-tree', '-m', `Index\n\nprofile: ${canonicalJson(about)}`, empty));
  const report = await profiles(repo);
  assert.deepEqual([report.profiles[0].use, report.profiles[0].about], ['newer', about]);
  assert.match(report.notice ?? '', /newer version.*update git-socraticode/);
  const { stderr, code } = await cli(['index'], at(repo));
  assert.equal(code, 0);
  assert.match(stderr, /newer version/);
  // Once there are records that it can use, it has nothing to complain about.
  assert.equal((await cli(['index'], at(repo))).stderr, '');
  assert.equal((await profiles(repo)).notice, null);
});
