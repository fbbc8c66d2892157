/** What killed processes left behind goes with the next run that writes, wherever it lies; what is being written stays. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../support/processes/cli.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const HOUR_MS = 3_600_000;

test('temporary files of the state, of graphs and of uncommitted files', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  const outside = makeDirectory();
  const folders = ['', 'abcdefabcdef', 'abcdefabcdef/graphs', 'abcdefabcdef/overlay-0123456789abcdef'];
  symlinkSync(outside, join(repo.state, 'linked'));
  const long = new Date(Date.now() - HOUR_MS);
  const write = (path: string, when?: Date) => {
    writeFileSync(path, 'x');
    if (when !== undefined) utimesSync(path, when, when);
    return path;
  };
  const old = folders.map((folder) => {
    mkdirSync(join(repo.state, folder), { recursive: true });
    return write(join(repo.state, folder, '.tmp-999999999-0-name'), long);
  });
  const kept = [
    ...folders.map((folder) => write(join(repo.state, folder, '.tmp-1-1-name'))),
    write(join(outside, '.tmp-999999999-0-name'), long),
  ];
  repo.commit({ 'src/more.ts': 'export const more = 1;\n' });
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  assert.deepEqual(old.filter(existsSync), []);
  assert.deepEqual(
    kept.filter((path) => !existsSync(path)),
    [],
  );
});
