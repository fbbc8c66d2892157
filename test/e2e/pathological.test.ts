/** S4: files that make parsers hang or crash cost one child each, are reported, and leave no process behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexReport, SearchResponse, StatusReport } from '../../src/engine/contract.js';
import { cliJson } from '../support/cli.js';
import { createRepo } from '../support/repo.js';
import { PROJECT } from '../support/samples.js';

function randomText(length: number): string {
  let seed = 1;
  const out = Buffer.alloc(length);
  for (let i = 0; i < length; i++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    out[i] = 32 + ((seed >> 8) % 95);
    if (i % 97 === 96) out[i] = 10;
  }
  return out.toString('latin1');
}

const FILES: Record<string, string> = {
  'random.ts': randomText(1_000_000),
  'nested.html': '<div>'.repeat(100_000),
  'parentheses.js': `${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
  'oneline.js': `var a=${'b+'.repeat(450_000)}1;`,
  'brackets.json': '['.repeat(200_000),
  'ternary.py': `x = ${'1 if a else '.repeat(30_000)}2`,
  'toolarge.ts': `// ${'x'.repeat(2_000_000)}`,
};

test('pathological files: bounded time, reported, still searchable by words', { timeout: 120_000 }, async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...FILES, 'marker.ts': 'export function besideThePathological(): void {}\n' });
  const started = performance.now();
  const report = await cliJson<IndexReport>(['index'], { cwd: repo.dir });
  const seconds = (performance.now() - started) / 1000;
  assert.ok(seconds < 45, `${seconds} s`);
  assert.equal(report.skipped['too-large'], 1);
  assert.equal(report.files, Object.keys(PROJECT).length + Object.keys(FILES).length);
  const reasons = Object.keys(report.degraded);
  assert.ok(
    reasons.length > 0 && reasons.every((reason) => /^(parse-timeout|parse-crash|record-too-large)$/.test(reason)),
  );
  const found = await cliJson<SearchResponse>(['search', 'besideThePathological'], { cwd: repo.dir });
  assert.equal(found.results[0].path, 'marker.ts');
  const again = await cliJson<IndexReport>(['index'], { cwd: repo.dir });
  assert.deepEqual([again.new, again.bytesAdded, again.degraded], [0, 0, report.degraded]);
  const status = await cliJson<StatusReport>(['status'], { cwd: repo.dir });
  assert.deepEqual(status.degraded, report.degraded);
  assert.equal(repo.notes().size, report.blobs - 1 - Object.values(report.degraded).reduce((a, b) => a + b, 0));
});
