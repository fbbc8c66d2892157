/** `search --linked` as people type it: what is printed, exit codes, and several queries in one process. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';

const source = (name: string) => `export function ${name}(session: string): string {\n  return session;\n}\n`;

test('search --linked marks results with their project and says what was not searched', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': source('alpha'), '.socraticode.json': '{"linkedProjects": ["inner", "../private"]}' });
  createRepo({ directory: join(repo.dir, 'inner') }).commit({ 'src/b.ts': source('beta') });
  const { code, stdout } = await cli(['search', 'session', '--linked', '--path', '**/*.ts'], { cwd: repo.dir });
  assert.equal(code, 0);
  assert.match(stdout, /^inner:src\/b\.ts:1 {2}beta/m);
  assert.match(stdout, /^a\.ts:1 {2}alpha/m);
  assert.match(
    stdout,
    /also searched: inner @ [0-9a-f]{9}\n\.\.\/private: not allowed: .*--add socraticode\.linked\.allow \//,
  );
  const none = await cli(['search', 'session', '--linked', '--path', 'docs/**'], { cwd: repo.dir });
  assert.equal(none.code, 1);
  const wrong = await cli(['search', 'session', '--linked', '--all-refs'], { cwd: repo.dir });
  assert.deepEqual([wrong.code, /searched at their own HEAD/.test(wrong.stderr)], [2, true]);
  const input = '{"query": "beta", "linked": true, "limit": 1}\n{"query": "beta", "linked": true, "limit": 1}\nalpha\n';
  const lines = (await cli(['search', '--stdin'], { cwd: repo.dir, input })).stdout.trim().split('\n');
  const answers = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ results }) => results[0].project),
    ['inner', 'inner', undefined],
  );
  assert.equal(answers[2].linked, undefined);
});
