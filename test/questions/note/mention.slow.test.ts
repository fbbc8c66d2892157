/** Notes where code is read: told as claims of their authors, a line each, escaped, and only on the code that is shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setLogLevel } from '../../../src/base/log.js';
import { notesOn } from '../../../src/questions/shown-knowledge.js';
import { Session } from '../../../src/session/session.js';
import { answer } from '../../support/in-process/answer.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

setLogLevel('silent');

const FILE = 'export function total() {\n  return 1;\n}\n\nexport function tax() {\n  return total();\n}\n';

async function run(repo: TestRepo, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await answer(['-C', repo.dir, ...args]);
  assert.equal(code, 0, stderr);
  return stdout;
}

test('a note is told with the code that it is about, by show, graph symbol, pack and review, and nowhere else', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': FILE, 'b.ts': 'export const b = 1;\n' });
  await run(repo, 'note', 'add', 'a.ts:1-3', 'must\nnot\x1b[31m be\u202e zero');
  const said = /note [0-9a-f]{10} on a\.ts:1 by A U Thor: must not\\x1b\[31m be\\u202e zero\n/;
  assert.match(await run(repo, 'show', 'a.ts:2'), said);
  assert.match(await run(repo, 'graph', 'symbol', 'total'), said);
  assert.match(await run(repo, 'pack', 'change total'), said);
  assert.doesNotMatch(await run(repo, 'show', 'a.ts:5-7'), /must/);
  assert.doesNotMatch(await run(repo, 'graph', 'symbol', 'tax'), /must/);
  repo.write({ 'a.ts': FILE.replace('return 1;', 'return 2;') });
  const stale = /note [0-9a-f]{10} on a\.ts:1 by A U Thor, stale: must not/;
  assert.match(await run(repo, 'review'), stale);
  assert.match(
    await run(repo, 'review', '--format', 'markdown'),
    /^note \w+ on a\.ts:1 by A U Thor, stale: must not\\\\x1b/m,
  );
  await run(repo, 'note', 'resolve', 'last');
  assert.doesNotMatch(await run(repo, 'show', 'a.ts:2'), /must/);
});

test('a note follows its code into another file', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': FILE });
  await run(repo, 'note', 'add', 'a.ts:5-7', 'the tax');
  repo.git('mv', 'a.ts', 'shop.ts');
  repo.commit({}, 'moved');
  assert.match(await run(repo, 'show', 'shop.ts:6'), /note \w+ on shop\.ts:5 by A U Thor, moved: the tax\n/);
});

test('three notes are listed, and the others counted', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': FILE });
  for (const word of ['one', 'two', 'three', 'four']) await run(repo, 'note', 'add', 'a.ts', word);
  const text = await run(repo, 'show', 'a.ts:1');
  assert.equal(text.match(/^note /gm)?.length, 3);
  assert.match(text, /1 further note on this code\n/);
});

test('a repository without notes pays two look-ups of a ref', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': FILE });
  const session = await Session.open({ directory: repo.dir });
  const asked: string[] = [];
  const objects = {
    info: async (name: string) => {
      asked.push(name);
      return null;
    },
  };
  const at = { session: { objects } as unknown as Session, signal: new AbortController().signal };
  assert.deepEqual(await notesOn(at, {}, [{ path: 'a.ts' }]), {});
  assert.deepEqual(asked, ['refs/notes/socraticode/notes/v1', 'refs/socraticode/local/notes/v1']);
  session.close();
});
