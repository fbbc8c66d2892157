/** Commands that carry an index to other clones, between two clones and their remote. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeDocument, readScipFile } from '../../src/scip/index-file.js';
import { lintScip } from '../scip/lint.js';
import { makeDirectory, runGit, TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { remoteWith } from '../support/repositories/share.js';
import { command, given } from './command.js';

const { remote, clone } = remoteWith(PROJECT);
const other = new TestRepo(makeDirectory('other'));
runGit(['clone', '-q', `file://${remote.dir}`, other.dir], { cwd: remote.dir });
await given(clone, 'index');
const exported = join(makeDirectory('exported'), 'index');

command('share status', 'says that what is shared with the remote', async (run) => {
  assert.match((await run(clone)).stdout, /origin/);
});

command('push', 'sends records of pushed blobs to the remote', async (run) => {
  await run(clone);
  assert.equal(remote.notesTree(), clone.notesTree());
});

command('pull', 'fetches records into another clone', async (run) => {
  await given(clone, 'push');
  await run(other);
  assert.equal(other.notesTree(), clone.notesTree());
});

command('share enable', 'lets `git fetch` bring records along', async (run) => {
  await run(other);
  assert.match(other.git('config', '--get-all', 'remote.origin.fetch'), /refs\/notes\/socraticode/);
});

command('share disable', 'takes that back', async (run) => {
  await given(other, 'share', 'enable');
  await run(other);
  assert.doesNotMatch(other.git('config', '--get-all', 'remote.origin.fetch'), /refs\/notes\/socraticode/);
});

command('export', 'writes records as files', async (run) => {
  assert.match((await run(clone, ['--output', exported])).stdout, /^syntax: 4 records in \d+ files/);
  assert.ok(existsSync(exported));
  const file = `${exported}.scip`;
  assert.match(
    (await run(clone, ['--scip', file])).stdout,
    /^9 definitions, \d+ references?, .* in 3 files\nin .*scip/,
  );
  assert.deepEqual(
    lintScip([...readScipFile(file)], (path) => clone.git('show', `HEAD:${path}`)),
    [],
  );
});

command('import', 'reads them back', async (run) => {
  await given(clone, 'export', '--output', exported);
  assert.match((await run(clone, [exported])).stdout, /^syntax: 0 records added, 4 known/);
  const file = `${exported}-compiler.scip`;
  const occurrences = [{ range: [0, 4, 0, 17] as const, symbol: 'scip-test . . . depot/nearest_depot().', roles: 1 }];
  const document = { path: 'lib/depot.py', language: '', columns: 2, occurrences, symbols: [] };
  writeFileSync(file, encodeDocument(document));
  assert.match((await run(clone, ['--scip', file])).stdout, /: 1 file\ncompiler: 1 record added\n1 name /);
});
