/** What a process adds to a command line: exit code, separate streams, input from a pipe, and a reader that leaves early. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { CLI, cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const repo = createRepo();
repo.commit(PROJECT);

test('answers go to standard output, failures to standard error, and the exit code tells them apart', async () => {
  const found = await cli(['grep', 'rememberToken'], { cwd: repo.dir });
  assert.deepEqual([found.code, found.stderr], [0, '']);
  assert.match(found.stdout, /rememberToken/);
  assert.equal((await cli(['grep', 'nowhere'], { cwd: repo.dir })).code, 1);
  const refused = await cli(['search', 'x', '--ref', 'nowhere'], { cwd: repo.dir });
  assert.deepEqual([refused.code, refused.stdout], [2, '']);
  assert.match(refused.stderr, /^git-socraticode: .*nowhere.*\n {2}\S/);
});

test('questions are read from a pipe, one a line', async () => {
  const { code, stdout } = await cli(['grep', '--stdin'], { cwd: repo.dir, input: 'rememberToken\nnowhere\n' });
  assert.equal(code, 0);
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).total.hits > 0),
    [true, false],
  );
});

test('a reader that has seen enough is no failure', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `a line with number ${i}`).join('\n');
  const large = createRepo();
  large.commit({ 'large.txt': lines });
  const child = spawn(process.execPath, [CLI, 'grep', 'line', '--limit', '10000'], {
    cwd: large.dir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  assert.deepEqual([await ended, stderr], [[0, null], '']);
});

test('signs of ours are ASCII where the locale has no UTF-8, and bytes of the repository stay as they are', async () => {
  const named = createRepo();
  named.commit({
    'a.ts': 'export function first() { second(); third(); }\nfunction second() {}\nfunction third() { /* … ü */ }\n',
  });
  const inLocale = async (env: NodeJS.ProcessEnv, ...words: string[]) =>
    (await cli(words, { cwd: named.dir, env: { LC_ALL: '', LC_CTYPE: '', LANG: '', ...env } })).stdout;
  const flow = ['graph', 'flow', 'first'];
  for (const env of [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, { LC_CTYPE: 'POSIX' }, { LANG: 'de_DE.ISO-8859-1' }])
    assert.match(await inLocale(env, ...flow), /^first.*\n\|- second.*\n`- third/);
  for (const env of [{ LC_ALL: 'C.UTF-8' }, { LANG: 'de_DE.utf8' }])
    assert.match(await inLocale(env, ...flow), /^first.*\n├─ second.*\n└─ third/);
  assert.match(await inLocale({ LC_ALL: 'C' }, 'grep', 'third', '--json'), /… ü/);
});
