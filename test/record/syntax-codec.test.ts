/** Claims of a record that cannot be true of its blob are told, in whichever language they stand. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { SocraticodeError } from '../../src/base/errors.js';
import { extract, loadRules } from '../../src/extract/extract.js';
import { type BlobFacts, type CodeSymbol, SYMBOL_KINDS } from '../../src/extract/facts.js';
import { noRelations, type Relations } from '../../src/languages/roles/relation-facts.js';
import { type CborValue, encodeCanonical } from '../../src/record/cbor.js';
import { FIRST_PLAIN_KIND, IMPORT_CODES, KIND_CODES, REFERENCE_CODES } from '../../src/record/columns.js';
import { RECORD_FORMAT, type SyntaxRecord } from '../../src/record/format.js';
import {
  contradiction,
  contradictionOf,
  decodeChunksAndSymbols,
  decodeSyntaxRecord,
  encodeSyntaxRecord,
  encodeUnchecked,
  packFacts,
  SYNTAX_KIND,
} from '../../src/record/syntax-codec.js';
import { HARMLESS_FACTS, hostilePayloads } from './hostile.js';
import { HARMLESS_RELATIONS, relationsPayload } from './hostile-relations.js';
import { anyOid, anyRecord, readersOf, SAMPLE, SAMPLE_OID, sealed } from './sample.js';

const golden = (version: number) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/records/syntax-v${version}.cbor`, import.meta.url)));

const { decoded, reasonOf } = readersOf(decodeSyntaxRecord);

test('any record decodes to an equal one and has one encoding', () => {
  fc.assert(
    fc.property(anyOid, anyRecord, (oid, record) => {
      const bytes = encodeSyntaxRecord(oid, record);
      const back = decoded(bytes, oid);
      assert.deepEqual(back, record);
      assert.deepEqual(encodeSyntaxRecord(oid, back), bytes);
    }),
    { numRuns: 300 },
  );
});

test('two languages give the same bytes in whatever order they were found', () => {
  assert.ok('facts' in SAMPLE);
  const turned = { facts: Object.fromEntries(Object.entries(SAMPLE.facts).reverse()) };
  assert.deepEqual(encodeSyntaxRecord(SAMPLE_OID, turned), encodeSyntaxRecord(SAMPLE_OID, SAMPLE));
});

test('the golden record of version 3 still decodes and is still what is written', () => {
  assert.deepEqual(decoded(golden(3)), SAMPLE);
  assert.deepEqual(encodeSyntaxRecord(SAMPLE_OID, SAMPLE), golden(3));
});

test('golden records of version 1, without relations, and 2, without parse errors, are outdated: they say nothing of errors', () => {
  assert.deepEqual(
    [1, 2].map((version) => reasonOf(golden(version))),
    ['outdated', 'outdated'],
  );
});

test('a reader without relations gets the same chunks and symbols, and refuses bytes that are not a record', () => {
  fc.assert(
    fc.property(anyOid, anyRecord, (oid, record) => {
      const light = decodeChunksAndSymbols(encodeSyntaxRecord(oid, record), oid);
      assert.ok(light.ok);
      assert.deepEqual(light.record, withoutRelations(record));
    }),
    { numRuns: 50 },
  );
  assert.equal(decodeChunksAndSymbols(golden(1), SAMPLE_OID).ok, false);
  assert.equal(decodeChunksAndSymbols(golden(3).subarray(0, -1), SAMPLE_OID).ok, false);
});

test('a reader without relations takes a record that has none, and refuses what cannot be relations', () => {
  const { facts: sample } = SAMPLE as Extract<SyntaxRecord, { facts: unknown }>;
  const payload = (relations: CborValue) => {
    const [language, facts] = Object.entries(sample)[0];
    const packed = packFacts(facts) as CborValue[];
    return sealed(
      SYNTAX_KIND,
      RECORD_FORMAT,
      encodeCanonical({ facts: { [language]: packed.map((value, i) => (i === 7 ? relations : value)) } }),
    );
  };
  for (const decode of [decodeSyntaxRecord, decodeChunksAndSymbols]) {
    assert.equal(decode(payload(null), SAMPLE_OID).ok, true);
    assert.equal(decode(payload(5), SAMPLE_OID).ok, false);
  }
});

test('relations that would make a record too large are left out, chunks and symbols stay', () => {
  const large = broken((facts) => {
    const [reference] = facts.relations.references;
    facts.relations.references = Array.from({ length: 10_000 }, (_, i) => ({
      ...reference,
      name: `${i}`.padEnd(150, 'x'),
    }));
  });
  assert.deepEqual(decoded(encodeSyntaxRecord(SAMPLE_OID, large)), withoutRelations(large));
  assert.deepEqual(encodeUnchecked(SAMPLE_OID, large), encodeSyntaxRecord(SAMPLE_OID, large));
  const skipped: SyntaxRecord = { skip: 'binary' };
  assert.deepEqual(encodeUnchecked(SAMPLE_OID, skipped), encodeSyntaxRecord(SAMPLE_OID, skipped));
  assert.deepEqual(encodeUnchecked(SAMPLE_OID, SAMPLE), encodeSyntaxRecord(SAMPLE_OID, SAMPLE));
  const names = broken((facts) => {
    const symbol = { ...facts.symbols[0], container: -1, doc: null, name: 'x'.repeat(500) };
    facts.symbols = Array.from({ length: 2_200 }, () => symbol);
  });
  for (const encode of [encodeSyntaxRecord, encodeUnchecked])
    assert.throws(() => encode(SAMPLE_OID, names), { code: 'INTERNAL', message: /more than 1 MiB$/ });
});

test('every change of one byte and every truncation of a record is noticed', () => {
  const bytes = encodeSyntaxRecord(SAMPLE_OID, SAMPLE);
  for (let at = 0; at < bytes.length; at++) {
    assert.notEqual(reasonOf(bytes.subarray(0, at)), 'ok', `cut at ${at}`);
    for (const bits of [1, 0x20, 0x80, 0xff]) {
      const damaged = bytes.slice();
      damaged[at] ^= bits;
      assert.notEqual(reasonOf(damaged), 'ok', `byte ${at} xor ${bits}`);
    }
  }
});

test('each kind of fault in a record has its own reason', () => {
  const bytes = encodeSyntaxRecord(SAMPLE_OID, { skip: 'binary' });
  const changed = (at: number, byte: number) => Uint8Array.from(bytes, (old, i) => (i === at ? byte : old));
  assert.equal(reasonOf(bytes), 'ok');
  assert.equal(reasonOf(Buffer.from('written by hand\n')), 'not-a-record');
  assert.equal(reasonOf(new Uint8Array()), 'not-a-record');
  assert.equal(reasonOf(changed(5, RECORD_FORMAT + 1)), 'too-new');
  assert.equal(reasonOf(changed(5, 0)), 'outdated');
  assert.equal(reasonOf(bytes, SAMPLE_OID.replace('0', 'f')), 'wrong-blob');
  assert.equal(reasonOf(changed(bytes.length - 1, 0)), 'checksum');
  assert.equal(reasonOf(new Uint8Array(1_048_577)), 'too-large');
  assert.equal(reasonOf(sealed(SYNTAX_KIND, RECORD_FORMAT, Uint8Array.of(0xa0))), 'malformed');
  assert.equal(reasonOf(sealed('vectors', RECORD_FORMAT, Uint8Array.of(0xa0))), 'not-a-record');
});

test('payloads of valid CBOR and others that are wrong are refused, and what they are made from is not', () => {
  const read = (payload: Uint8Array) => reasonOf(sealed(SYNTAX_KIND, RECORD_FORMAT, payload));
  assert.equal(read(HARMLESS_FACTS), 'ok');
  for (const [name, relations] of Object.entries(HARMLESS_RELATIONS))
    assert.equal(read(relationsPayload(relations)), 'ok', name);
  // Larger ones are refused by their size: nothing seals them.
  for (const { name, bytes } of hostilePayloads()) if (bytes.length < 500_000) assert.notEqual(read(bytes), 'ok', name);
});

test('a newer format is recognised even if nothing behind its version is CBOR', () => {
  assert.equal(reasonOf(Uint8Array.of(0x86, 0x63, 0x67, 0x73, 0x63, RECORD_FORMAT + 1, 0xff, 0xff)), 'too-new');
  assert.equal(reasonOf(Uint8Array.of(0x86, 0x63, 0x67, 0x73, 0x63, 0x18, 0x30, 0xff)), 'too-new');
});

function withoutRelations(record: SyntaxRecord): SyntaxRecord {
  if ('skip' in record) return record;
  const entries = Object.entries(record.facts).map(([id, facts]) => [id, { ...facts, relations: noRelations() }]);
  return { facts: Object.fromEntries(entries) };
}

/** A copy of the sample's C facts, changed. */
function broken(change: (facts: BlobFacts) => void): SyntaxRecord {
  assert.ok('facts' in SAMPLE);
  const facts = structuredClone(SAMPLE.facts.c);
  change(facts);
  return { facts: { c: facts } };
}

function brokenRelations(): Record<string, SyntaxRecord> {
  const change = (edit: (relations: Relations) => void) => broken((facts) => edit(facts.relations));
  return {
    'references out of order': change(({ references }) => references.reverse()),
    'import of no line': change(({ imports }) => Object.assign(imports[0], { startLine: 0 })),
    'export beyond the last line': change(({ exports }) => Object.assign(exports[1], { line: 1e6 })),
    'reference that ends before it starts': change(({ references }) => Object.assign(references[0], { endLine: 0 })),
    'import that ends beyond the last line': change(({ imports }) => Object.assign(imports[0], { endLine: 1e6 })),
    'binding of a missing symbol': change(({ bindings }) => Object.assign(bindings[2], { scope: 999 })),
    'unknown kind of reference': change(({ references }) => Object.assign(references[0], { kind: 'thought' })),
    'unknown kind of import': change(({ imports }) => Object.assign(imports[0], { kind: 'wish' })),
    'fewer than no arguments': change(({ references }) => Object.assign(references[0], { args: -2 })),
    'string of 201': change(({ references }) => Object.assign(references[0], { receiver: 'x'.repeat(201) })),
    'string with a lone surrogate': change(({ bindings }) => Object.assign(bindings[0], { value: '\udc00' })),
    'references without end': change((relations) => {
      relations.references = Array.from({ length: 20_001 }, () => relations.references[0]);
    }),
    'names without end': change(({ imports }) => {
      imports[0].names = Array.from({ length: 2_001 }, () => imports[0].names[0]);
    }),
  };
}

test('a bug of the extractor is refused when writing, not found when reading', () => {
  const cases: Record<string, SyntaxRecord> = {
    gap: broken((facts) => facts.chunks.splice(3, 1)),
    overlap: broken((facts) => facts.chunks[3].start--),
    'empty chunk': broken((facts) => Object.assign(facts.chunks[0], { end: 0 })),
    'missing symbol': broken((facts) => Object.assign(facts.chunks[0], { symbol: 999 })),
    'symbol below -1': broken((facts) => Object.assign(facts.chunks[0], { symbol: -2 })),
    'unknown kind': broken((facts) => Object.assign(facts.symbols[0], { kind: 'monad' })),
    'plain kind of a symbol': broken((facts) => Object.assign(facts.symbols[0], { kind: 'code' })),
    'own container': broken((facts) => Object.assign(facts.symbols[4], { container: 4 })),
    'later container': broken((facts) => Object.assign(facts.symbols[4], { container: 5 })),
    'inner before outer': broken(({ symbols }) => Object.assign(symbols, [symbols[0], { ...symbols[0], end: 99 }])),
    unsorted: broken((facts) => facts.symbols.reverse()),
    'beyond the blob': broken((facts) => Object.assign(facts.symbols[22], { end: 1e6 })),
    'line beyond the last': broken((facts) => Object.assign(facts, { lines: 3 })),
    'fraction of a byte': broken((facts) => Object.assign(facts.symbols[0], { nameStart: 30.5 })),
    'long name': broken((facts) => Object.assign(facts.symbols[0], { name: 'x'.repeat(513) })),
    'lone surrogate': broken((facts) => Object.assign(facts.symbols[0], { name: 'a\ud800' })),
    'parse error beyond the last line': broken((facts) => Object.assign(facts.parseErrors[2], { endLine: 1e6 })),
    'parse errors out of order': broken(({ parseErrors }) => void parseErrors.reverse()),
    'too many parse errors': broken((facts) => {
      facts.lines = 1_000;
      facts.parseErrors = Array.from({ length: 101 }, (_, i) => ({
        startLine: 2 * i + 1,
        endLine: 2 * i + 1,
        lost: true,
      }));
    }),
    'doc outside': broken((facts) => Object.assign(facts.symbols[0], { doc: { start: 0, end: 1e6 } })),
    ...brokenRelations(),
    'language id': { facts: { __PROTO__: (SAMPLE as { facts: Record<string, BlobFacts> }).facts.c } },
    'no language': { facts: {} },
    'unknown skip reason': { skip: 'ugly' } as unknown as SyntaxRecord,
  };
  for (const [name, record] of Object.entries(cases)) {
    assert.throws(
      () => encodeSyntaxRecord(SAMPLE_OID, record),
      (error) => error instanceof SocraticodeError && error.code === 'INTERNAL',
      name,
    );
  }
  assert.throws(() => encodeSyntaxRecord('abc', { skip: 'binary' }), SocraticodeError);
});

test('20,000 symbols fit into a record, one more does not', () => {
  const many = (count: number) =>
    broken((facts) => {
      const symbol = { ...facts.symbols[0], container: -1, doc: null };
      facts.symbols = Array.from({ length: count }, (_, i) => ({ ...symbol, name: `symbol${i}` }));
    });
  assert.equal(reasonOf(encodeSyntaxRecord(SAMPLE_OID, many(20_000))), 'ok');
  assert.throws(() => encodeSyntaxRecord(SAMPLE_OID, many(20_001)), SocraticodeError);
});

test('a typical file costs less than 1 KiB: 25 documented functions of 12 lines', () => {
  const facts: BlobFacts = {
    ...{ lines: 300, chunks: [], symbols: [], generated: false, relations: noRelations(), parseErrors: [] },
  };
  for (let i = 0; i < 25; i++) {
    const [start, line] = [i * 400, i * 12 + 1];
    facts.chunks.push({ start, end: start + 400, startLine: line, endLine: line + 11, kind: 'function', symbol: i });
    facts.symbols.push({
      ...{ name: `handleRequest${i}`, kind: 'function', container: -1, exported: i % 2 === 0 },
      ...{ start: start + 61, end: start + 350 + i, startLine: line + 2, endLine: line + 10, nameStart: start + 77 },
      ...{ signature: { start: start + 61, end: start + 120 + i }, doc: { start, end: start + 60 } },
    });
  }
  const bytes = encodeSyntaxRecord(SAMPLE_OID, { facts: { typescript: facts } });
  assert.ok(bytes.length < 1024, `${bytes.length} bytes`);
  assert.ok(deflateSync(bytes).length < 400, `${deflateSync(bytes).length} bytes after zlib`);
});

test('the published format names every kind with its number', () => {
  assert.ok(SYMBOL_KINDS.length <= FIRST_PLAIN_KIND);
  const cddl = readFileSync(new URL('../../../schemas/record.cddl', import.meta.url), 'utf8');
  const codes = [...KIND_CODES, ...IMPORT_CODES, ...REFERENCE_CODES];
  for (const [kind, code] of codes) assert.match(cddl, new RegExp(`[ (]${kind}: ${code}[,\\s)]`), kind);
});

/** Facts of one chunk that ends at `end`, with so many lines. */
function facts(end: number, lines = 1): BlobFacts {
  const relations = { imports: [], exports: [], references: [], bindings: [] };
  return { lines, chunks: end === 0 ? [] : [{ start: 0, end }], symbols: [], relations } as unknown as BlobFacts;
}

const of = (size: number, ...all: BlobFacts[]) =>
  contradiction({ facts: Object.fromEntries(all.map((each, i) => [`language${i}`, each])) }, Buffer.alloc(size, ' '));

test('chunks that end before the last byte or behind it are told; a blob of a mark alone has none', () => {
  assert.equal(of(10, facts(10)), null);
  assert.match(of(10, facts(9)) ?? '', /^chunks of 9 bytes in a blob of 10$/);
  assert.match(of(10, facts(11)) ?? '', /^chunks of 11 bytes/);
  assert.equal(of(3, facts(0)), null);
  assert.match(of(4, facts(0)) ?? '', /^chunks of 0 bytes/);
});

test('as many lines as bytes can be, more cannot', () => {
  assert.equal(of(10, facts(10, 10)), null);
  assert.match(of(10, facts(10, 11)) ?? '', /^11 lines/);
});

test('one language that lies is told, wherever it stands; a record without facts claims nothing', () => {
  assert.match(of(10, facts(10), facts(9)) ?? '', /^chunks of 9/);
  assert.match(of(10, facts(9), facts(10)) ?? '', /^chunks of 9/);
  assert.equal(contradiction({ skip: 'binary' }, Buffer.alloc(10)), null);
});

const TEXT = [
  'import { Cart } from "./cart";',
  'export function checkout(cart: Cart) {',
  "  belongs_to('line_items');",
  '  return cart.total();',
  '}',
  '"a \\"quoted\\" name"',
].join('\n');

/** Checks a record of `TEXT` with these relations and names. */
function claimed(more: Partial<BlobFacts['relations']>, symbols: readonly string[] = []): string | null {
  const bytes = Buffer.from(TEXT);
  const own = facts(bytes.length, 6);
  const named = symbols.map((name) => ({ name, nameStart: 0, startLine: 1, endLine: 6 }) as CodeSymbol);
  const relations = { ...own.relations, ...more };
  return contradictionOf({ ...own, symbols: named, relations }, 'ruby', bytes);
}

test('names of declarations that are written without one are no contradiction', () => {
  const unnamed = {
    deinit: 'class Cart {\n  deinit { close() }\n}\n',
    this: 'class Cart {\n  public Item this[int at] => items[at];\n}\n',
    Companion: 'class Cart {\n  companion object { val most = 3 }\n}\n',
    constructor: 'class Cart {\n  constructor(total: Int) : this()\n}\n',
  };
  for (const [name, text] of Object.entries(unnamed)) {
    const bytes = Buffer.from(text);
    const symbols = [{ name, nameStart: 0, startLine: 2, endLine: 2 } as CodeSymbol];
    assert.equal(contradictionOf({ ...facts(bytes.length, 3), symbols }, 'ruby', bytes), null, name);
  }
});

test('words that the rules of a language put into names are no contradiction in it, and are one in another language', async () => {
  const texts = {
    csharp: 'class Basket : Cart {\n  Basket(int total) : base(total) {}\n}\n',
    javascript: "require('./cart')(1);\n",
    ruby: "link_to 'Cart', cart_path(cart)\n",
    elixir: 'defmodule Cart do\n  defstruct [:total]\nend\n',
    typescript: 'declare global {\n  interface Window {\n    cart: string;\n  }\n}\nexport {};\n',
    html: '<p>{{ total | money }}</p>\n',
    json: '{ "name": "cart-kit", "version": "1.0.0", "main": "dist/cart.js" }\n',
    yaml: '- name: Count carts\n  debug:\n    msg: none\n  notify: Pay\n',
    templ: '{{ .Values.total }}\n',
  };
  const own: string[] = [];
  for (const [language, text] of Object.entries(texts)) {
    await loadRules(language);
    const bytes = Buffer.from(text);
    const extraction = extract(bytes, language);
    assert.ok('facts' in extraction);
    assert.equal(contradictionOf(extraction.facts, language, bytes), null, language);
    if (contradictionOf(extraction.facts, 'go', bytes) !== null) own.push(language);
  }
  assert.deepEqual(own, ['elixir', 'typescript', 'html', 'json', 'yaml', 'templ']);
});

test('names of a record stand in the text, or are put together of its words', () => {
  const at = { receiver: '', args: 0, symbol: -1 };
  const use = (name: string, line: number, literal = '') => ({
    references: [{ ...at, kind: 'call' as const, name, literal, startLine: line, endLine: line }],
  });
  const bring = (specifier: string, name: string) => ({
    imports: [
      { kind: 'import' as const, specifier, names: [{ name, alias: '' }], symbol: -1, startLine: 1, endLine: 1 },
    ],
  });
  assert.equal(claimed({}, ['checkout', 'a "quoted" name']), null);
  for (const told of [use('total', 4), use('LineItem', 3), use('*', 3), use('total', 1)])
    assert.equal(claimed(told), null);
  assert.equal(claimed(use('total', 4, 'GET /cart/total')), null);
  assert.equal(claimed(bring('./cart', 'Cart')), null);
  assert.equal(claimed({ exports: [{ name: 'default', local: 'checkout', line: 2 }] }), null);
  assert.match(claimed({}, ['checkout', 'Invoice']) ?? '', /^the name Invoice, which the text does not have$/);
  assert.match(claimed(use('refund', 4)) ?? '', /refund/);
  assert.match(claimed(use('total', 4, 'GET /admin')) ?? '', /admin/);
  assert.match(claimed(bring('./invoice', 'Cart')) ?? '', /invoice/);
  assert.match(claimed(bring('./cart', 'Invoice')) ?? '', /Invoice/);
  assert.match(claimed({ exports: [{ name: 'Invoice', local: 'Cart', line: 1 }] }) ?? '', /Invoice/);
  assert.match(claimed({ exports: [{ name: 'Cart', local: 'Invoice', line: 1 }] }) ?? '', /Invoice/);
  assert.match(claimed({}, ['x'.repeat(65)]) ?? '', /xxx/);
});

test('operations of GraphQL are of a type that the text need not name, and their fields stand in it', async () => {
  await loadRules('typescript');
  const text = 'const resolvers = {\n  carts: () => [],\n};\nconst open = gql`{ carts }`;\n';
  const bytes = Buffer.from(text);
  const extraction = extract(bytes, 'typescript');
  assert.ok('facts' in extraction);
  const { facts: real } = extraction;
  const ask = (name: string, literal: string) => {
    const use = { kind: 'route' as const, name, literal, receiver: '', args: -1, symbol: -1, startLine: 2, endLine: 2 };
    return contradictionOf({ ...real, relations: { ...real.relations, references: [use] } }, 'typescript', bytes);
  };
  assert.equal(ask('GQL /Query/carts', 'MAYBE /Query/carts'), null);
  assert.equal(ask('GQL /Mutation/open', ''), null);
  assert.match(ask('GQL /Query/orders', '') ?? '', /orders/);
  assert.match(ask('carts', 'GQL /Query/orders') ?? '', /orders/);
  assert.match(ask('Query', '') ?? '', /Query/);
});

test('names too short to be words, and names of signs alone, stand in the text as they are', () => {
  const bytes = Buffer.from('const t = $(a => a + 1);\nlet é;\n');
  const isKnown = (name: string) => {
    const symbols = [{ name, nameStart: 0, startLine: 2, endLine: 2 } as CodeSymbol];
    return contradictionOf({ ...facts(bytes.length, 2), symbols }, 'typescript', bytes) === null;
  };
  for (const name of ['t', '$', 'a', 'é', '+', '=>', '*', '', '\\', '|./.', '""']) assert.ok(isKnown(name), name);
  for (const name of ['T', 'x', '_', 'b', 'ü', '<<', '[]=', '\u{1f600}', '\u200b']) assert.ok(!isKnown(name), name);
});

test('a record of any number of names costs little more to check than the text to read', () => {
  const text = Buffer.from(`${Array.from({ length: 40_000 }, (_, i) => `word${i}`).join(' ')}\n`);
  const at = { receiver: '', args: 0, literal: '', symbol: -1, startLine: 1, endLine: 1 };
  const references = Array.from({ length: 40_000 }, (_, i) => ({
    ...at,
    kind: 'call' as const,
    name: `word${39_999 - i}`,
  }));
  const own = facts(text.length);
  const { user } = process.cpuUsage();
  assert.equal(contradictionOf({ ...own, relations: { ...own.relations, references } }, 'ruby', text), null);
  assert.ok(process.cpuUsage().user - user < 3_000_000);
});
