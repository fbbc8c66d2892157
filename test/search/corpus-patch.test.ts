/** A patched corpus is the one that is built from the changed files: in memory, over every mix of changes. Centrality by its own rule. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCorpus } from '../../src/search/build-corpus.js';
import { type Corpus, encodeView, PATH_CLASSES } from '../../src/search/corpus.js';
import { patchCorpus } from '../../src/search/corpus-patch.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical, orderUtf8 } from '../../src/shard/lexical-format.js';
import { LexicalShard } from '../../src/shard/lexical-shard.js';
import { type CatalogFile, createLiveSet, documentsOf } from '../../src/shard/live-set.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

const PATHS = [
  ...['a.ts', 'lib/a.ts', 'src/v1/a.ts', 'src/v2/a.ts', 'src/v2/b.ts', 'src/a.ts', 'v9/b.ts', 'v10/b.ts'],
  ...['tests/a.ts', 'src/Größe.ts', 'lib/deep/er/b.ts', 'z.ts'],
];
/** Numbers of texts, by path: equal texts are one file. */
type Tree = Readonly<Record<string, number>>;
const TEXTS = 6;

const textOf = (path: string, text: number): SourceFile => ({
  ...{ path, className: `Class${text}` },
  methods: Array.from({ length: text % 3 }, (_, i) => ({ name: `run${i}`, words: ['user', `w${text}`] })),
});
/** Attributes that tell a class apart from what the path says. */
const entryOf = (path: string, text: number): CatalogFile => ({
  ...catalogFile(textOf(path, text)),
  generated: path === 'z.ts',
  vendored: path === 'lib/a.ts',
});
const filesOf = (tree: Tree) =>
  Object.keys(tree)
    .sort(orderUtf8)
    .map((path) => entryOf(path, tree[path]));

function shardOf(texts: readonly number[]): LexicalShard {
  return buildShard(texts.map((text) => textOf('x.ts', text)));
}

function corpusOf(shards: readonly LexicalShard[], tree: Tree): Corpus {
  const { live, entries } = createLiveSet(shards, filesOf(tree));
  return createCorpus(live, entries);
}

const TERMS = ['a', 'b', 'src', 'lib', 'v1', 'v2', 'v9', 'v10', 'deep', 'größe', 'z', 'tests', 'test'];

/** Everything but the numbers of files and documents, by first path. */
function described({ live, averages, classes, pathLengths, pathPostings }: Corpus) {
  const files = Array.from({ length: live.files.length }, (_, file) => {
    const { first, end } = documentsOf(live, file);
    for (let document = first; document < end; document++) assert.equal(live.fileOf[document], file);
    const terms = TERMS.flatMap((term) =>
      [...pathPostings.of(term)].filter(([at]) => at === file).map(([, tf]) => [term, tf]),
    );
    const about = [live.files.oid(file), end - first, PATH_CLASSES[classes[file]], pathLengths[file]];
    return { paths: live.files.paths(file), about, terms };
  });
  files.sort((a, b) => orderUtf8(a.paths[0], b.paths[0]));
  return { files, averages, count: live.count, lengths: [classes.length, pathLengths.length] };
}

/** The first change of each path that differs, as a patch has it. */
function patchBetween(before: Tree, after: Tree, shards: readonly LexicalShard[]) {
  const changed = (path: string) => before[path] !== after[path];
  const removed = new Set(Object.keys(before).filter(changed));
  const added = filesOf(after).filter(({ path }) => changed(path));
  const attributesOf = (path: string) => entryOf(path, 0);
  return { removed, added, shards, attributesOf };
}

/** A file keeps the highest value of what it was and of the files whose paths it has now; a new one gets the lowest. */
function expectedCentrality(old: Corpus, before: Tree, after: Tree): Map<string, number> {
  const byText = new Map<number, number>();
  const byPath = new Map<string, number>();
  for (let file = 0; file < old.live.files.length; file++)
    for (const path of old.live.files.paths(file)) {
      byText.set(before[path], old.centrality[file]);
      byPath.set(path, old.centrality[file]);
    }
  const lowest = Math.min(1, ...old.centrality);
  const found = new Map<string, number>();
  for (const text of new Set(Object.values(after))) {
    const paths = Object.keys(after).filter((path) => after[path] === text);
    const changed = paths.filter((path) => before[path] !== text);
    const isTouched =
      changed.length > 0 || Object.keys(before).some((path) => before[path] === text && after[path] !== text);
    const inherited = [byText.get(text), ...(isTouched ? paths.map((path) => byPath.get(path)) : [])];
    const values = inherited.filter((value) => value !== undefined);
    for (const path of paths) found.set(path, values.length === 0 ? lowest : Math.max(...values));
  }
  return found;
}

const tree = fc.dictionary(fc.constantFrom(...PATHS), fc.nat(TEXTS - 1), { maxKeys: 9 });

test('a patched corpus equals the one of the changed files', () => {
  fc.assert(
    fc.property(tree, tree, fc.subarray([0, 1, 2, 3, 4, 5]), (first, second, known) => {
      const texts = [...new Set([...known, ...Object.values(first)])];
      const more = [0, 1, 2, 3, 4, 5].filter((text) => !texts.includes(text));
      const shards = [shardOf(texts.slice(0, 2)), shardOf(texts.slice(2))];
      const fresh = more.length === 0 ? [] : [shardOf(more)];
      const base = corpusOf(shards, first);
      const once = patchCorpus(base, patchBetween(first, second, fresh));
      assert.deepEqual(described(once), described(corpusOf([...shards, ...fresh], second)));
      const expected = expectedCentrality(base, first, second);
      for (let file = 0; file < once.live.files.length; file++)
        assert.equal(once.centrality[file], expected.get(once.live.files.path(file)));
    }),
    { numRuns: 120 },
  );
});

test('a corpus that is patched in order has the numbers of one that is built anew, and can be encoded', () => {
  fc.assert(
    fc.property(tree, tree, (first, second) => {
      const shards = [shardOf([0, 1, 2]), shardOf([3, 4, 5])];
      const patch = { ...patchBetween(first, second, []), inOrder: true };
      const patched = patchCorpus(corpusOf(shards, first), patch);
      const anew = corpusOf(shards, second);
      const bytes = [patched, anew].map((corpus) => encodeView({ ...corpus, centrality: anew.centrality }, null));
      assert.deepEqual(bytes[0], bytes[1]);
    }),
    { numRuns: 200 },
  );
});

test('a path without a text that is known, or whose text has no documents, is left out', () => {
  const shard = shardOf([1, 2]);
  const base = corpusOf([shard], { 'a.ts': 1, 'src/a.ts': 2 });
  const patched = patchCorpus(base, patchBetween({ 'a.ts': 1 }, { 'a.ts': 5 }, []));
  assert.deepEqual(described(patched), described(corpusOf([shard], { 'src/a.ts': 2 })));
});

test('a text that was too large for one shard and is read in another is found there', () => {
  const builder = new LexicalBuilder(20);
  builder.addSkipped(entryOf('z.ts', 5).oid, 'typescript', 'too-large', 5_000_000);
  const large = new LexicalShard(encodeLexical(builder.finish()), 'large');
  const base = corpusOf([large, shardOf([1])], { 'a.ts': 1 });
  const patched = patchCorpus(base, patchBetween({ 'a.ts': 1 }, { 'a.ts': 1, 'z.ts': 5 }, [shardOf([5])]));
  assert.deepEqual(
    described(patched).files.map(({ paths }) => paths),
    [['a.ts'], ['z.ts']],
  );
});
