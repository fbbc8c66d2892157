/** `graph status` and `graph remove`. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { graphRemoveReportSchema } from '../../../../src/questions/graph/remove/question.js';
import { graphStatusSchema } from '../../../../src/questions/graph/status/question.js';
import { check } from '../../../support/check.js';
import { cli, cliJson } from '../../../support/in-process/cli.js';
import { createRepo, makeDirectory } from '../../../support/repositories/repo.js';

test('status links nothing and tells of each ref; remove frees what it says, of other versions too', async () => {
  const repo = createRepo();
  repo.commit({
    'a.ts': "import { b } from './b';\nexport const a = () => b();\n",
    'b.ts': 'export const b = () => 1;\n',
  });
  repo.commit({ 'c.ts': 'export const c = 1;\n' });
  const options = { cwd: repo.dir };
  const status = async (...args: string[]) => {
    const { code, stdout } = await cli(['graph', 'status', '--json', ...args], options);
    return { code, ...check(graphStatusSchema, JSON.parse(stdout)) };
  };
  const none = await status();
  assert.deepEqual([none.code, none.state, none.graph, none.cache.files], [1, 'none', null, 0]);
  await cli(['graph', 'stats'], options);
  const linked = await status();
  assert.deepEqual([linked.code, linked.state, linked.graph?.files, linked.coverage?.covered], [0, 'linked', 3, 3]);
  assert.deepEqual(linked.graph?.imports, { total: 1, resolved: 1, external: 0, ambiguous: 0, unresolved: 0 });
  assert.equal((await status('--ref', 'HEAD~1')).state, 'none');
  assert.match(
    (await cli(['graph', 'status'], options)).stdout,
    /^state +linked\ngraph +3 files, .*\nimports .*\ncalls .*\ncache +\d+ files?, .*; link version \d+\n$/,
  );
  assert.equal((await cli(['graph', 'status', '--ref', 'nowhere'], options)).code, 2);

  const state = join(repo.dir, '.git', 'socraticode');
  const [profile] = readdirSync(state).filter((name) => /^[0-9a-f]{12}-/.test(name));
  const old = join(state, '0123456789ab', 'graphs');
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, `graph-${'0'.repeat(24)}.bin`), 'an old one');
  writeFileSync(join(old, 'notes.txt'), 'not ours');
  const elsewhere = makeDirectory('elsewhere');
  writeFileSync(join(elsewhere, `graph-${'0'.repeat(24)}.bin`), 'of somebody else');
  mkdirSync(join(state, 'ba9876543210'));
  symlinkSync(elsewhere, join(state, 'ba9876543210', 'graphs'));
  const { removed } = check(graphRemoveReportSchema, await cliJson(['graph', 'remove'], options));
  assert.deepEqual([removed.files, removed.bytes], [linked.cache.files + 1, linked.cache.bytes + 10]);
  assert.deepEqual(readdirSync(join(state, profile, 'graphs')), []);
  assert.deepEqual([readdirSync(old), readdirSync(elsewhere).length], [['notes.txt'], 1]);
  const again = await cli(['graph', 'remove'], options);
  assert.deepEqual([again.code, again.stdout], [1, 'no linked graphs are kept here\n']);
  assert.ok(existsSync(join(repo.dir, 'a.ts')));
  assert.equal((await cli(['graph', 'deps', 'a.ts'], options)).code, 0);
});
