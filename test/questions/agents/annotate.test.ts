import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { hitsOf } from '../../../src/questions/agents/annotate.js';
import { cli } from '../../support/processes/cli.js';
import { createRepo } from '../../support/repositories/repo.js';

const event = (cwd: string, content: string, more: object = {}) =>
  JSON.stringify({
    ...{ hook_event_name: 'PostToolUse', cwd, tool_name: 'Grep', tool_input: { pattern: 'x' } },
    ...{ tool_response: { mode: 'content', numFiles: 1, filenames: [], content }, ...more },
  });

test('hits are read from Grep and from searches in a shell, and from nothing else', () => {
  const hits = [{ path: 'src/a.ts', line: 3 }];
  assert.deepEqual(hitsOf(event('/r', 'src/a.ts:3:x\nsrc/a.ts-4-y\n--\n'))?.hits, hits);
  const shell = (command: string) =>
    hitsOf(event('/r', '', { tool_name: 'Bash', tool_input: { command }, tool_response: { stdout: 'src/a.ts:3:x' } }));
  for (const command of ['rg -n x', 'cd b && git grep -n x', 'git --no-pager grep -n x'])
    assert.deepEqual(shell(command)?.hits, hits, command);
  for (const command of ['tsc', 'cat rg.txt']) assert.equal(shell(command), null, command);
  for (const bad of ['', '[]', '{', '{"cwd":1}', event('/r', 'a.ts\nb.ts'), event('/r', 'a:1:', { tool_response: 4 })])
    assert.equal(hitsOf(bad), null, bad);
  assert.equal(hitsOf(event('/r', 'a:1:x\n'.repeat(5_000)))?.hits.length, 200);
});

test('the hook names the symbols around hits, says what changed since, and is silent otherwise', async () => {
  const repo = createRepo();
  const code = (name: string) => `export function ${name}() {\n  return 1;\n}\n`;
  const many = Array.from({ length: 60 }, (_, i) => [`src/very/long/folder/file${i}.ts`, code(`work${i}`)]);
  repo.commit({
    'src/a.ts': `${code('first')}${code('second')}`,
    'src/b.ts': code('third'),
    ...Object.fromEntries(many),
  });
  const ask = async (content: string, cwd = repo.dir) => {
    const run = await cli(['agents', 'annotate'], { cwd: repo.dir, input: event(cwd, content) });
    assert.equal(run.code, 0, run.stderr);
    return run.stdout === '' ? null : (JSON.parse(run.stdout).hookSpecificOutput.additionalContext as string);
  };
  assert.equal(await ask('src/a.ts:2:  return 1;'), null, 'nothing is indexed by a hook');
  await cli(['index'], { cwd: repo.dir });
  writeFileSync(join(repo.dir, 'src/b.ts'), code('changed'));
  symlinkSync('/etc/passwd', join(repo.dir, 'link.ts'));
  const note =
    (await ask(`src/a.ts:2:x\n${join(repo.dir, 'src/a.ts')}:5:x\nsrc/b.ts:1:x\nlink.ts:1:x\n../up.ts:1:x`)) ?? '';
  assert.match(note, /^src\/a\.ts: first \(2\); second \(5\)$/m);
  assert.match(note, /^src\/b\.ts: changed since it was indexed/m);
  assert.doesNotMatch(note, /link\.ts|up\.ts/);
  const long = (await ask(many.map(([path]) => `${path}:2:x`).join('\n'))) ?? '';
  assert.ok(countTokens(long) <= 300, `${countTokens(long)} tokens`);
  assert.match(long, /and \d+ more files/);
  assert.equal(await ask('src/a.ts:2:x', '/nowhere'), null);
});
