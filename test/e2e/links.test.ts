/** Symbolic links and swollen directories that came with a repository: nothing outside is touched, nothing fails for long. */
import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

/** Somebody else's directory, with files that look like old ones of ours. */
function precious(): string {
  const directory = makeDirectory('outside');
  for (const name of ['.tmp-old', 'lexical-0123456789abcdef.bin', 'lexical-0123456789abcdef.bin.bad']) {
    writeFileSync(join(directory, name), 'precious');
    utimesSync(join(directory, name), 1_000, 1_000);
  }
  return directory;
}

function indexed(): Promise<TestRepo> {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export function alpha() {}\n' });
  return cli(['index'], { cwd: repo.dir }).then(() => repo.write({ 'b.ts': 'export function beta() {}\n' }));
}

const profileOf = (repo: TestRepo) =>
  join(repo.state, readdirSync(repo.state).find((name) => /^[0-9a-f]{12}-/.test(name)) as string);

for (const level of ['state', 'profile'] as const) {
  test(`the ${level} directory as a symbolic link is refused, with what to do`, async () => {
    const repo = await indexed();
    const path = level === 'state' ? repo.state : profileOf(repo);
    rmSync(path, { recursive: true });
    const outside = precious();
    symlinkSync(outside, path);
    for (const command of [['index'], ['search', 'beta']]) {
      const { code, stderr } = await cli(command, { cwd: repo.dir });
      assert.equal(code, 2, stderr);
      assert.match(stderr, /symbolic link, which is not followed[\s\S]*Remove it/);
    }
    assert.equal(readdirSync(outside).length, 3);
    rmSync(path);
    assert.equal((await cli(['search', 'beta'], { cwd: repo.dir })).code, 0);
  });
}

test('the directory of uncommitted files as a symbolic link is neither read nor written', async () => {
  const repo = await indexed();
  await cli(['search', 'beta'], { cwd: repo.dir });
  const name = readdirSync(profileOf(repo)).find((entry) => entry.startsWith('overlay-')) as string;
  const outside = join(precious(), 'overlay');
  renameSync(join(profileOf(repo), name), outside);
  symlinkSync(outside, join(profileOf(repo), name));
  const before = readdirSync(outside);
  repo.write({ 'c.ts': 'export function gamma() {}\n' });
  const { results } = await cliJson<SearchResponse>(['search', 'gamma'], { cwd: repo.dir });
  assert.equal(results[0].path, 'c.ts');
  assert.deepEqual(readdirSync(outside), before);
});

test('more files in .socraticode/ than there can be are no records, and no failure', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export function alpha() {}\n' });
  const oid = repo.blob('x');
  const shelf = repo.rawTree(Array.from({ length: 9_000 }, (_, i) => ({ oid, name: `j${i}` })));
  await cli(['index'], { cwd: repo.dir });
  const profile = basename(profileOf(repo)).slice(0, 12);
  let tree = shelf;
  for (const name of [profile, 'syntax']) tree = repo.rawTree([{ mode: '40000', oid: tree, name }]);
  const top = repo.rawTree([
    { mode: '40000', oid: tree, name: '.socraticode' },
    { oid: repo.git('rev-parse', 'HEAD:a.ts'), name: 'a.ts' },
  ]);
  repo.commitTree(top, 'refs/heads/main');
  repo.git('update-ref', '-d', repo.notesRef);
  rmSync(repo.state, { recursive: true });
  const { code, stderr } = await cli(['index'], { cwd: repo.dir });
  assert.equal(code, 0, stderr);
  assert.equal(stderr.match(/\.socraticode\/ has too many files/g)?.length, 1);
});
