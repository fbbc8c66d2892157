import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseWithGrammar } from '../../src/extract/grammar.js';
import {
  GRAMMAR_PINS,
  grammarStatus,
  LANGUAGE_IDS,
  loadGrammars,
  NAPI_VERSION,
  SYNTAX_VERSION,
  syntaxFingerprint,
} from '../../src/extract/index.js';
import { matcherOf } from '../../src/extract/matcher.js';
import { RULES } from '../../src/languages/definition-rules.js';
import { RELATION_RULES } from '../../src/languages/relation-rules.js';

const root = import.meta.url.includes('/build/') ? '../../../' : '../../';
const manifest = JSON.parse(readFileSync(fileURLToPath(new URL(`${root}package.json`, import.meta.url)), 'utf8'));

test('the pins are the versions that package.json installs', () => {
  const grammars = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('@ast-grep/lang-'));
  assert.deepEqual(GRAMMAR_PINS, Object.fromEntries(grammars));
  assert.equal(NAPI_VERSION, manifest.dependencies['@ast-grep/napi']);
});

test('every rule table belongs to a language and names node kinds that its grammar has', async () => {
  const { available } = await loadGrammars();
  for (const [language, rules] of Object.entries(RULES)) {
    assert.ok(LANGUAGE_IDS.includes(language), language);
    if (!available.includes(rules.grammar)) continue;
    const tree = parseWithGrammar(rules.grammar, 'x');
    assert.ok(tree, language);
    // An unknown kind makes the query throw.
    assert.doesNotThrow(() => tree.findAll({ rule: { any: [...matcherOf(rules).native] } }), language);
    const { walked, entered } = matcherOf(rules);
    const relations = Object.keys(RELATION_RULES.get(language)?.nodes ?? {});
    const others = [
      relations,
      rules.imports,
      rules.comments,
      rules.attached?.kinds,
      rules.groups,
      [...walked],
      [...entered],
    ];
    for (const kind of others.flatMap((kinds) => kinds ?? [])) {
      assert.doesNotThrow(() => tree.findAll({ rule: { kind } }), `${language}: ${kind}`);
    }
  }
});

test('loading twice is loading once, and nothing is printed', async () => {
  assert.deepEqual(await grammarStatus(), await loadGrammars());
  assert.equal(parseWithGrammar('no-such-grammar', 'x'), null);
});

test('the fingerprint is plain data that names everything facts depend on', () => {
  const fingerprint = syntaxFingerprint() as Record<string, unknown>;
  assert.deepEqual(JSON.parse(JSON.stringify(fingerprint)), fingerprint);
  assert.equal(fingerprint.chunker, SYNTAX_VERSION);
  assert.deepEqual(fingerprint.grammars, GRAMMAR_PINS);
});
