/** Which chunk of a file comes first: the definition that a description describes, or the lines that a change is about. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
