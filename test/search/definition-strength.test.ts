/** How good an answer a definition of the queried name is, against the rule written out; and which definitions a chunk's text names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codeLines, definitionsIn, findDefinitions, focused, shownSymbol } from '../../src/search/definitions.js';
import { DEFINITION, SAME_FILE_BONUS } from '../../src/search/weights.js';
import { CHUNK_KINDS } from '../../src/shard/lexical-format.js';
import type { LexicalShard } from '../../src/shard/lexical-shard.js';
import type { LiveSet } from '../../src/shard/live-set.js';

interface Given {
  document: number;
  kind: number;
  flags: number;
  lines: number;
}

/** A shard with the names `store` and `other`, of which only the parts are there that definitions are read from. */
const shardOf = (store: readonly Given[], other: readonly Given[] = []) =>
  ({
    names: { find: (name: string) => ['store', 'other'].indexOf(name) },
    definitions: (index: number) => (index === 0 ? store : other),
  }) as unknown as LexicalShard;

/** Two shards of four documents each; the document 3 is of no file. */
const FILES = [0, 0, 1, -1, 2, 3, 4, 5];
const PATHS = ['src/store.ts', 'lib/other.ts', 'store/deep/store.test.ts', 'Store', 'src/.store', 'src/st-ore.ts'];
const NAMESAKE = [true, false, true, true, false, true];

function liveOf(shards: readonly LexicalShard[]): LiveSet {
  const files = { path: (file: number) => PATHS[file] };
  return { shards, bases: Uint32Array.of(0, 4, 8), fileOf: Int32Array.from(FILES), files } as unknown as LiveSet;
}

const TYPES = 'class interface trait struct enum type module namespace object function'.split(' ');
const DATA = 'key section selector field property enum-member variable'.split(' ');

/** Flags: 1 exported, 2 at the top level, 4 with a capital. */
function strengthOf({ kind, flags, lines }: Given, asked: string): number {
  let strength = DEFINITION.base;
  if (TYPES.includes(CHUNK_KINDS[kind])) strength += DEFINITION.typeLike;
  if ([2, 3, 6, 7].includes(flags)) strength += DEFINITION.topLevel;
  if ([1, 3, 5, 7].includes(flags)) strength += DEFINITION.exported;
  strength += DEFINITION.size * Math.min(1, Math.log(1 + lines) / Math.log(1 + DEFINITION.fullSizeLines));
  if (/^[A-Z]/.test(asked) && flags < 4) strength *= DEFINITION.otherCase;
  if (DATA.includes(CHUNK_KINDS[kind])) strength *= DEFINITION.dataLike;
  return strength;
}

const definition = fc.record({
  document: fc.nat(3),
  kind: fc.nat(CHUNK_KINDS.length - 1),
  flags: fc.nat(7),
  lines: fc.constantFrom(0, 1, 3, 30, 199, 200, 400),
});
const definitions = fc.array(definition, { maxLength: 5 });

test('a definition is as strong as its kind, place, size and case say, and its file adds to it where it has the name', () => {
  fc.assert(
    fc.property(
      definitions,
      definitions,
      fc.constantFrom('store', 'Store', 'STORE', 'absent'),
      (first, second, name) => {
        const expected = new Map<number, { strength: number; name: string | null }>();
        const all = [...first.map((each) => ({ each, at: 0 })), ...second.map((each) => ({ each, at: 4 }))];
        for (const { each, at } of name === 'absent' ? [] : all) {
          const document = at + each.document;
          const file = FILES[document];
          if (file < 0) continue;
          const strength = strengthOf(each, name) + (NAMESAKE[file] ? SAME_FILE_BONUS : 0);
          const isOther = /^[A-Z]/.test(name) && each.flags < 4;
          if (strength > (expected.get(document)?.strength ?? 0) + 1e-12)
            expected.set(document, { strength, name: isOther ? null : name });
        }
        const found = findDefinitions(liveOf([shardOf(first), shardOf(second)]), [name]);
        assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
        for (const [document, { strength, name: own }] of found) {
          const wanted = expected.get(document);
          assert.ok(Math.abs(strength - (wanted?.strength ?? 0)) < 1e-9);
          assert.equal(own, wanted?.name);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('of several queried names a chunk is the definition of the one that it defines best', () => {
  const own = (kind: string, flags: number): Given => ({
    document: 2,
    kind: CHUNK_KINDS.indexOf(kind as never),
    flags,
    lines: 9,
  });
  const live = liveOf([shardOf([own('method', 0)], [own('class', 3)]), shardOf([])]);
  assert.equal(findDefinitions(live, ['store', 'other']).get(2)?.name, 'other');
  assert.equal(findDefinitions(live, ['other', 'store']).get(2)?.name, 'other');
  const same = liveOf([shardOf([]), shardOf([own('class', 3)], [own('class', 3)])]);
  assert.equal(findDefinitions(same, ['other', 'store']).get(6)?.name, 'other');
});

test('a file has the name of a definition up to its first dot, whatever joins its words', () => {
  const shard = { names: { find: () => 0 }, definitions: () => [{ document: 0, kind: 0, flags: 7, lines: 1 }] };
  const bonusOf = (path: string, name: string) => {
    const live = liveOf([shard as unknown as LexicalShard]);
    const files = { path: () => path };
    const found = findDefinitions({ ...live, files } as unknown as LiveSet, [name]).get(0)?.strength ?? 0;
    return Math.round((found - strengthOf({ document: 0, kind: 0, flags: 7, lines: 1 }, name)) * 1e9) / 1e9;
  };
  for (const path of ['src/user-store.ts', 'user_store.test.ts', 'a.b/userStore', 'UserStore.d.ts'])
    assert.equal(bonusOf(path, 'user_store'), SAME_FILE_BONUS, path);
  for (const path of ['src/user.store.ts', 'user-store/index.ts', '.user_store'])
    assert.equal(bonusOf(path, 'user_store'), 0, path);
});

const KIND = { method: CHUNK_KINDS.indexOf('method'), class: CHUNK_KINDS.indexOf('class') };

/** A shard in which the document 7 defines `Cart` and `total`, and another one `clear`. */
const cart = {
  names: { find: (name: string) => ['cart', 'total', 'clear'].indexOf(name) },
  eachDefinition: (index: number, visit: (document: number, kind: number, flags: number) => boolean) =>
    void (
      visit(index === 2 ? 8 : 3, KIND.method, 0) &&
      index !== 2 &&
      visit(7, index === 0 ? KIND.class : KIND.method, index === 0 ? 2 : 0)
    ),
} as unknown as LexicalShard;

test('the definitions of a chunk stand at their first lines of code', () => {
  const content = '// total of a Cart\nclass Cart {\n  /** total */\n  total() { return this.total + clear(Cart); }\n}';
  assert.deepEqual(definitionsIn(cart, 7, content), [
    { name: 'Cart', line: 1, kind: 'class', isTopLevel: true, indent: 0 },
    { name: 'total', line: 3, kind: 'method', isTopLevel: false, indent: 2 },
  ]);
  assert.deepEqual(definitionsIn(cart, 9, content), []);
});

test('first lines of code are those that are no comment, blank line or decorator', () => {
  const text = '/** a */\n * b\n\n@memo\n  // c\n# d\n-- e\n; f\n"""\none(@x)\n  two // no\n\nthree';
  assert.deepEqual(codeLines(text, 2), ['one(@x)', '  two // no']);
  assert.deepEqual(codeLines(text, 9), ['one(@x)', '  two // no', 'three']);
});

test('a comment with most of the query belongs to the definition below it, and the first of equal lines counts', () => {
  const own = { symbol: 'a', kind: 'function' };
  const named = (name: string, line: number) => ({ name, line, kind: 'function', isTopLevel: true });
  const content =
    'function a() {}\n\n// refund parcel\n// more\nfunction b() {}\n  refund(parcel);\n// refund parcel stamp';
  const shown = (...terms: string[]) => focused(own, [named('a', 0), named('b', 4)], { content, terms }).symbol;
  assert.equal(shown('refund', 'parcel'), 'b');
  assert.equal(shown('stamp'), 'b');
  assert.equal(shown('function'), 'a');
  assert.equal(shown('absent'), 'a');
  assert.equal(shown(), 'a');
});

test('a member is shown within the last container before it, and beside a function that stands for the chunk', () => {
  const defined = [
    { name: 'Cart', line: 0, kind: 'class', isTopLevel: true },
    { name: 'add', line: 1, kind: 'method', isTopLevel: false },
    { name: 'Depot', line: 3, kind: 'struct', isTopLevel: true },
    { name: 'help', line: 4, kind: 'function', isTopLevel: true },
    { name: 'send', line: 5, kind: 'method', isTopLevel: false },
    { name: 'Late', line: 7, kind: 'class', isTopLevel: true },
  ];
  const own = { symbol: null, kind: 'code' };
  assert.equal(shownSymbol(own, defined, 'add').symbol, 'Cart.add');
  assert.equal(shownSymbol(own, defined, 'send').symbol, 'Depot.send');
  const loose = [{ name: 'inner', line: 1, kind: 'method', isTopLevel: false }];
  assert.equal(shownSymbol(own, loose, 'inner').symbol, 'inner');
  assert.equal(shownSymbol({ symbol: 'Big.outer', kind: 'method' }, loose, 'inner').symbol, 'Big.inner');
  assert.equal(shownSymbol({ symbol: 'Big.Small', kind: 'class' }, loose, 'inner').symbol, 'Big.Small.inner');
  assert.equal(shownSymbol({ symbol: 'Big.Inner', kind: 'class' }, loose, 'inner').symbol, 'Big.Inner');
});

test('a definition is shown with all containers around it, also where the chunk begins inside of the outermost', () => {
  const at = (name: string, line: number, indent: number, kind = 'module') => ({
    ...{ name, line, kind, indent, isTopLevel: indent === 0 },
  });
  const deep = [at('Shop', 0, 0), at('Tax', 1, 2), at('Rate', 3, 4, 'class'), at('Adjuster', 9, 4, 'class')];
  const own = { symbol: 'Shop', kind: 'module' };
  assert.equal(shownSymbol(own, deep, 'Adjuster').symbol, 'Shop.Tax.Adjuster');
  assert.equal(shownSymbol(own, deep, 'Rate').symbol, 'Shop.Tax.Rate');
  assert.equal(shownSymbol({ symbol: 'Shop.Tax', kind: 'module' }, deep.slice(1), 'Rate').symbol, 'Shop.Tax.Rate');
});

const field = (name: string, line: number, kind = 'field') => ({ name, line, kind, isTopLevel: false });

test('of fields, the first with most words in its comment and line is shown; other definitions stay', () => {
  const own = { symbol: 'Opts', kind: 'struct' };
  const content = [
    '// renew often',
    'A int',
    '',
    '// renew',
    '// often',
    '// now',
    'B int',
    '// renew often',
    '// now',
    'C int',
  ].join('\n');
  const shown = (third: string, ...terms: string[]) => {
    const all = [field('A', 1), field('B', 6), field('C', 9, third)];
    return focused(own, all, { content, terms }).symbol;
  };
  // Two words stand in one line of A, and of C, which has a third one besides; B has no line with two.
  assert.equal(shown('field', 'renew', 'often', 'now'), 'Opts.C');
  assert.equal(shown('method', 'renew', 'often', 'now'), 'Opts.A');
  assert.equal(shown('field', 'renew', 'often'), 'Opts.A');
  assert.equal(shown('field', 'renew', 'now'), 'Opts.B');
});
