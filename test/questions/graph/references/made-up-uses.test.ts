/** Records of others that are valid in form and false: what the record of one file can make answers say of other files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlobFacts, CodeSymbol } from '../../../../src/extract/facts.js';
import type { Reference, Relations } from '../../../../src/languages/roles/relation-facts.js';
import { decodeSyntaxRecord, encodeSyntaxRecord } from '../../../../src/record/syntax-codec.js';
import { cloneWithNotes, forgeNotes } from '../../../support/hostile/forge.js';
import { answer } from '../../../support/in-process/answer.js';
import { createRepo, type TestRepo } from '../../../support/repositories/repo.js';

const FILES = {
  'cart.ts': [
    'export class Cart {',
    '  total(): number { return 1; }',
    '  forgotten(): number { return 2; }',
    '}',
    'export function checkout(cart: Cart): number { return cart.total(); }',
    '',
  ].join('\n'),
  'shop.ts': "import { Cart, checkout } from './cart.js';\nexport const sum = checkout(new Cart());\n",
  // It says nothing of carts.
  'stranger.ts':
    'export function greet(who: string): string {\n  return who;\n}\n\nexport const hello = greet("you");\n',
};

const QUESTIONS = [
  ['graph', 'references', 'Cart'],
  ['graph', 'references', 'checkout'],
  ['graph', 'impact', 'cart.ts'],
  ['graph', 'deps', 'stranger.ts'],
  ['graph', 'unused'],
  ['search', 'checkout'],
];

const use = (name: string, more: Partial<Reference> = {}): Reference => ({
  ...{ kind: 'call', name, receiver: '', args: 1, literal: '', symbol: 0, startLine: 2, endLine: 2 },
  ...more,
});
const related = (facts: BlobFacts, relations: Partial<Relations>): BlobFacts => ({
  ...facts,
  relations: { ...facts.relations, ...relations },
});
const bring = (name: string, alias = name): Relations['imports'] => [
  { kind: 'import', specifier: './cart.js', names: [{ name, alias }], symbol: -1, startLine: 1, endLine: 1 },
];
const define = (facts: BlobFacts, name: string, kind: CodeSymbol['kind']): BlobFacts => ({
  ...facts,
  symbols: facts.symbols.map((symbol) => ({ ...symbol, name, kind, exported: true })),
});

const LIES: Record<string, (facts: BlobFacts) => BlobFacts> = {
  'an import': (facts) => related(facts, { imports: bring('Cart') }),
  'a call of what it imports': (facts) => related(facts, { imports: bring('*', ''), references: [use('checkout')] }),
  'an import under a name that it has': (facts) =>
    related(facts, { imports: bring('checkout', 'greet'), references: [use('greet')] }),
  'a use of what nobody uses': (facts) =>
    related(facts, { imports: bring('Cart'), references: [use('forgotten', { receiver: 'new Cart()' })] }),
  'an heir': (facts) => related(facts, { imports: bring('Cart'), references: [use('Cart', { kind: 'extends' })] }),
  'the same function': (facts) => define(facts, 'checkout', 'function'),
  'the same class': (facts) => define(facts, 'Cart', 'class'),
  'another name for all of it': (facts) =>
    related(facts, {
      imports: [{ ...bring('*', '')[0], kind: 'reexport' }],
      exports: [{ name: 'Cart', local: 'greet', line: 1 }],
    }),
};

/** A clone whose record of `stranger.ts` says what `lie` makes of it. */
function forged(repo: TestRepo, lie: (facts: BlobFacts) => BlobFacts): TestRepo {
  const clone = cloneWithNotes(repo);
  const stranger = clone.git('rev-parse', 'HEAD:stranger.ts');
  forgeNotes(clone, (oid, bytes) => {
    if (oid !== stranger) return bytes;
    const decoded = decodeSyntaxRecord(bytes, oid);
    assert.ok(decoded.ok && 'facts' in decoded.record);
    return encodeSyntaxRecord(oid, { facts: { typescript: lie(decoded.record.facts.typescript) } });
  });
  return clone;
}

async function answersOf({ dir }: TestRepo): Promise<string[]> {
  const said: string[] = [];
  for (const question of QUESTIONS) {
    const { code, stdout } = await answer(['-C', dir, ...question, '--json']);
    said.push(`${question.join(' ')}: ${code} ${stdout.replaceAll(/"(?:commit|took\w*)":\s*[^,}]*/g, '')}`);
  }
  return said;
}

test("a false record of a file adds nothing of another file's names, whatever it claims", async () => {
  const repo = createRepo();
  repo.commit(FILES);
  await answer(['-C', repo.dir, 'index']);
  const honest = await answersOf(cloneWithNotes(repo));
  for (const [name, lie] of Object.entries(LIES)) {
    assert.deepEqual(await answersOf(forged(repo, lie)), honest, name);
  }
});
