/** What `show` reads: any ref, the work tree, symbols; and what it refuses, with the reason. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { visibleDocument } from '../../../src/base/printable.js';
import type { Asker } from '../../../src/questions/asker.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { answerShow, showText } from '../../../src/questions/show/answer.js';
import { question, type ShowDocument, type ShowValues, showSchema } from '../../../src/questions/show/question.js';
import { Session } from '../../../src/session/session.js';
import { check } from '../../support/check.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

const CART = `/** A cart. */
export class Cart {
  /** Sum of
   * all items. */
  total(): number {
    return 1;
  }

  clear(): void {}
}
`;
const OTHER = 'export function clear(): void {}\nexport function only(): number {\n  return 2;\n}\n';

const repo = createRepo();
repo.commit({ 'src/cart.ts': CART.replace('return 1', 'return 0'), 'src/other.ts': OTHER, 'notes.lock': 'a\nb\nc' });
repo.git('tag', 'before');
repo.commit({
  'src/cart.ts': CART,
  'src/box.ts': 'export class Box {\n  sides() {}\n}\nexport class Ball {\n  sides() {}\n}\n',
  'src/latin.txt': Buffer.from([0x61, 0x01, 0xe9, 0x0a]),
  'src/odd name:3': 'odd\r\n\x1b[31mred\n',
  'image.bin': Buffer.from([1, 0, 2]),
  '.env': 'TOKEN=abc\n',
  'key.txt': '-----BEGIN RSA PRIVATE KEY-----\nabc\n',
  'big.pack': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n',
});
repo.git('update-index', '--add', '--cacheinfo', `160000,${repo.git('rev-parse', 'HEAD')},module`);
symlinkSync('/etc/passwd', join(repo.dir, 'link'));
repo.git('add', 'link');
repo.git('commit', '-qm', 'a link and a submodule');

const session = await Session.open({ directory: repo.dir });
after(() => session.close());
const asker = askerOf(session, { directory: repo.dir });

async function show(targets: string[], values: Partial<ShowValues> = {}, at: Asker = asker): Promise<ShowDocument> {
  return check(showSchema, await answerShow(at, { ...values, targets }));
}

const text = (document: ShowDocument) =>
  showText(visibleDocument(document, question.multiline), { pen: plainPen(COMMAND_WORDS), isCommand: true });

test('lines of a file at any ref, indexed or not', async () => {
  const { parts, commit, problems } = await show(['src/cart.ts:5-6', 'notes.lock:2'], { ref: 'before' });
  assert.deepEqual(
    parts.map(({ content }) => content),
    ['  total(): number {\n    return 0;', 'b'],
  );
  assert.deepEqual([commit, problems], [repo.git('rev-parse', 'before'), []]);
});

test('a symbol is read as a whole, with its comment; its name as questions about the graph take it', async () => {
  for (const target of ['Cart.total', 'src/cart.ts#total', 'src/cart.ts:Cart.total', 'total']) {
    const { parts } = await show([target]);
    assert.deepEqual([parts[0].startLine, parts[0].endLine, parts[0].symbol], [3, 7, 'Cart.total'], target);
  }
});

test('an ambiguous name is answered with its places, and the rest of the question is answered all the same', async () => {
  const { parts, problems } = await show(['sides', 'only']);
  assert.deepEqual([parts.length, parts[0].symbol], [1, 'only']);
  assert.deepEqual(problems[0].candidates?.list.map(({ pick }) => pick).sort(), [
    'src/box.ts:Ball.sides',
    'src/box.ts:Box.sides',
  ]);
});

test('a skeleton leaves bodies of functions out, but for what was asked for', async () => {
  const body = '  let a = 1;\n  a += 1;\n  return a;\n}\n';
  const tall = createRepo();
  tall.commit({
    'a.ts': `import x from './x';\n\nexport function one(): number {\n${body}\nexport function two(): number {\n${body}`,
    'b.py': 'def f():\n    a = 1\n    b = 2\n    return a + b\n\nX = 1\n',
  });
  const own = await Session.open({ directory: tall.dir });
  try {
    const at = askerOf(own, { directory: tall.dir });
    const lines = async (target: string) => {
      const { parts } = await show([target], { skeleton: true }, at);
      return parts.map(({ startLine, endLine }) => [startLine, endLine]);
    };
    assert.deepEqual(await lines('a.ts'), [
      [1, 3],
      [7, 9],
      [13, 13],
    ]);
    assert.deepEqual(await lines('a.ts#two'), [
      [1, 3],
      [7, 13],
    ]);
    assert.deepEqual(await lines('b.py'), [
      [1, 1],
      [5, 6],
    ]);
  } finally {
    own.close();
  }
});

test('lines of context, cut at the ends of the file', async () => {
  const { parts } = await show(['src/other.ts:2', 'src/other.ts:4'], { context: 1 });
  assert.deepEqual(
    parts.map(({ startLine, endLine }) => [startLine, endLine]),
    [
      [1, 3],
      [3, 4],
    ],
  );
});

test('a name that leads to no text says why', async () => {
  const reasons: [string, RegExp][] = [
    ['src', /src is a directory/],
    ['src/', /src is a directory/],
    ['./src/', /src is a directory/],
    ['link', /is a symbolic link to \/etc\/passwd/],
    ['module', /is a submodule at commit [0-9a-f]{40}/],
    ['image.bin', /is binary/],
    ['.env', /holds secrets/],
    ['key.txt', /holds secrets/],
    ['src/cart.ts:11', /has no line 11/],
    ['src/missing.ts', /no file src\/missing\.ts/],
    ['../outside', /outside of this repository/],
    ['/etc/passwd', /outside of this repository/],
    ['.git/config', /no file .git\/config/],
  ];
  const { problems, parts } = await show(reasons.map(([target]) => target));
  assert.deepEqual(parts, []);
  for (const [i, [target, reason]] of reasons.entries()) {
    assert.equal(problems[i].target, target);
    assert.match(problems[i].message, reason);
  }
  await assert.rejects(show(['.env']), { code: 'BAD_ARGUMENT' });
});

test('texts that need a word say it: pointers of git-lfs, and bytes that are no text in any encoding', async () => {
  const { files } = await show(['big.pack', 'src/latin.txt']);
  assert.match(files[0].note ?? '', /git-lfs/);
  assert.match(files[1].note ?? '', /not UTF-8/);
});

test('names and lines of a repository are made visible in the text', async () => {
  const document = await show(['src/odd name:3']);
  assert.equal(document.parts[0].content, 'odd\r\n\x1b[31mred');
  assert.match(text(document), /^src\/odd name:3:1 .*\n1:odd\n2:\\x1b\[31mred\n/);
});

test('the work tree is read as it is, and says so; a ref is not touched by it', async () => {
  const edited = createRepo();
  edited.commit({ 'a.ts': 'one\n', 'gone.ts': 'x\n', 'sub/b.ts': 'in sub\n', 'b.ts': 'at the top\n' });
  edited.write({ 'a.ts': 'two\n', 'new.ts': 'new\n' });
  edited.git('rm', '-q', 'gone.ts');
  mkdirSync(join(edited.dir, 'sub'), { recursive: true });
  const own = await Session.open({ directory: edited.dir });
  try {
    const at = askerOf(own, { directory: join(edited.dir, 'sub') });
    const now = await show(['a.ts', 'new.ts', 'gone.ts', 'b.ts', ':/b.ts', './b.ts'], {}, at);
    assert.deepEqual(
      now.parts.map(({ content }) => content),
      ['two', 'new', 'in sub', 'at the top', 'in sub'],
    );
    assert.deepEqual(
      now.files.map(({ path, uncommitted = false }) => [path, uncommitted]),
      [
        ['a.ts', true],
        ['new.ts', true],
        ['sub/b.ts', false],
        ['b.ts', false],
      ],
    );
    assert.match(now.problems[0].message, /gone\.ts is deleted/);
    for (const values of [{ ref: 'HEAD' }, { committed: true }])
      assert.equal((await show(['a.ts'], values, at)).parts[0].content, 'one');
  } finally {
    own.close();
  }
});

test('a function is meant before methods of its name, which are named beside it', async () => {
  const own = createRepo();
  own.commit({
    'src/hash.ts': 'export function hash(): number {\n  return 1;\n}\n',
    'src/a.ts':
      "import { hash } from './hash';\nexport class A {\n  hash() {\n    return hash();\n  }\n}\nnew A().hash();\n",
    'src/b.ts': 'export class B {\n  hash() {}\n}\n',
  });
  const other = await Session.open({ directory: own.dir });
  try {
    const document = await show(['hash'], {}, askerOf(other, { directory: own.dir }));
    assert.deepEqual(document.problems, []);
    assert.deepEqual(
      document.parts.map(({ path, symbol }) => [path, symbol]),
      [['src/hash.ts', 'hash']],
    );
    assert.match(text(document), /\n {2}not meant: src\/a\.ts:A\.hash, src\/b\.ts:B\.hash\n1:export function hash/);
  } finally {
    await other.close();
  }
});
