/** What comes of a parser that fails: an error, and a fresh instance for the next text. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { packageFile } from '../../src/base/runtime.js';
import { matcherOf } from '../../src/extract/collect-drafts.js';
import { GRAMMAR_HASHES, loadAllRules, SYNTAX_VERSION, syntaxFingerprint } from '../../src/extract/extract.js';
import { nodeTest, numbersOf, parseWithGrammar, type TreeNode, WasmParser } from '../../src/extract/syntax-tree.js';
import { findTags, readTagQuery } from '../../src/extract/tags.js';
import { parseTokens } from '../../src/extract/token-tree.js';
import { grammarStatus, tagsFile } from '../../src/extract/version.js';
import { allLanguages, rulesOf } from '../../src/languages/registry.js';

const named = [...new Set([...allLanguages()].flatMap(({ grammar }) => grammar?.name ?? []))].sort();

test('the package holds the grammar of every language, and no other', () => {
  assert.deepEqual(grammarStatus(allLanguages()), { available: named, missing: [] });
  const files = readdirSync(packageFile('grammars/')).filter((name) => name.endsWith('.wasm.br'));
  assert.deepEqual(files.map((name) => name.slice(0, -'.wasm.br'.length)).sort(), named);
});

test('every grammar is the one that the profile names', () => {
  assert.deepEqual(Object.keys(GRAMMAR_HASHES).sort(), named);
  for (const [name, hash] of Object.entries(GRAMMAR_HASHES)) {
    const code = brotliDecompressSync(readFileSync(packageFile(`grammars/${name}.wasm.br`)));
    assert.equal(createHash('sha256').update(code).digest('hex').slice(0, hash.length), hash, name);
  }
});

test('every rule table belongs to a language and names node kinds that its grammar has', async () => {
  await loadAllRules();
  for (const { id: language, grammar } of allLanguages()) {
    const { definitions: rules, relations: relationRules } = rulesOf(language);
    assert.equal(rules === undefined || rules.tokens !== undefined, grammar === undefined, language);
    if (rules === undefined) continue;
    const tree =
      rules.tokens === undefined ? parseWithGrammar(grammar?.name ?? '', 'x') : parseTokens('x', rules.tokens);
    assert.ok(tree !== null, language);
    const { names } = tree;
    if (rules.tags !== undefined) findTags(tree, readTagQuery(tagsFile(rules.tags)));
    const { found, walked, entered } = matcherOf(rules);
    const kinds = [
      found.map(({ kind }) => String(kind)),
      Object.keys(relationRules?.nodes ?? {}),
      rules.imports,
      rules.comments,
      rules.attached?.kinds,
      rules.groups,
      [...walked],
      [...entered],
    ];
    for (const kind of kinds.flatMap((each) => each ?? [])) {
      assert.doesNotThrow(() => numbersOf(kind, names), `${language}: ${kind}`);
    }
    for (const { kind, ...conditions } of found)
      assert.doesNotThrow(() => nodeTest(conditions), `${language}: ${kind}`);
  }
});

test('a tree is what tree-sitter made: kinds, fields and positions in UTF-16 units', () => {
  const text = "const größe = 'ü😀'; f(größe);";
  const tree = parseWithGrammar('TypeScript', text);
  assert.ok(tree);
  const [declaration, call] = tree.root.namedChildren;
  assert.equal(declaration.text, "const größe = 'ü😀';");
  const declarator = declaration.namedChildren[0];
  assert.equal(declarator.field('name')?.text, 'größe');
  assert.equal(declarator.field('value')?.kind, 'string');
  assert.equal(declarator.field('nothing'), null);
  assert.deepEqual(
    declarator.parent?.children.map(({ kind }) => kind),
    ['const', 'variable_declarator', ';'],
  );
  assert.equal(declaration.next?.start, call.start);
  assert.equal(call.previous?.end, declaration.end);
  assert.equal(call.next, null);
  assert.equal(declaration.previous, null);
  assert.equal(tree.root.parent, null);
  assertNested(tree.root);
});

function assertNested(node: TreeNode): void {
  let at = node.start;
  for (const child of node.children) {
    assert.ok(child.start >= at && child.end >= child.start && child.end <= node.end);
    assert.equal(child.parent?.index, node.index);
    at = child.end;
    assertNested(child);
  }
}

test('trees outlive the next parse, and a grammar that is not there gives none', () => {
  const first = parseWithGrammar('json', '[1]');
  parseWithGrammar('json', '{"a": [2, 3]}'.repeat(1_000));
  assert.equal(first?.root.namedChildren[0].kind, 'array');
  assert.equal(parseWithGrammar('no-such-grammar', 'x'), null);
});

test('texts of every kind have a tree: empty, broken, deep, with lone surrogates', () => {
  for (const grammar of named) {
    for (const text of ['', '\u0000', '\ud800(', '}{)('.repeat(50), '[('.repeat(2_000), 'a\r\n\t#!"\'`<>/*']) {
      const tree = parseWithGrammar(grammar, text);
      assert.ok(tree, grammar);
      assert.ok(tree.root.end <= text.length);
    }
  }
});

test('the fingerprint is plain data that names everything facts depend on', () => {
  const fingerprint = syntaxFingerprint() as Record<string, unknown>;
  assert.deepEqual(JSON.parse(JSON.stringify(fingerprint)), fingerprint);
  assert.equal(fingerprint.chunker, SYNTAX_VERSION);
  assert.deepEqual(fingerprint.grammars, GRAMMAR_HASHES);
  assert.match(String(fingerprint.parser), /^tree-sitter /);
});

const text = (name: string) => [name.length, ...Buffer.from(name)];
const section = (id: number, ...content: number[]) => [id, content.length, ...content];
/** Body of a function that returns a constant below 64. */
const returning = (value: number) => [4, 0, 0x41, value, 0x0b];

/** A module with our functions, which do nothing and return these numbers. */
function moduleWith({ allocate, parse }: { allocate: number; parse: number }): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 3, ...[0x60, 1, 0x7f, 1, 0x7f], ...[0x60, 2, 0x7f, 0x7f, 1, 0x7f], ...[0x60, 0, 1, 0x7f]),
    ...section(3, 3, 0, 1, 2),
    ...section(5, 1, 0, 1),
    ...section(
      7,
      4,
      ...text('memory'),
      2,
      0,
      ...text('allocate'),
      0,
      0,
      ...text('parse'),
      0,
      1,
      ...text('columns'),
      0,
      2,
    ),
    ...section(10, 3, ...returning(allocate), ...returning(parse), ...returning(8)),
  ]);
}

test('a parser without memory for the text is an error: address 0 is none', () => {
  const parser = new WasmParser(moduleWith({ allocate: 0, parse: 1 }));
  assert.throws(() => parser.parse('let a', 'let a'), /no memory for 10 bytes/);
});

test('a parser that gives no tree is an error', () => {
  const parser = new WasmParser(moduleWith({ allocate: 8, parse: 0 }));
  assert.throws(() => parser.parse('let a', 'let a'), /gave no tree/);
});

test('a text beyond the memory of the module is an error', () => {
  const parser = new WasmParser(moduleWith({ allocate: 8, parse: 1 }));
  assert.throws(() => parser.parse('a'.repeat(65_536), 'a'.repeat(65_536)), RangeError);
});
