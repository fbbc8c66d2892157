/** Lexical shards: what is built is what is read, merging equals building at once, damage is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packSections, Sections } from '../../src/base/binary.js';
import { isSocraticodeError } from '../../src/base/errors.js';
import { extract, loadRules } from '../../src/extract/extract.js';
import { nameKey } from '../../src/extract/terms.js';
import { noRelations } from '../../src/languages/roles/relation-facts.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical, LEXICAL_MAGIC } from '../../src/shard/lexical-format.js';
import { LexicalShard } from '../../src/shard/lexical-shard.js';
import { createLiveSet, findUnit, lookUpUnit } from '../../src/shard/live-set.js';
import { mergeLexical } from '../../src/shard/merge.js';
import {
  anyFiles,
  buildColumns,
  buildShard,
  catalogFile,
  materialise,
  type SourceFile,
} from '../support/generated/corpus.js';

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Every posting of a shard as text, keyed by blob and chunk. */
function allPostings(shard: LexicalShard): string[] {
  const owner: string[] = [];
  for (let unit = 0; unit < shard.meta.units; unit++) {
    for (let i = 0; i < shard.unitDocuments[unit]; i++)
      owner[shard.unitFirst[unit] + i] = `${shard.unitOid(unit)} ${i}`;
  }
  const lines: string[] = [];
  for (let term = 0; term < shard.terms.length; term++) {
    const { count, documents, body, name, enclosing } = shard.postings(term);
    for (let k = 0; k < count; k++) {
      lines.push(`${owner[documents[k]]} ${shard.terms.at(term)} ${body[k]} ${name[k]} ${enclosing[k]}`);
    }
  }
  return lines.sort();
}

function expectedPostings(files: readonly SourceFile[]): string[] {
  return files
    .flatMap((file) => {
      const { oid, chunks } = materialise(file);
      return chunks.flatMap((chunk, i) => {
        const [body, name, enclosing] = [chunk.body, chunk.name, chunk.enclosing].map(countTerms);
        const terms = new Set([...body.keys(), ...name.keys(), ...enclosing.keys()]);
        return [...terms].map(
          (t) => `${oid} ${i} ${t} ${body.get(t) ?? 0} ${name.get(t) ?? 0} ${enclosing.get(t) ?? 0}`,
        );
      });
    })
    .sort();
}

test('a shard of more words than its tables begin with keeps how often each stands in a chunk', () => {
  const letters = (number: number) => number.toString(26).replace(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)]);
  const words = Array.from({ length: 1 << 16 }, (_, i) => `w${letters(i)}w`);
  const files = [
    { path: 'a.ts', className: 'First', methods: [{ name: 'all', words }] },
    {
      path: 'b.ts',
      className: 'Second',
      methods: [{ name: 'some', words: ['again', 'again', 'fresh', 'anew', 'again'] }],
    },
  ];
  assert.deepEqual(allPostings(buildShard(files)), expectedPostings(files));
});

test('a shard reads back the units, postings, field lengths, definitions and symbols that were written', () => {
  fc.assert(
    fc.property(anyFiles(), (files) => {
      const shard = buildShard(files);
      assert.deepEqual(allPostings(shard), expectedPostings(files));
      for (const { oid, chunks, bytes, facts } of files.map(materialise)) {
        const unit = shard.findUnit(oid, 'typescript');
        assert.deepEqual([shard.unitOid(unit), shard.unitSize[unit], shard.unitState(unit)], [oid, bytes.length, null]);
        assert.equal(shard.unitDocuments[unit], chunks.length);
        for (const [i, chunk] of chunks.entries()) {
          const document = shard.unitFirst[unit] + i;
          const lengths = [chunk.body.length, chunk.name.length, chunk.enclosing.length];
          const { bodyLength, nameLength, enclosingLength, start, end } = shard.columns;
          assert.deepEqual([bodyLength[document], nameLength[document], enclosingLength[document]], lengths);
          assert.deepEqual([start[document], end[document]], [facts.chunks[i].start, facts.chunks[i].end]);
          assert.equal(shard.documentKind(document), facts.chunks[i].kind);
          assert.ok(shard.documentSymbol(document)?.endsWith(facts.symbols[i].name));
          const defined = shard.definitions(shard.names.find(nameKey(facts.symbols[i].name)));
          assert.ok(defined.some((definition) => definition.document === document));
        }
        assert.equal(shard.findUnit(oid, 'python'), -1);
      }
      assert.equal(shard.findAnyUnit('f'.repeat(40)), -1);
      assert.equal(shard.findTerm('no such term'), -1);
    }),
    { numRuns: 100 },
  );
});

test('a blob is found by its id however ids are spread, and no other is', () => {
  const digits = (length: number) =>
    fc
      .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
      .map((all) => all.join(''));
  const spread = digits(40);
  const crowded = fc
    .tuple(fc.constantFrom('00000000', '7fffffff', '80000000', 'ffffffff'), digits(32))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.uniqueArray(fc.oneof(spread, crowded), { maxLength: 60 }), fc.nat(60), (oids, kept) => {
      const builder = new LexicalBuilder(20);
      for (const oid of oids.slice(0, kept)) builder.addSkipped(oid, 'unknown', 'binary', 1);
      const shard = new LexicalShard(encodeLexical(builder.finish()), 'test');
      const found = oids.map((oid) => shard.findAnyUnit(oid));
      for (const [i, unit] of found.entries()) {
        if (i < kept) assert.equal(shard.unitOid(unit), oids[i]);
        else assert.equal(unit, -1, oids[i]);
      }
    }),
    { numRuns: 300 },
  );
});

test('the same units give the same bytes', () => {
  fc.assert(
    fc.property(anyFiles(), (files) => {
      assert.deepEqual(encodeLexical(buildColumns(files)), encodeLexical(buildColumns(files)));
    }),
    { numRuns: 30 },
  );
});

test('merging shards gives the bytes that building at once gives', () => {
  fc.assert(
    fc.property(anyFiles(10), fc.array(fc.nat(10), { maxLength: 4 }), (files, cuts) => {
      const bounds = [0, ...cuts.map((cut) => Math.min(cut, files.length)).sort((a, b) => a - b), files.length];
      const shards = bounds.slice(1).map((end, i) => buildShard(files.slice(bounds[i], end)));
      assert.deepEqual(encodeLexical(mergeLexical(shards)), encodeLexical(buildColumns(files)));
    }),
    { numRuns: 150 },
  );
});

test('merging keeps the newer of two units, and no trace of the older', () => {
  const [old, other]: SourceFile[] = [
    { path: 'a.ts', className: 'Session', methods: [{ name: 'run', words: ['parse'] }] },
    { path: 'b.ts', className: 'Other', methods: [] },
  ];
  const { oid, bytes } = materialise(old);
  const builder = new LexicalBuilder(20);
  const symbols = [
    { ...materialise(other).facts.symbols[0], name: 'parse', nameStart: bytes.indexOf('parse'), end: bytes.length },
  ];
  const chunks = [{ ...materialise(other).facts.chunks[0], end: bytes.length }];
  builder.add(
    oid,
    'typescript',
    { lines: 1, chunks, symbols, generated: true, relations: noRelations(), parseErrors: [] },
    bytes,
    'parse-timeout',
  );
  const newer = new LexicalShard(encodeLexical(builder.finish()), 'newer');
  const merged = new LexicalShard(encodeLexical(mergeLexical([buildShard([old, other]), newer])), 'merged');
  assert.deepEqual([merged.meta.units, merged.meta.documents], [2, 2]);
  assert.equal(merged.unitState(merged.findUnit(oid, 'typescript')), 'parse-timeout');
  assert.equal(merged.names.find('run'), -1);
  assert.ok(merged.names.find('parse') >= 0);
  const shards = [buildShard([old, other]), newer];
  assert.equal(findUnit(shards, oid, 'typescript')?.shard, 1);
  const { live } = createLiveSet(shards, [old, other].map(catalogFile));
  assert.deepEqual([live.count, [...live.files.shard]], [2, [1, 0]]);
});

test('units without documents keep their reason, size and language', () => {
  const builder = new LexicalBuilder(32);
  const oid = (digit: string) => digit.repeat(64);
  builder.addSkipped(oid('b'), 'c', 'too-large', 5_000_000);
  builder.addSkipped(oid('a'), 'cpp', 'binary', 7);
  builder.addSkipped(oid('a'), 'c', 'secret', 7);
  const shard = new LexicalShard(encodeLexical(builder.finish()), 'skipped');
  const look = (digit: string, language: string | null) =>
    lookUpUnit([shard], { path: 'x', oid: oid(digit), language, generated: false, vendored: false });
  assert.deepEqual([look('b', 'c')?.state, look('b', 'c')?.size], ['too-large', 5_000_000]);
  assert.deepEqual([look('a', 'cpp')?.state, look('a', 'c')?.state, look('a', 'go')], ['binary', 'secret', null]);
  assert.notEqual(look('a', null), null);
  assert.equal(createLiveSet([shard], []).live.count, 0);
});

test('a file with another magic, a truncated file and a broken header are refused', () => {
  const file = packSections(LEXICAL_MAGIC, { a: 1 }, { one: Uint32Array.of(1, 2, 3), two: Uint8Array.of(9) });
  const sections = new Sections<{ a: number }>(file, LEXICAL_MAGIC, 'x');
  assert.deepEqual([sections.meta.a, [...sections.u32('one')], [...sections.u8('two')]], [1, [1, 2, 3], [9]]);
  const shifted = Buffer.concat([Buffer.alloc(3), file]).subarray(3);
  assert.deepEqual([...new Sections(shifted, LEXICAL_MAGIC, 'x').u32('one')], [1, 2, 3]);
  const bad = [file.subarray(0, 5), file.subarray(0, 20), file.subarray(0, file.length - 8), Buffer.alloc(64)];
  for (const bytes of bad) {
    assert.throws(
      () => new Sections(bytes, LEXICAL_MAGIC, 'x'),
      (error) => isSocraticodeError(error, 'SHARD_CORRUPT'),
    );
  }
});

test('a unit of data tells whether it has definitions beside keys, which the graph reads', async () => {
  await loadRules('yaml');
  const TEXTS: readonly [text: string, expected: boolean][] = [
    ['a: 1\nb: {c: 2}\n', false],
    ['# nothing\n', false],
    ['x-common: {a: 1, b: 2, c: 3, d: 4}\nservices: {db: {image: x}}\n', true],
    ['apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\n', true],
  ];
  const builder = new LexicalBuilder(20);
  for (const [i, [text]] of TEXTS.entries()) {
    const bytes = Buffer.from(text);
    const found = extract(bytes, 'yaml');
    assert.ok('facts' in found);
    builder.add(String(i).repeat(40), 'yaml', found.facts, bytes);
  }
  const shard = new LexicalShard(encodeLexical(builder.finish()), 'test');
  for (const [i, [text, expected]] of TEXTS.entries()) {
    const unit = shard.findUnit(String(i).repeat(40), 'yaml');
    assert.equal(shard.hasDefinitions(unit), expected, text);
  }
});
