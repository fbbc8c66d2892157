/** Which pairs of a removed and an added symbol are one with another name, and who counts as an owner of what changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract } from '../../src/extract/extract.js';
import { mainOwners } from '../../src/history/change-log.js';
import { findRenames } from '../../src/history/file-versions.js';
import { diffSymbols, FileDigest } from '../../src/history/symbol-diff.js';
import { loadRules } from '../../src/languages/registry.js';

await loadRules('typescript');

function digest(text: string) {
  const extraction = extract(Buffer.from(text), 'typescript');
  assert.ok('facts' in extraction);
  return new FileDigest(Buffer.from(text), extraction.facts);
}

async function renames(before: string, after: string): Promise<string[]> {
  const placed = diffSymbols(digest(before), digest(after)).changes.map((change) => ({
    path: 'a.ts',
    oid: change.type === 'removed' ? before : after,
    change,
  }));
  const source = {
    unreadable: new Set<string>(),
    bytes: async (oid: string) => Buffer.from(oid),
    facts: async () => null,
  };
  const found = await findRenames(placed, source);
  return found.map(({ from, to }) => `${from.change.symbol.symbol} ${to.change.symbol.symbol}`);
}

const HOLDER =
  'type Holder = Socket & {\n  timings?: {\n    dns: number;\n    tcp: number;\n    tls?: number;\n  };\n};\n';
const TIMINGS = 'type Timings = {\n  dns: number;\n  tcp: number;\n  tls?: number;\n};\n';

test('a type with another name and an edited member is renamed; one that was the type of its member is not', async () => {
  const edited = TIMINGS.replace('Timings', 'Phases').replace('tls?', 'tls');
  assert.deepEqual(await renames(TIMINGS, edited), ['Timings Phases']);
  assert.deepEqual(await renames(HOLDER, TIMINGS), []);
});

test('owners are those who made most of it, and nobody with next to nothing', () => {
  const owners = (...shares: number[]) => shares.map((share) => ({ author: '', commits: 1, share, last: null }));
  assert.equal(mainOwners(owners(0.55, 0.25, 0.05, 0.05, 0.05, 0.05)), 2);
  assert.equal(mainOwners(owners(0.5, 0.2, 0.05, ...Array(25).fill(0.01))), 3);
  assert.equal(mainOwners(owners(...Array(100).fill(0.01))), 1);
  assert.equal(mainOwners(owners(...Array(20).fill(0.05))), 5);
  assert.equal(mainOwners([]), 0);
});
