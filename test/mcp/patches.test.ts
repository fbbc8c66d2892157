/** Patches that an agent asks for apply as they are. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTools } from '../support/in-process/tools.js';
import { createRepo } from '../support/repositories/repo.js';

test('a patch of a file with CRLF keeps its line ends', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'const a = 1;\r\nconsole.log(a);\r\nconsole.log(\r\n  2,\r\n  3,\r\n);\r\n' });
  const { ask } = await openTools(t, repo.dir);
  const reply = await ask('codebase_grep', { pattern: 'console.log($$$A)', ast: true, rewrite: 'log($$$A)' });
  const [{ patch }] = reply.structured.files;
  // The text has it below a line that says of which commit it is.
  assert.equal(`${reply.text.slice(reply.text.indexOf('diff --git'))}\n`, patch);
  repo.gitInput(patch, 'apply');
  assert.equal(readFileSync(join(repo.dir, 'a.ts'), 'utf8'), 'const a = 1;\r\nlog(a);\r\nlog(2,\r\n3,);\r\n');
});
