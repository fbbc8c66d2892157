/** Filters of documents and paths against the plainest reading of what they say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  checkGlobs,
  createFilter,
  nameMatcher,
  pathFilter,
  pathMatcher,
  type SearchFilter,
} from '../../src/search/filter.js';
import { createLiveSet, type LiveSet, locate } from '../../src/shard/live-set.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

const file = (path: string, className: string, methods: number): SourceFile => ({
  ...{ path, className },
  methods: Array.from({ length: methods }, (_, i) => ({ name: `run${i}`, words: ['user'] })),
});
/** Equal texts at two paths are one file. */
const FILES = [
  file('lib/a.ts', 'One', 2),
  file('src/a.ts', 'One', 2),
  file('src/b.ts', 'Two', 3),
  file('c.py', 'Three', 0),
];

function liveOf(): LiveSet {
  const entry = (each: SourceFile) => catalogFile(each);
  return createLiveSet([buildShard(FILES.slice(1, 2)), buildShard(FILES.slice(2))], FILES.map(entry)).live;
}

/** Places of the documents that a filter accepts: the paths of their file, and their first line. */
function accepted(filter: SearchFilter): string[] {
  const live = liveOf();
  const accept = createFilter(live, filter) ?? (() => true);
  return [...live.fileOf].flatMap((at, document) => {
    if (!accept(document, at)) return [];
    const { shard, local } = locate(live, document);
    return [`${live.files.paths(at)[0]}:${shard.columns.startLine[local]}`];
  });
}

const ALL = [
  'lib/a.ts:1',
  'lib/a.ts:2',
  'lib/a.ts:3',
  'src/b.ts:1',
  'src/b.ts:2',
  'src/b.ts:3',
  'src/b.ts:4',
  'c.py:1',
];

test('each filter accepts what it says, by any path of a file, and all of them together what each accepts', () => {
  assert.equal(createFilter(liveOf(), {}), undefined);
  assert.equal(createFilter(liveOf(), { path: [], lang: [], kind: [] }), undefined);
  assert.deepEqual(accepted({}), ALL);
  assert.deepEqual(accepted({ path: ['src'] }), ALL.slice(0, 7));
  assert.deepEqual(accepted({ path: ['!src'] }), [...ALL.slice(0, 3), 'c.py:1']);
  assert.deepEqual(accepted({ within: (path) => path.startsWith('src') }), ALL.slice(0, 7));
  assert.deepEqual(accepted({ path: ['b.ts', 'c.py'], within: (path) => path !== 'c.py' }), ALL.slice(3, 7));
  assert.deepEqual(accepted({ kind: ['class'] }), ['lib/a.ts:1', 'src/b.ts:1', 'c.py:1']);
  assert.deepEqual(accepted({ kind: ['class', 'method'] }), ALL);
  assert.deepEqual(accepted({ lang: ['typescript'] }), ALL);
  assert.deepEqual(accepted({ kind: ['method'], path: ['lib'] }), ['lib/a.ts:2', 'lib/a.ts:3']);
});

test('chunks are accepted by their lines, their tags and their blobs', () => {
  assert.deepEqual(
    accepted({
      usesAt: new Map([
        ['src/a.ts', [2, 9]],
        ['src/b.ts', [1, 4]],
      ]),
    }),
    ['lib/a.ts:2', 'src/b.ts:1', 'src/b.ts:4'],
  );
  assert.deepEqual(accepted({ usesAt: new Map() }), []);
  const tags: [string, number, number][] = [];
  const hasTag = (...place: [string, number, number]) => {
    tags.push(place);
    return place[0] === 'src/a.ts' && place[1] === 3;
  };
  assert.deepEqual(accepted({ hasTag }), ['lib/a.ts:3']);
  assert.deepEqual(tags.at(-1), ['c.py', 1, 1]);
  const { oid } = catalogFile(FILES[2]);
  assert.deepEqual(accepted({ known: new Set([oid]) }), [...ALL.slice(0, 3), 'c.py:1']);
  assert.deepEqual(accepted({ known: new Set() }), ALL);
});

test('a chunk of several lines is accepted from its first to its last', () => {
  const shard = { columns: { startLine: [3], endLine: [5] }, meta: { documents: 1 } };
  const live = { shards: [shard], bases: [0, 1], files: { length: 1, paths: () => ['a'] } } as unknown as LiveSet;
  const at = (line: number) => createFilter(live, { usesAt: new Map([['a', [line]]]) })?.(0, 0);
  assert.deepEqual([2, 3, 4, 5, 6].map(at), [false, true, true, true, false]);
});

test('a glob that matches no file is a mistake, unless it excludes, files are none, or it may be empty', () => {
  const live = liveOf();
  assert.throws(
    () => createFilter(live, { path: ['absent', 'none.ts'] }),
    /no indexed file matches "absent" or "none.ts"/,
  );
  assert.doesNotThrow(() => createFilter(live, { path: ['absent', 'lib'] }));
  assert.doesNotThrow(() => createFilter(live, { path: ['!absent'] }));
  assert.doesNotThrow(() => createFilter(live, { path: ['absent'], mayBeEmpty: true }));
  const none = createLiveSet([], []).live;
  assert.doesNotThrow(() => createFilter(none, { path: ['absent'], lang: ['cobol'] }));
  assert.throws(() => checkGlobs(['absent'], ['a.ts']), /no file matches "absent"/);
  assert.doesNotThrow(() => checkGlobs(undefined, []));
});

test('a language that no file has is a mistake, one of two is none; the hint names those there are', () => {
  const live = createLiveSet([buildShard(FILES)], FILES.map(catalogFile)).live;
  assert.throws(
    () => createFilter(live, { lang: ['cobol', 'rust'] }),
    (error: Error & { hint: string }) => {
      assert.deepEqual([error.message, error.hint], ['no file here is in cobol, rust', 'Languages here: typescript']);
      return true;
    },
  );
  assert.doesNotThrow(() => createFilter(live, { lang: ['cobol', 'typescript'] }));
});

test('a message quotes a glob of 60 characters whole, and a longer one up to there', () => {
  const said = (glob: string) => {
    try {
      checkGlobs([glob], []);
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(said('x'.repeat(60)), `no file matches "${'x'.repeat(60)}"`);
  assert.equal(said('x'.repeat(61)), `no file matches "${'x'.repeat(60)}…"`);
});

test('without a filter each path is accepted, and a condition holds besides the globs', () => {
  assert.equal(pathFilter({})('a'), true);
  assert.equal(pathFilter({ path: [] })('a'), true);
  const both = pathFilter({ path: ['src'], within: (path) => path.endsWith('.ts') });
  assert.deepEqual(['src/a.ts', 'src/a.py', 'lib/a.ts'].map(both), [true, false, false]);
});

test('a glob at the top of the repository matches there alone, and one with a wildcard anywhere', () => {
  const matches = (glob: string, path: string) => pathMatcher([glob])(path);
  assert.deepEqual(
    ['src/a', 'lib/src/a'].map((path) => matches(':/src', path)),
    [true, false],
  );
  assert.deepEqual(
    ['src/', '/src', './src'].map((glob) => matches(glob, 'src/a')),
    [true, true, true],
  );
});

const segment = fc.constantFrom('a', 'b', 'ab', 'a.ts', '.a');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const glob = fc.constantFrom('a', 'b', '*.ts', 'a*', '.a', '*', 'a/b', '!a', '{a,b}', ':/a', '?b', 'a/');

test('the fast way to match names says what the slow one says, also for paths in the same folders', () => {
  fc.assert(
    fc.property(fc.array(glob, { minLength: 1, maxLength: 3 }), fc.array(path, { maxLength: 6 }), (globs, paths) => {
      const [fast, slow] = [nameMatcher(globs), pathMatcher(globs)];
      assert.deepEqual(paths.map(fast), paths.map(slow));
    }),
    { numRuns: 300 },
  );
});
