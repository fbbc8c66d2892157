/** `git socraticode fsck` as it is typed: exit codes, what it says, and what stands in its JSON. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type FsckReport, fsckReportSchema } from '../../src/questions/fsck/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

test('nothing there, everything fine, something wrong, repaired', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const run = (...args: string[]) => cli(['fsck', ...args], { cwd: repo.dir });
  assert.deepEqual(await run(), { code: 0, signal: null, stdout: 'nothing indexed yet\n', stderr: '' });
  await cliJson(['index'], { cwd: repo.dir });
  const fine = await run('--rederive', 'all');
  assert.equal(fine.code, 0);
  assert.match(
    fine.stdout,
    /^checked 4 records \(.*\), 1 shard with 4 blobs, .*\nderived 4 of 4 records again: all equal\nnothing is wrong\n$/,
  );

  const blob = repo.git('rev-parse', 'HEAD:lib/depot.py');
  repo.git('notes', `--ref=${repo.notesRef}`, 'add', '-f', '-m', 'no record', blob);
  const folder = join(repo.state, readdirSync(repo.state).find((name) => /^[0-9a-f]{12}-/.test(name)) as string);
  const shard = join(folder, readdirSync(folder).find((name) => name.startsWith('lexical-')) as string);
  writeFileSync(shard, readFileSync(shard).fill(0, 40, 60));
  const wrong = await run();
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stdout,
    /^error: note-undecodable: refs\/notes\/\S+: the note of \w{12} is no record: no magic \(lib\/depot\.py\)\n {2}--repair keeps/m,
  );
  assert.match(wrong.stdout, /^error: shard-damaged: lexical-\w+\.bin: it fails its checksum\n/m);
  assert.match(wrong.stdout, /\n2 errors\n$/);

  const { code, stdout } = await run('--repair', '--json');
  const report = check(fsckReportSchema, JSON.parse(stdout)) as FsckReport;
  assert.deepEqual([code, report.ok, report.repaired?.indexed, report.repaired?.aside.length], [0, true, true, 2]);
  // `git notes` has put the others elsewhere, where they are found as well.
  assert.deepEqual(report.repaired?.counts, { 'note-undecodable': 1, 'note-depth': 3, 'shard-damaged': 1 });
  const after = await run();
  assert.deepEqual([after.code, after.stdout.split('\n').at(-2)], [0, 'nothing is wrong']);
});

test('what cannot be checked is exit code 2', async () => {
  const outside = await cli(['fsck'], { cwd: makeDirectory() });
  assert.deepEqual([outside.code, outside.stdout], [2, '']);
  const bad = await cli(['fsck', '--rederive', '0'], { cwd: createRepo().dir });
  assert.deepEqual([bad.code, bad.stdout], [2, '']);
});
