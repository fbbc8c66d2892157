/** Beside a result stand the parts of its file that fit next best, so that a reader whose question meant one of them need not search again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { resultsText } from '../../src/questions/results/text.js';
import { Process } from '../support/in-process/search.js';
import { createRepo } from '../support/repositories/repo.js';

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

export class Mill {
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
  const result = { path: 'src/mill.ts', startLine: 5, endLine: 30, language: 'typescript', kind: 'method', score: 1 };
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
