/** Risk that follows from what dangles: with numbers, and never low where names are still mentioned. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { riskOfBoth } from '../../../../src/graph/query/impact.js';
import type { DanglingUse } from '../../../../src/questions/graph/changes/output.js';

const LOW = { level: 'low' as const, reasons: ['exported'] };

function use(certainty: DanglingUse['certainty'], line: number): DanglingUse {
  const was = { path: 'a.ts', symbol: 'f', kind: 'function' as const };
  return { path: `b${line % 3}.ts`, line, symbol: null, kind: 'call', text: 'f', certainty, was, how: 'removed' };
}

const risk = (certainty: DanglingUse['certainty'], count: number) => {
  const dangling = Array.from({ length: count }, (_, i) => use(certainty, i + 1));
  return riskOfBoth(LOW, LOW, { dangling, mismatches: [], isLost: false });
};

test('one certain use makes it high, ten critical; likely and possible ones weigh less', () => {
  assert.equal(risk('certain', 1).level, 'high');
  assert.equal(risk('certain', 10).level, 'critical');
  assert.deepEqual(risk('certain', 12).reasons, ['12 certain dangling uses in 3 files', 'exported']);
  assert.deepEqual([risk('likely', 1).level, risk('likely', 10).level], ['medium', 'high']);
  assert.deepEqual([risk('possible', 1).level, risk('possible', 59).level], ['medium', 'high']);
});

test('what used it before counts as well as what uses it now', () => {
  const before = { level: 'critical' as const, reasons: ['60 direct users'] };
  const { level, reasons } = riskOfBoth(LOW, before, { dangling: [], mismatches: [], isLost: false });
  assert.deepEqual([level, reasons], ['critical', ['before: 60 direct users']]);
});

test('tests that reached it before are told where none reaches it now, though the level is the same', () => {
  const [now, before] = ['no test is known to reach it', '72 test files reach it'].map((reason) => ({
    ...LOW,
    reasons: [reason],
  }));
  const reasons = (isLost: boolean) => riskOfBoth(now, before, { dangling: [], mismatches: [], isLost }).reasons;
  assert.deepEqual(reasons(true), ['before: 72 test files reach it']);
  assert.deepEqual(reasons(false), ['no test is known to reach it']);
});
