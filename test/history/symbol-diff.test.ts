/** Two versions of a file compared symbol by symbol. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { commentsIn, extract } from '../../src/extract/extract.js';
import { type BlobSource, countWords, mayDefine, similarity } from '../../src/history/file-versions.js';
import { diffSymbols, FileDigest, isCosmetic, joinMoves, type PlacedChange } from '../../src/history/symbol-diff.js';
import { loadRules } from '../../src/languages/registry.js';

await Promise.all(['typescript', 'java', 'python', 'ruby', 'go', 'vue'].map(loadRules));

function digest(text: string, language = 'typescript') {
  const bytes = Buffer.from(text);
  const extraction = extract(bytes, language);
  assert.ok('facts' in extraction);
  return new FileDigest(bytes, extraction.facts);
}

function diff(before: string | null, after: string | null): string[] {
  const result = diffSymbols(before === null ? null : digest(before), after === null ? null : digest(after));
  const lines = result.changes.map(({ type, symbol, parts, members }) =>
    [type, symbol.symbol, ...(parts ?? []), ...(members > 0 ? [`+${members}`] : [])].join(' '),
  );
  return result.outside ? [...lines, 'outside'] : lines;
}

const CLASS = `import { x } from './x.js';

/** Counts. */
export class Counter extends Base {
  total = 0;

  add(n: number): void {
    this.total += n;
  }

  read(): number {
    return this.total;
  }
}
`;

test('a changed member is reported without its class', () => {
  assert.deepEqual(diff(CLASS, CLASS.replace('+= n', '+= 2 * n')), ['changed Counter.add body']);
  assert.deepEqual(diff(CLASS, CLASS.replace('add(n: number)', 'add(n: bigint)')), ['changed Counter.add signature']);
});

test('a class is reported as changed only if its own text changed', () => {
  assert.deepEqual(diff(CLASS, CLASS.replace('extends Base', 'extends Other')), ['changed Counter signature']);
  assert.deepEqual(diff(CLASS, CLASS.replace('Counts.', 'Counts things.')), ['changed Counter doc']);
});

test('what separates members of an enumeration is no part of it', () => {
  const added = (before: string, after: string, language: string) =>
    diffSymbols(digest(before, language), digest(after, language)).changes.map(
      ({ type, symbol }) => `${type} ${symbol.symbol}`,
    );
  const java = 'enum Size { SMALL, LARGE }\n';
  assert.deepEqual(added(java, java.replace(' }', ', HUGE }'), 'java'), ['added Size.HUGE']);
  const lines = 'enum Size {\n  SMALL, // one\n  LARGE;\n\n  int size;\n}\n';
  assert.deepEqual(added(lines, lines.replace('LARGE;', 'LARGE,\n  HUGE;'), 'java'), ['added Size.HUGE']);
  assert.deepEqual(added(lines, lines.replace('LARGE;', 'LARGE\n  , HUGE;'), 'java'), ['added Size.HUGE']);
  const script = 'export enum Size { Small, Large }\n';
  assert.deepEqual(added(script, script.replace(' }', ', Huge }'), 'typescript'), ['added Size.Huge']);
});

test('moves within the file and changes outside of symbols change no symbol', () => {
  const read = '\n  read(): number {\n    return this.total;\n  }\n';
  const moved = CLASS.replace(read, '').replace('  total = 0;\n', `  total = 0;\n${read}`);
  assert.deepEqual(diff(CLASS, moved), []);
  assert.deepEqual(diff(CLASS, CLASS.replace('./x.js', './y.js')), ['outside']);
  assert.deepEqual(diff(CLASS, `\n\n${CLASS}`), []);
});

test('reformatting changes only the layout', () => {
  assert.deepEqual(diff(CLASS, CLASS.replaceAll('    ', '\t\t')), [
    'changed Counter.add layout',
    'changed Counter.read layout',
  ]);
});

/** What the text says of itself, and what it is once comments are known. */
function twice(language: string, before: string, after: string) {
  const [old, now] = [before, after].map((text) => digest(text, language));
  const { mayBeComments } = diffSymbols(old, now);
  const [a, b] = [before, after].map((text) => commentsIn(Buffer.from(text), language));
  const { changes } = diffSymbols(old.withComments(a), now.withComments(b));
  const told = changes.map((change) => `${change.symbol.symbol} ${isCosmetic(change) ? 'cosmetic' : change.parts}`);
  return [mayBeComments, ...told];
}

test('comments within a symbol are layout, by its language', () => {
  const java =
    'class A {\n  // fo the size\n\n  int size;\n\n  void run() {\n    go(); // ofen\n    /*\n     of tow\n     */\n  }\n}\n';
  assert.deepEqual(twice('java', java, java.replace('fo the', 'of the')), [true, 'A cosmetic']);
  assert.deepEqual(twice('java', java, java.replace('ofen', 'often')), [true, 'A.run cosmetic']);
  assert.deepEqual(twice('java', java, java.replace('of tow', 'of two')), [true, 'A.run cosmetic']);
  const python = 'def run():\n    """Runs."""\n    # ofen\n    return 1\n';
  assert.deepEqual(twice('python', python, python.replace('ofen', 'often')), [true, 'run cosmetic']);
  assert.deepEqual(twice('python', python, python.replace('Runs.', 'Runs it.')), [false, 'run cosmetic']);
  const ruby = 'class A\n  # ofen\n  attr :x\n\n  def run\n    go # tow\n  end\nend\n';
  assert.deepEqual(twice('ruby', ruby, ruby.replace('tow', 'two')), [true, 'A.run cosmetic']);
  const go = 'package a\n\nfunc Run() {\n\t// ofen\n\tgo()\n}\n';
  assert.deepEqual(twice('go', go, go.replace('ofen', 'often')), [true, 'Run cosmetic']);
  const vue = '<p>é</p>\n<script lang="ts">\nfunction run() {\n  // ofen\n  go();\n}\n</script>\n';
  assert.deepEqual(twice('vue', vue, vue.replace('ofen', 'often')), [true, 'run cosmetic']);
});

test('code and strings that look like comments are no layout', () => {
  const code = "function url() {\n  // the address\n  return 'http://a';\n}\n";
  assert.deepEqual(twice('typescript', code, code.replace('//a', '//b')), [true, 'url body']);
  assert.deepEqual(twice('typescript', code, code.replace('return', 'throw')), [true, 'url body']);
  assert.deepEqual(twice('typescript', code, code.replace('  return', '  go();\n  return')), [false, 'url body']);
  const list = 'enum Kind {\n  A,\n  // the other\n  B,\n}\n';
  assert.equal(twice('typescript', list, list.replace('B,', 'B,\n  C,'))[0], false);
  assert.deepEqual(twice('typescript', code, code.replace('url()', 'url(/* of */ a)')), [false, 'url signature']);
  assert.deepEqual(twice('typescript', code, code.replace("';\n", "'; // new\n")), [true, 'url cosmetic']);
});

test('an added or removed class is one change that counts its members', () => {
  assert.deepEqual(diff(null, CLASS), ['added Counter +3']);
  assert.deepEqual(diff(CLASS, 'export const a = 1;\n'), ['added a', 'removed Counter +3', 'outside']);
});

test('among symbols of one name, those with equal text are paired first', () => {
  const get = '  get x() {\n    return this.y;\n  }\n';
  const set = '  set x(value) {\n    this.y = value;\n  }\n';
  assert.deepEqual(diff(`class A {\n${get}${set}}\n`, `class A {\n${set}${get}}\n`), []);
  assert.deepEqual(diff(`class A {\n${get}}\n`, `class A {\n${set}${get}}\n`), ['added A.x']);
});

test('modifiers before a symbol belong to it', () => {
  const [a, b] = ['export function a() {}\n', 'export function b() {}\n'];
  assert.deepEqual(diff(a, a + b), ['added b']);
  assert.deepEqual(diff(a, a.replace('export ', '')), ['changed a signature']);
});

test('an empty file has no symbols and no changes', () => {
  assert.deepEqual(diff('', ''), []);
});

test('mayDefine tells definitions of a name from mere uses by their lines', () => {
  const may = (line: string) => mayDefine(Buffer.from(`first\n  ${line}\nlast`), 'find');
  for (const line of ['find() {', 'App.prototype.find = x', 'def self.find(id)', 'function M.find(x)', 'find: () => 1'])
    assert.equal(may(line), true, line);
  for (const line of ['repo.find(x)', 'findOne()', 'p->find(1)', 'refind = 1']) assert.equal(may(line), false, line);
  assert.equal(mayDefine(Buffer.from('größe = 1'), 'größe'), true);
});

test('similarity compares words and ignores layout', () => {
  const words = (text: string) => countWords(Buffer.from(text));
  assert.equal(similarity(words('a(b, c)'), words('a ( b,\nc )')), 1);
  assert.equal(similarity(words('one two'), words('three four')), 0);
});

test('only what differs between the versions is hashed', () => {
  const methods = Array.from({ length: 50 }, (_, i) => `  m${i}() {\n    return ${i};\n  }\n`).join('');
  const [before, after] = [methods, methods.replace('return 7;', 'return 70;')].map((all) =>
    digest(`class A {\n${all}}\n`),
  );
  let hashed = 0;
  for (const file of [before, after]) {
    const { parts } = file;
    file.parts = (index) => {
      hashed++;
      return parts.call(file, index);
    };
  }
  assert.deepEqual(
    diffSymbols(before, after).changes.map(({ symbol }) => symbol.symbol),
    ['A.m7'],
  );
  // The class and the method on both sides, and once more for the change that is told.
  assert.ok(hashed <= 5, `${hashed} of 51 symbols`);
});

test('symbols of one name are paired by their text before their order', () => {
  const overload = (body: string) => `function f() {\n  return ${body};\n}\n`;
  const [one, two] = [overload('1'), overload('2')];
  assert.deepEqual(diff(one + two, two), ['removed f']);
  const removed = diffSymbols(digest(one + two), digest(two)).changes[0].symbol;
  assert.equal(removed.startLine, 1);
  assert.deepEqual(diff(two, one + two), ['added f']);
});

const source: BlobSource = {
  unreadable: new Set(),
  bytes: async (oid) => Buffer.from(oid),
  facts: async () => null,
};

/** A change of one symbol that is all of its blob; its id is its text. */
function change(type: 'added' | 'removed', path: string, text: string, kind = 'function'): PlacedChange {
  const hash = text.replace(/\s/g, '');
  const symbol = {
    ...{ symbol: 'run', name: 'run', kind, exported: false, startLine: 1, endLine: 1, container: -1 },
    ...{ start: 0, end: Buffer.byteLength(text), text: hash, signature: 'run', body: hash, doc: '', raw: text },
  };
  return { path, oid: text, change: { type, symbol, members: 0 } };
}

const LONG = 'function run(depot, parcel) { return parcel.distance + depot.distance; }';
const EDITED = 'function run(depot, parcel) { return parcel.distance - depot.distance * 2; }';
const OTHER = 'function run() { for (const line of console.lines()) if (line !== "") print(line); }';

test('the same text in another file is a move, and is not listed as removed', async () => {
  const [from, to] = [change('removed', 'a.ts', LONG), change('added', 'b.ts', LONG)];
  assert.deepEqual(await joinMoves([from, to], source), new Set([from.change]));
  assert.equal(to.change.type, 'moved');
  assert.equal(to.change.from?.path, 'a.ts');
});

test('an edited symbol moved where at least half of its words are the same', async () => {
  const edited = change('added', 'b.ts', EDITED);
  await joinMoves([change('removed', 'a.ts', LONG), edited], source);
  assert.equal(edited.change.type, 'moved');
  const other = change('added', 'b.ts', OTHER);
  assert.equal((await joinMoves([change('removed', 'a.ts', LONG), other], source)).size, 0);
  assert.equal(other.change.type, 'added');
});

test('the same text wins over a similar one, whatever their order is', async () => {
  for (const order of [0, 1]) {
    const removed = [change('removed', 'same.ts', LONG), change('removed', 'similar.ts', EDITED)];
    const to = change('added', 'b.ts', LONG);
    await joinMoves([...(order === 0 ? removed : removed.reverse()), to], source);
    assert.equal(to.change.from?.path, 'same.ts');
  }
});

test('one removed symbol goes to one place', async () => {
  const from = change('removed', 'a.ts', LONG);
  const [first, second] = [change('added', 'b.ts', LONG), change('added', 'c.ts', LONG)];
  assert.equal((await joinMoves([from, first, second], source)).size, 1);
  assert.deepEqual([first.change.type, second.change.type], ['moved', 'added']);
});

test('another kind is another symbol, and short symbols move only with equal text', async () => {
  const method = change('added', 'b.ts', LONG, 'method');
  assert.equal((await joinMoves([change('removed', 'a.ts', LONG), method], source)).size, 0);
  const getter = change('added', 'b.ts', 'run() { return 1 }');
  assert.equal((await joinMoves([change('removed', 'a.ts', 'run() { return 2 }'), getter], source)).size, 0);
});

const words = fc.array(fc.constantFrom('parcel', 'depot', '(', ')', 'größe', '42'), { maxLength: 30 });

test('property: similarity is symmetric, 1 for the same words in any order, and 0 without a common word', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const [left, right] = [countWords(Buffer.from(a.join(' '))), countWords(Buffer.from(b.join(' ')))];
      const score = similarity(left, right);
      assert.equal(score, similarity(right, left));
      assert.ok(score >= 0 && score <= 1);
      const isSame = [...a].sort().join() === [...b].sort().join();
      assert.equal(score === 1, isSame);
      const isDisjoint = !a.some((word) => b.includes(word)) && a.length + b.length > 0;
      assert.equal(score === 0, isDisjoint);
    }),
  );
});
