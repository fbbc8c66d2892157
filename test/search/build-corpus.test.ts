/** Centrality is a matter of the snapshot: what else the shards hold, and in which order, must not show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fileCentrality, NameUses } from '../../src/search/build-corpus.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/lexical-format.js';
import { LexicalShard } from '../../src/shard/lexical-shard.js';
import { createLiveSet } from '../../src/shard/live-set.js';
import { anyFiles, buildShard, catalogFile, materialise, type SourceFile } from '../support/generated/corpus.js';

const centralityIn = (shards: readonly LexicalShard[], files: readonly SourceFile[]): number[] => [
  ...fileCentrality(createLiveSet(shards, files.map(catalogFile)).live),
];

const file = (path: string, className: string, words: string[]): SourceFile => ({
  path,
  className,
  methods: [{ name: `do${className}`, words }],
});

test('a file whose names others use is more central, whatever identifiers other branches have', () => {
  const files = [
    file('a.ts', 'Caching', ['x']),
    file('b.ts', 'Other', ['caches', 'x']),
    ...['c', 'd', 'e', 'f', 'g', 'h'].map((name) => file(`${name}.ts`, name.repeat(5), [])),
  ];
  const expected = centralityIn([buildShard(files)], files);
  assert.ok(expected[0] > expected[2], `${expected}`);
  // Of two parts: a term as it is, which would hide that the name of one part is found by its stem.
  const elsewhere = file('z.ts', 'Else', ['cachIng']);
  assert.deepEqual(centralityIn([buildShard([...files, elsewhere])], files), expected);
});

test('a file that defines a name many times defines it as one that does so once', () => {
  const others = ['c', 'd', 'e', 'f', 'g', 'h'].map((name) => file(`${name}.ts`, name.repeat(5), []));
  const isCentral = (times: number) => {
    const methods = Array.from({ length: times }, (_, i) => ({ name: 'render', words: [`x${i}`] }));
    const files = [{ path: 'a.ts', className: 'Page', methods }, file('b.ts', 'Other', ['render']), ...others];
    const found = centralityIn([buildShard(files)], files);
    return found[0] > found[2];
  };
  assert.deepEqual([0, 1, 4].map(isCentral), [false, true, true]);
});

test('a file is a user of a name that its text holds, not of one that its definitions have without writing it', () => {
  const others = ['c', 'd', 'e', 'f', 'g', 'h'].map((name) => file(`${name}.ts`, name.repeat(5), []));
  const defining = file('a.ts', 'Caching', ['x']);
  const files = [defining, file('b.ts', 'Other', ['y']), ...others];
  /** Centrality where the class of `b.ts` is called as given, although its text has another name. */
  const usesOf = (name: string) => {
    const builder = new LexicalBuilder(20);
    for (const each of files) {
      const { oid, bytes, facts } = materialise(each);
      const symbols = facts.symbols.map((one) => (one.name === 'Other' ? { ...one, name } : one));
      builder.add(oid, 'typescript', { ...facts, symbols }, bytes);
    }
    const shard = new LexicalShard(encodeLexical(builder.finish()), 'test');
    return [...fileCentrality(createLiveSet([shard], files.map(catalogFile)).live)];
  };
  assert.deepEqual(usesOf('CachingPart'), usesOf('QuietPart'));
});

test('centrality is the same to the last bit, however the live set is spread over shards', () => {
  fc.assert(
    fc.property(anyFiles(14), fc.nat(13), fc.nat(13), (all, cut, at) => {
      const files = all.slice(0, Math.max(1, Math.min(cut, all.length)));
      const parts = [all.slice(at).reverse(), all.slice(0, at)].filter((part) => part.length > 0);
      const shards = parts.map((part) => buildShard(part));
      assert.deepEqual(centralityIn(shards, files), centralityIn([buildShard(files)], files));
    }),
    { numRuns: 200 },
  );
});

test('the uses of names after a step are those that are found anew, byte for byte', () => {
  fc.assert(
    fc.property(anyFiles(14), fc.nat(13), fc.nat(2 ** 14), fc.nat(2 ** 14), (all, at, first, second) => {
      const shards = [all.slice(at), all.slice(0, at)]
        .filter((part) => part.length > 0)
        .map((part) => buildShard(part));
      const liveOf = (bits: number) =>
        createLiveSet(shards, all.filter((_, i) => (bits >> i) & 1).map(catalogFile)).live;
      const [before, after] = [liveOf(first), liveOf(second)];
      const kept = NameUses.decode(NameUses.of(before).encode(), 'test');
      assert.deepEqual(kept.stepped(before, after)?.encode(), NameUses.of(after).encode());
    }),
    { numRuns: 200 },
  );
});

test('uses have the files of others only where centrality is the same to the last bit', () => {
  let same = 0;
  fc.assert(
    fc.property(anyFiles(3), fc.nat(7), fc.nat(7), (all, first, second) => {
      const shards = [buildShard(all)];
      const [before, after] = [first, second].map((bits) => {
        const { live } = createLiveSet(shards, all.filter((_, i) => (bits >> i) & 1).map(catalogFile));
        return { files: live.files.length, uses: NameUses.of(live) };
      });
      if (before.files !== after.files || !before.uses.hasFilesOf(after.uses)) return;
      same++;
      assert.deepEqual(before.uses.centrality(before.files), after.uses.centrality(after.files));
    }),
    { numRuns: 400 },
  );
  assert.ok(same > 20, `only ${same} pairs had the same files`);
});

test('one user more of a name, and one name less, are other files', () => {
  const uses = (...files: SourceFile[]) => NameUses.of(createLiveSet([buildShard(files)], files.map(catalogFile)).live);
  const others = ['c', 'd', 'e', 'f', 'g', 'h'].map((name) => file(`${name}.ts`, name.repeat(5), []));
  const [maker, user, stranger] = [
    file('a.ts', 'Caching', ['x']),
    file('b.ts', 'Other', ['cache', 'y']),
    file('b.ts', 'Other', ['y', 'z']),
  ];
  const before = uses(maker, user, ...others);
  assert.equal(uses(maker, user, ...others).hasFilesOf(before), true);
  assert.equal(uses(maker, stranger, ...others).hasFilesOf(before), false);
  assert.equal(uses(maker, user, ...others.slice(1)).hasFilesOf(before), false);
});
