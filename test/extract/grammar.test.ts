import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { packageFile, packageManifest } from '../../src/base/version.js';
import { parseWithGrammar } from '../../src/extract/grammar.js';
import { grammarStatus } from '../../src/extract/grammar-files.js';
import { GRAMMAR_HASHES, loadAllRules, SYNTAX_VERSION, syntaxFingerprint } from '../../src/extract/index.js';
import { matcherOf } from '../../src/extract/matcher.js';
import { nodeTest } from '../../src/extract/node-rule.js';
import { installCommand } from '../../src/extract/pattern-parser.js';
import { PATTERN_PINS } from '../../src/extract/pins.js';
import { numbersOf } from '../../src/extract/query.js';
import type { TreeNode } from '../../src/extract/syntax-tree.js';
import { allLanguages } from '../../src/languages/registry.js';
import { rulesOf } from '../../src/languages/rules.js';

const named = [...allLanguages()].flatMap(({ grammar }) => grammar?.name ?? []).sort();

test('the package holds the grammar of every language, and no other', () => {
  assert.deepEqual(grammarStatus(), { available: named, missing: [] });
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

test('a grammar of patterns that is no part of ast-grep is a package with an exact version', () => {
  const others = named.filter((name) => PATTERN_PINS[`@ast-grep/lang-${name}`] === undefined);
  assert.deepEqual(others, ['Css', 'Html', 'JavaScript', 'Tsx', 'TypeScript']);
  for (const version of Object.values(PATTERN_PINS)) assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.equal(
    installCommand(['go']),
    `npm install -g @ast-grep/lang-go@${packageManifest().peerDependencies['@ast-grep/lang-go']}`,
  );
});

test('every rule table belongs to a language and names node kinds that its grammar has', async () => {
  await loadAllRules();
  for (const { id: language, grammar } of allLanguages()) {
    const { definitions: rules, relations: relationRules } = rulesOf(language);
    assert.equal(rules === undefined, grammar === undefined, language);
    if (rules === undefined || grammar === undefined) continue;
    const names = parseWithGrammar(grammar.name, 'x')?.names;
    assert.ok(names, language);
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
