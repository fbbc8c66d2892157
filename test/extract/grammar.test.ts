import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseWithGrammar } from '../../src/extract/grammar.js';
import {
  GRAMMAR_PINS,
  grammarStatus,
  loadAllRules,
  loadGrammars,
  NAPI_VERSION,
  SYNTAX_VERSION,
  syntaxFingerprint,
} from '../../src/extract/index.js';
import { matcherOf } from '../../src/extract/matcher.js';
import { allLanguages } from '../../src/languages/registry.js';
import { rulesOf } from '../../src/languages/rules.js';

const root = import.meta.url.includes('/build/') ? '../../../' : '../../';
const manifest = JSON.parse(readFileSync(fileURLToPath(new URL(`${root}package.json`, import.meta.url)), 'utf8'));

test('every grammar is part of ast-grep or a package that package.json pins', () => {
  const packages = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('@ast-grep/lang-'));
  const named = [...allLanguages()].flatMap(({ grammar }) => grammar?.name ?? []);
  const others = named.filter((name) => !packages.includes(`@ast-grep/lang-${name}`));
  assert.deepEqual(others.sort(), ['Css', 'Html', 'JavaScript', 'Tsx', 'TypeScript']);
  assert.deepEqual(
    packages.filter((name) => !named.includes(name.slice('@ast-grep/lang-'.length))),
    [],
  );
  assert.equal(NAPI_VERSION, manifest.dependencies['@ast-grep/napi']);
});

test('every rule table belongs to a language and names node kinds that its grammar has', async () => {
  const [{ available }] = await Promise.all([loadGrammars(), loadAllRules()]);
  for (const { id: language, grammar } of allLanguages()) {
    const { definitions: rules, relations: relationRules } = rulesOf(language);
    assert.equal(rules === undefined, grammar === undefined, language);
    if (rules === undefined || grammar === undefined || !available.includes(grammar.name)) continue;
    const tree = parseWithGrammar(grammar.name, 'x');
    assert.ok(tree, language);
    // An unknown kind makes the query throw.
    assert.doesNotThrow(() => tree.findAll({ rule: { any: [...matcherOf(rules).native] } }), language);
    const { walked, entered } = matcherOf(rules);
    const relations = Object.keys(relationRules?.nodes ?? {});
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
