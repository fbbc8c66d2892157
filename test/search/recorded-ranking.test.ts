/**
 * Each step of a search over fixtures/ranking, in two shards: terms, scores, features, texts as typed, and what is shown. The lines are in
 * fixtures/scores/steps.txt. After a change that is meant: `UPDATE_FIXTURES=1 node build/test/search/recorded-ranking.test.js`, and read
 * the difference.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtinModel } from '../../src/embed/builtin/index.js';
import { detectLanguage, extract, loadAllRules } from '../../src/extract/extract.js';
import { computeStaticVectors } from '../../src/indexer/static-vectors.js';
import { createCorpus } from '../../src/search/build-corpus.js';
import { collapse } from '../../src/search/collapse.js';
import { PATH_CLASSES } from '../../src/search/corpus.js';
import { definitionsIn, focused } from '../../src/search/definitions.js';
import { DenseScorer, staticQuery } from '../../src/search/dense.js';
import { asTyped, exactTexts } from '../../src/search/exact.js';
import { createFilter } from '../../src/search/filter.js';
import { scoreCorrected, Vocabulary } from '../../src/search/lexical.js';
import { inEnglish, parseQuery } from '../../src/search/query.js';
import { readBest } from '../../src/search/rerank.js';
import { aboveShare, startRanking } from '../../src/search/scoring.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/lexical-format.js';
import { LexicalShard } from '../../src/shard/lexical-shard.js';
import { type CatalogFile, createLiveSet, locate } from '../../src/shard/live-set.js';
import { VectorIndex } from '../../src/shard/nearest.js';

await loadAllRules();

const FIXTURES = fileURLToPath(new URL('../../../fixtures/', import.meta.url));
const KEPT = join(FIXTURES, 'scores', 'steps.txt');
const LIMIT = 6;

/** Queries with the mode and the filter with which they are asked. */
const QUERIES: readonly [query: string, filter?: Parameters<typeof createFilter>[1]][] = [
  ...['SessionStore', 'SessionStore.revoke', 'reserve_stock', 'history', 'Deserialize', 'hashPasword'].map(
    (query): [string] => [query],
  ),
  ...['how are passwords hashed', 'place an order', 'evict the oldest cache entry', 'tests for password hashing'].map(
    (query): [string] => [query],
  ),
  ...['fix a session that is lost after login', 'pasword hashng', '"oldest entry"', 'store.revoke(', 'v1 orders'].map(
    (query): [string] => [query],
  ),
  ...['wie werden die Passwörter gespeichert', 'src/auth/login.ts:3', 'make somebody’s bill for a parcel'].map(
    (query): [string] => [query],
  ),
  ['session', { path: ['tests/**', 'docs/**'] }],
  ['retry after a failure', { lang: ['python'] }],
  ['rate limiter tokens', { kind: ['function', 'method'] }],
];

interface Source extends CatalogFile {
  bytes: Buffer;
}

function sources(): Source[] {
  const folder = join(FIXTURES, 'ranking');
  const names = (readdirSync(folder, { recursive: true, withFileTypes: true }) as import('node:fs').Dirent[])
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
  return names.sort().map((path) => {
    const bytes = readFileSync(join(folder, path));
    const oid = createHash('sha1').update(bytes).digest('hex');
    return { path, oid, language: detectLanguage(path, bytes), generated: false, vendored: false, bytes };
  });
}

function shardOf(files: readonly Source[], label: string): LexicalShard {
  const builder = new LexicalBuilder(20);
  for (const { oid, language, bytes } of files) {
    if (language === null) continue;
    const extraction = extract(bytes, language);
    if ('facts' in extraction) builder.add(oid, language, extraction.facts, bytes);
  }
  return new LexicalShard(encodeLexical(builder.finish()), label);
}

/** Every third file is in another shard; a file of another commit and a copy at another path are there, too. */
const FILES = sources();
const GONE: Source = {
  ...FILES[0],
  path: 'gone.ts',
  oid: 'f'.repeat(40),
  bytes: Buffer.from('export const session = 1;\n'),
};
const COPY: Source = { ...FILES[3], path: 'vendor/copy.ts', vendored: true };
const shards = [
  shardOf([...FILES.filter((_, i) => i % 3 !== 0), GONE], 'first'),
  shardOf(
    FILES.filter((_, i) => i % 3 === 0),
    'second',
  ),
];
const { live, entries } = createLiveSet(shards, [...FILES, COPY]);
const corpus = createCorpus(live, entries);
const vectors = new VectorIndex(live, shards.map(computeStaticVectors));
const blobs = new Map(FILES.map(({ oid, bytes }) => [oid, bytes]));
const objects = { read: async (oid: string) => ({ oid, type: 'blob' as const, content: blobs.get(oid) as Buffer }) };
const textOf = async (document: number) => {
  const { shard, local } = locate(live, document);
  const bytes = blobs.get(live.files.oid(live.fileOf[document])) as Buffer;
  return bytes.toString('utf8', shard.columns.start[local], shard.columns.end[local]);
};
/** What commits and summaries would say. */
const history = (path: string) => (path.includes('auth') ? 2 : path.endsWith('.py') ? 1 : 0);
const summaries = (blob: string) => Number.parseInt(blob[0], 16) / 16;

const rounded = (_: string, value: unknown) =>
  typeof value === 'number' ? Math.round(value * 1e3) / 1e3 : value instanceof Map ? [...value] : value;
const line = (name: string, value: unknown) => `${name} ${JSON.stringify(value, rounded)}`;

const placeOf = (document: number) => {
  const { shard, local } = locate(live, document);
  return `${live.files.path(live.fileOf[document])}:${shard.columns.startLine[local]}`;
};

async function stepsOf(typed: string, mode: string, filter?: Parameters<typeof createFilter>[1]): Promise<string[]> {
  const has = (term: string) => shards.some((shard) => shard.findTerm(term) >= 0);
  const query = await inEnglish(parseQuery(typed), has);
  const scored = await scoreCorrected(corpus, query, new Vocabulary(live), { isLexical: mode === 'lexical' });
  const { lexical } = scored;
  const asked = mode === 'lexical' ? null : staticQuery(builtinModel(), vectors, lexical.terms);
  const dense = asked === null ? null : new DenseScorer(corpus, asked);
  const accept = filter === undefined ? undefined : createFilter(live, filter);
  const options = { accept, limit: LIMIT, dense, semantic: mode === 'semantic', history, summaries };
  const ranking = startRanking(corpus, scored.query, options, lexical);
  const lines = [
    `## ${typed} (${mode})`,
    line('query', { ...scored.query, typed: undefined, wholes: [...query.wholes] }),
    line(
      'terms',
      lexical.terms.map(({ term, df, idf, synonyms }) => [term, df, idf, synonyms]),
    ),
    line('told', { otherness: lexical.otherness, corrections: scored.corrections, absent: scored.absent }),
    line(
      'first',
      ranking.ranked.slice(0, 4).map(({ document, score, own }) => [placeOf(document), score, own]),
    ),
  ];
  if (mode !== 'semantic') await readBest(live, ranking, { query: scored.query, terms: lexical.terms, textOf });
  const taken = ranking.take();
  for (const { document, score, defines, explain } of taken)
    lines.push(line(placeOf(document), { score, defines, explain }));
  const texts = exactTexts(query);
  const best = await asTyped(corpus, taken, {
    ...texts,
    accept,
    textOf,
    keepsDefinitions: query.kind === 'symbol',
    lexical,
  });
  lines.push(line('typed', { ...texts, best: best.map(({ document, score }) => [placeOf(document), score]) }));
  const terms = scored.query.terms;
  for (const { document } of best.slice(0, 2)) {
    const { shard, local } = locate(live, document);
    const content = await textOf(document);
    const own = { symbol: shard.documentSymbol(local), kind: shard.documentKind(local) };
    lines.push(line('named', focused(own, definitionsIn(shard, local, content), { content, terms })));
  }
  const results = await collapse(aboveShare(best, 0.2), {
    ...{ live, objects, limit: 4, showsPath: () => true, explain: true, noContent: true, terms, whole: 30 },
  });
  const shown = results.map(({ path, startLine, endLine, places, symbol, kind, sources, also }) => [
    ...[`${path}:${startLine}-${endLine}`, symbol, kind, sources?.join(), also, places?.map((place) => place.path)],
  ]);
  return [...lines, line('shown', shown)];
}

/** Sums of vectors may round otherwise on another processor. */
const TOLERANCE = 2e-3;
const NUMBER = /-?\d+\.\d+/g;

function isSame(found: string, kept: string): boolean {
  const [own, its] = [found, kept].map((text) => (text.match(NUMBER) ?? []).map(Number));
  if (own.length !== its.length || found.replace(NUMBER, '') !== kept.replace(NUMBER, '')) return found === kept;
  return own.every((value, i) => Math.abs(value - its[i]) <= TOLERANCE);
}

test('each step of a search gives what it gave when it was recorded', async () => {
  const lines = [
    line(
      'classes',
      [...corpus.classes].map((code) => PATH_CLASSES[code]),
    ),
    line('centrality', [...corpus.centrality]),
    line('averages', corpus.averages),
  ];
  for (const [query, filter] of QUERIES)
    for (const mode of ['hybrid', 'lexical', 'semantic']) lines.push(...(await stepsOf(query, mode, filter)));
  if (process.env.UPDATE_FIXTURES === '1') writeFileSync(KEPT, `${lines.join('\n')}\n`);
  const kept = readFileSync(KEPT, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((found, i) => (isSame(found, kept[i] ?? '') ? kept[i] : found)),
    kept,
  );
});
