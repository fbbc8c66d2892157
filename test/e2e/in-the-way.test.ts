/** A place that cannot be written is said. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setLogLevel } from '../../src/base/log.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';

setLogLevel('silent');

async function indexedRepo(): Promise<TestRepo> {
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...manyFiles(20) });
  await cliJson(['index'], { cwd: repo.dir });
  repo.commit({ 'src/second.ts': 'export class SecondShard {}\n' });
  await cliJson(['search', 'SecondShard'], { cwd: repo.dir });
  return repo;
}

/** Files of the one profile directory, without what was moved aside. */
function localFiles(repo: TestRepo): string[] {
  return (readdirSync(repo.state, { recursive: true }) as string[])
    .filter((name) => /\.(bin|json)$/.test(name))
    .map((name) => join(repo.state, name))
    .sort();
}

test('a state directory that cannot be written is exit code 2 and one clear line', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  writeFileSync(repo.state, 'in the way');
  for (const command of [['index'], ['search', 'rememberToken']]) {
    const { code, stdout, stderr } = await cli(command, { cwd: repo.dir });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /^git-socraticode: [^\n]+socraticode[^\n]*\n {2}Free some space or check permissions[^\n]*\n$/,
    );
  }
  rmSync(repo.state);
  assert.equal((await cli(['search', 'rememberToken'], { cwd: repo.dir })).code, 0);
});

test('a profile directory that is a file', async () => {
  const repo = await indexedRepo();
  const [profile] = readdirSync(repo.state).filter((name) => /^[0-9a-f]{12}-/.test(name));
  rmSync(join(repo.state, profile), { recursive: true });
  writeFileSync(join(repo.state, profile), '');
  const { code, stderr } = await cli(['search', 'rememberToken'], { cwd: repo.dir });
  assert.equal(code, 2);
  assert.match(stderr, /Free some space or check permissions/);
  rmSync(join(repo.state, profile));
  const response = await cliJson<SearchResponse>(['search', 'rememberToken'], { cwd: repo.dir });
  assert.equal(response.results[0].path, 'src/session.ts');
});

test('a notes ref that cannot be created leaves everything as it was', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  mkdirSync(join(repo.commonDir, 'refs/notes'), { recursive: true });
  writeFileSync(join(repo.commonDir, 'refs/notes/socraticode'), `${repo.git('rev-parse', 'HEAD')}\n`);
  const { code, stdout, stderr } = await cli(['index'], { cwd: repo.dir });
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(
    stderr,
    /^git-socraticode: [^\n]*refs\/notes\/socraticode is in the way\n {2}[^\n]+update-ref -d[^\n]+\n$/,
  );
  assert.deepEqual(localFiles(repo), []);
});
