/** `show` with a range: its changes are marked, and without targets all of them are shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { answerShow, showText } from '../../../src/questions/show/answer.js';
import { type ShowDocument, type ShowValues, showSchema } from '../../../src/questions/show/question.js';
import { Session } from '../../../src/session/session.js';
import { check } from '../../support/check.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

const CART = `/** A cart. */
export class Cart {
  total(): number {
    let sum = 0;
    sum += 1;
    sum += 2;
    return sum;
  }

  clear(): void {}
}
${'export const filler = 1;\n'.repeat(70)}`;

const repo = createRepo();
repo.commit({
  'src/cart.ts': CART.replace('    sum += 2;\n', '    sum -= 1;\n    sum -= 2;\n'),
  'src/same.ts': 'export const same = 1;\n',
  'src/old.ts': `${'export const moved = 1;\n'.repeat(9)}export const last = 1;\n`,
  'gone.ts': 'export {};\n',
  'image.bin': Buffer.from([1, 0, 2]),
});
repo.git('tag', 'before');
repo.git('rm', '-q', 'gone.ts', 'src/old.ts');
repo.commit({
  'src/cart.ts': CART,
  'src/new.ts': `${'export const moved = 1;\n'.repeat(9)}export const last = 2;\n`,
  'docs/text.md': '# Text\n',
  'image.bin': Buffer.from([1, 0, 3]),
});
repo.git('tag', 'after');

async function show(
  targets: string[],
  values: Partial<ShowValues>,
  isAgent = false,
  directory = repo.dir,
): Promise<ShowDocument> {
  const session = await Session.open({ directory });
  try {
    const asker = askerOf(session, { directory });
    const at = isAgent ? { ...asker, server: { skip: 0 } as typeof asker.server } : asker;
    return check(showSchema, await answerShow(at, { ...values, targets }));
  } finally {
    await session.close();
  }
}

const text = (document: ShowDocument) => showText(document, { pen: plainPen(COMMAND_WORDS), isCommand: true });

test('a range alone shows each changed symbol as a whole, code first, and names what has no text', async () => {
  const document = await show([], { in: 'before..after' });
  assert.deepEqual(
    document.parts.map(({ target, changes }) => [target, changes]),
    [
      ['src/cart.ts#Cart.total', [{ line: 6, added: 1, removed: 2 }]],
      ['src/new.ts#last', [{ line: 10, added: 1, removed: 1 }]],
      ['docs/text.md:1-1', [{ line: 1, added: 1, removed: 0 }]],
    ],
  );
  assert.deepEqual(
    document.files.map(({ note }) => note),
    [undefined, 'was src/old.ts', 'new'],
  );
  assert.deepEqual(document.range, {
    from: repo.git('rev-parse', 'before'),
    deleted: { count: 1, first: ['gone.ts'] },
    skipped: { binary: 1 },
  });
  assert.match(text(document), /\n 5: {4}sum \+= 1;\n- 2 lines removed\n\+6: {4}sum \+= 2;\n 7: {4}return sum;\n/);
  assert.match(text(document), /\n1 deleted file: gone\.ts\nchanged files without text to show: 1 binary\n/);
});

test('targets are read at the newer side, and only they are shown', async () => {
  const { parts, commit } = await show(['src/cart.ts:5-6', 'src/same.ts'], { in: 'after..before' });
  assert.equal(commit, repo.git('rev-parse', 'before'));
  assert.deepEqual(
    parts.map(({ content, changes }) => [content, changes]),
    [
      ['    sum += 1;\n    sum -= 1;', [{ line: 6, added: 1, removed: 1 }]],
      ['export const same = 1;', []],
    ],
  );
});

test('the parts that pages are made of share the changes, and each line is marked once', async () => {
  const { parts } = await show(['docs/text.md', 'src/cart.ts'], { in: 'before..after', context: 0 }, true);
  const marked = parts.flatMap(({ changes = [] }) => changes);
  assert.ok(parts.length > 3);
  assert.deepEqual(marked, [
    { line: 1, added: 1, removed: 0 },
    { line: 6, added: 1, removed: 2 },
  ]);
});

test('lines that a long change replaced are counted in its first part alone', async () => {
  const long = createRepo();
  long.commit({ 'a.txt': `first\n${'old\n'.repeat(3)}last\n` });
  long.commit({ 'a.txt': `first\n${Array.from({ length: 60 }, (_, i) => `new ${i}\n`).join('')}last\n` });
  const { parts } = await show(['a.txt'], { in: 'HEAD~1..HEAD' }, true, long.dir);
  assert.deepEqual(
    parts.map(({ changes }) => changes),
    [
      [{ line: 2, added: 24, removed: 3 }],
      [{ line: 26, added: 25, removed: 0 }],
      [{ line: 51, added: 11, removed: 0 }],
    ],
  );
});

test('a range in a terminal is cut to its limit, and the rest is counted', async () => {
  const document = await show([], { in: 'before..after', limit: 1 });
  assert.deepEqual([document.parts.length, document.partsLeftOut], [1, 2]);
  assert.match(text(document), /\n2 further places: raise --limit\n/);
  const forAgent = await show([], { in: 'before..after', limit: 1 }, true);
  assert.deepEqual([forAgent.parts.length > 1, forAgent.partsLeftOut], [true, 0]);
});

test('an open range ends in the work tree with its uncommitted files; the same side twice differs in nothing', async () => {
  repo.write({ 'src/same.ts': 'export const same = 1;\nexport const other = 2;\n' });
  repo.git('rm', '-q', '--cached', 'docs/text.md');
  const now = await show([], { in: 'after..' });
  const same = now.parts.find(({ path }) => path === 'src/same.ts');
  assert.deepEqual(same?.changes, [{ line: 2, added: 1, removed: 0 }]);
  assert.equal(now.files.find(({ path }) => path === 'src/same.ts')?.uncommitted, true);
  assert.deepEqual((await show([], { in: 'after..HEAD' })).parts, []);
  assert.match(text(await show([], { in: 'after..HEAD' })), /^nothing here changed since /);
  await assert.rejects(show([], { in: 'after..', ref: 'HEAD' }), { code: 'BAD_ARGUMENT' });
  await assert.rejects(show([], {}), { code: 'BAD_ARGUMENT' });
});
