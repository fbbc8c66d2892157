/** Which chunk of a file comes first: the definition that a description describes, or the lines that a change is about. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { resultsText } from '../../src/questions/result-text.js';
import { callGains } from '../../src/search/rerank.js';
import { CALLS } from '../../src/search/weights.js';
import type { LiveSet } from '../../src/shard/live-set.js';
import { Process } from '../support/in-process/search.js';
import { createRepo } from '../support/repositories/repo.js';

/** More than a chunk holds, so that the class and its methods are several. */
const filler = (name: string) =>
  Array.from({ length: 40 }, (_, i) => `    const ${name}${i} = this.read(${i}) + offset;`).join('\n');

const repo = createRepo();
repo.commit({
  'src/ledger.ts': `export class ParcelTracker {
  private offset = 0;
${filler('first').replaceAll('const ', '// ')}

  reset(offset: number) {
${filler('reset')}
  }

  advance(offset: number) {
    // the tracker of a parcel asks the courier of each tracker
${filler('advance')}
    this.tracker(parcel, courier);
  }
}
`,
  'src/van.ts': `import { invoice, customs } from './invoice-customs.js';

export function customsOf(invoice: Invoice) {
${filler('customs')}
  return invoice.customs;
}
`,
});
let shop: Process;
before(async () => {
  shop = await Process.open(repo);
});
after(() => shop.close());

const firstOf = async (query: string) => {
  const { results } = await shop.search(query, { explain: true });
  return results[0];
};

test('a description finds the definition of the class, a change the method that it is about', async () => {
  const described = await firstOf('tracker of a parcel with courier');
  assert.deepEqual([described.path, described.symbol], ['src/ledger.ts', 'ParcelTracker']);
  assert.ok((described.explain?.['best chunk'] ?? 0) > 0);
  const changed = await firstOf('fix tracker of a parcel with courier');
  assert.deepEqual([changed.path, changed.symbol], ['src/ledger.ts', 'ParcelTracker.advance']);
});

test('imports do not stand for a file whose code has the words, too', async () => {
  assert.notEqual((await firstOf('customs invoice')).kind, 'imports');
});

/** Documents in files of the same number, and the documents that define each name. */
function liveSet(definitions: Record<string, number[]>, gone: number[] = []): LiveSet {
  const names = Object.keys(definitions);
  const shard = {
    names: { find: (name: string) => names.indexOf(name) },
    eachDefinition: (index: number, visit: (document: number) => boolean) =>
      void definitions[names[index]].every((document) => visit(document)),
  };
  const fileOf = Int32Array.from({ length: 30 }, (_, document) => (gone.includes(document) ? -1 : document));
  return { shards: [shard], bases: [0], fileOf } as unknown as LiveSet;
}

const best = Array.from({ length: 20 }, (_, document) => ({ document, file: document, score: 10 - document / 4 }));
const gainsOf = async (live: LiveSet, texts: Record<number, string>) =>
  Object.fromEntries(await callGains(live, best, async (document) => texts[document] ?? ''));

test('the definition that a result calls gains, and so does the chunk that uses what a result defines', async () => {
  const live = liveSet({ reservestock: [3] });
  const gains = await gainsOf(live, { 1: 'await reserveStock (cart);' });
  const [called, uses] = [CALLS.called * 0.975, CALLS.uses * 0.925];
  assert.deepEqual(gains, { 1: uses, 3: called });
  assert.deepEqual(await gainsOf(live, { 1: 'see reserveStock, which reserves' }), { 1: uses });
});

test('the best of several callers counts, shared by definitions of the name', async () => {
  const gains = await gainsOf(liveSet({ total: [12, 13] }), { 0: 'total()', 4: 'total()' });
  assert.deepEqual(gains, { 12: CALLS.called / 2, 13: CALLS.called / 2 });
});

test('names of many, names of the file itself, and definitions of other snapshots give nothing', async () => {
  const texts = { 0: 'close(); own(); gone(); id(); far()' };
  const live = liveSet({ close: [1, 2, 3, 4], own: [0], gone: [5], id: [6], far: [25] }, [5]);
  assert.deepEqual(await gainsOf(live, texts), {});
});

test('no more chunks are read than the weights say', async () => {
  const read: number[] = [];
  await callGains(liveSet({}), best, async (document) => {
    read.push(document);
    return '';
  });
  assert.deepEqual(
    read,
    best.slice(0, CALLS.read).map(({ document }) => document),
  );
});

test('definitions in many shards, as a fleet has them, count as those in one', async () => {
  const definitions: Record<string, number[]> = { total: [12, 13], reservestock: [3], id: [6], close: [1, 2, 3, 4] };
  const texts = { 0: 'total(); close(); id()', 1: 'reserveStock()', 4: 'total' };
  const shards = Array.from({ length: 40 }, (_, document) => {
    const own = Object.keys(definitions).filter((name) => definitions[name].includes(document));
    const names = { find: (name: string) => own.indexOf(name), at: (index: number) => own[index], length: own.length };
    return { names, eachDefinition: (_: number, visit: (document: number) => boolean) => void visit(0) };
  });
  const fileOf = Int32Array.from({ length: 40 }, (_, document) => document);
  const many = { shards, bases: [...shards.keys()], fileOf } as unknown as LiveSet;
  const expected = await gainsOf(liveSet(definitions), texts);
  assert.ok(Object.keys(expected).length > 0);
  assert.deepEqual(await gainsOf(many, texts), expected);
});

describe('next parts', () => {
  /** More than a chunk holds, so that each method is one. */
  const filler = (name: string, count = 30) =>
    Array.from({ length: count }, (_, i) => `    const ${name}${i} = this.read(${i}) + offset;`).join('\n');

  const method = (name: string, words: string) => `  ${name}(offset: number) {
    // ${words}
${filler(name)}
  }
`;

  const repo = createRepo();
  repo.commit({
    'src/mill.ts': `import { grain } from './grain.js';

class Mill {
${method('grind', 'grain is ground to flour by the mill stone')}
${method('sift', 'flour of the mill is sifted, grain and stone stay')}
${method('pack', 'flour of the mill and its grain are packed')}
${method('sweep', 'floors')}
}
`,
    'src/flour-mill-grain.ts': 'export const flourMillGrain = 1;\n',
  });
  let shop: Process;
  before(async () => {
    shop = await Process.open(repo);
  });
  after(() => shop.close());

  const search = (query: string, limit: number, filters = {}) => shop.search(query, { limit, ...filters });
  const ofMill = async (limit: number, query = 'where is grain of the mill made flour by a stone') => {
    const { results } = await search(query, limit);
    const found = results.find(({ path }) => path === 'src/mill.ts');
    assert.ok(found);
    return found;
  };

  test('the next two parts of a file are named, neither what is shown nor what has none of the words', async () => {
    const shown = await ofMill(2);
    const named: (string | null)[] = shown.also?.map(({ symbol }) => symbol) ?? [];
    assert.equal(named.length, 2);
    for (const each of ['Mill.sweep', shown.symbol]) assert.ok(!named.includes(each), named.join());
    for (const { startLine, endLine } of shown.also ?? []) assert.ok(startLine < endLine);
  });

  test('a part that is a result of its own is not named again', async () => {
    const { results } = await search('where is grain of the mill made flour by a stone', 10);
    const shown = results.filter(({ path }) => path === 'src/mill.ts').map(({ symbol }) => symbol);
    const named = results.flatMap(({ also = [] }) => also.map(({ symbol }) => symbol));
    assert.deepEqual(
      named.filter((symbol) => shown.includes(symbol)),
      [],
    );
  });

  test('a query that is one name has its answer, and nothing beside it', async () => {
    const { results } = await search('grind', 1);
    assert.equal(results[0].also, undefined);
  });

  test('parts that a filter leaves out are not named', async () => {
    const { results } = await search('where is grain of the mill made flour by a stone', 1, { kind: ['class'] });
    assert.deepEqual(
      results.flatMap(({ also = [] }) => also),
      [],
    );
  });

  test('names are written without what they share with the name of the result', () => {
    const also = [
      { symbol: 'Mill.sift', startLine: 40, endLine: 70 },
      { symbol: 'Miller.pack', startLine: 90, endLine: 99 },
    ];
    const place = { path: 'src/mill.ts', startLine: 5, endLine: 30, language: 'typescript' };
    const result = { ...place, kind: 'method', score: 1, content: 'grind() {}\n' };
    const plain = (text: string) => text;
    const pen = {
      path: plain,
      symbol: plain,
      dim: plain,
      line: plain,
      match: plain,
      words: { whole: '', noResults: '' },
    };
    const write = (symbol: string) =>
      resultsText(
        {
          ...{ ref: 'HEAD', coverage: { covered: 1, total: 1 }, dirty: 0, overlay: 0 },
          results: [{ ...result, symbol, also }],
        },
        { pen: pen as never, matches: () => [], lines: 0, compact: true },
      );
    assert.match(write('Mill.grind'), /^also 40 sift, 90 Miller\.pack$/m);
    assert.match(write('Mill'), /^also 40 sift, 90 Miller\.pack$/m);
  });
});
