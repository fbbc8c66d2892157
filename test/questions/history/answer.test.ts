/** How histories read: names of sections. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyText } from '../../../src/questions/history/answer.js';
import type { HistoryResponse } from '../../../src/questions/history/question.js';
import { PLAIN } from '../../support/in-process/document.js';

function headOf(symbol: string, kind: string): string {
  const result = { path: 'a.md', symbol, kind, present: true, paths: ['a.md'], events: [] };
  const more = { firstAppeared: null, lastChanged: null, disappeared: null, startLine: 1, endLine: 1 };
  const window = { commits: 1, complete: true, oldest: null, end: null };
  const versions = { examined: 1, leftOut: 0, unreadable: 0 };
  const document = { kind: 'symbol', query: 'x', window, versions, results: [{ ...result, ...more }] };
  const response = { ...document, resultsLeftOut: 0 } as unknown as HistoryResponse;
  return historyText(response, { pen: PLAIN.pen, values: {}, isCommand: true }).split('\n')[0];
}

test('versions that were left out are counted by their reasons: too many of them, or no time', () => {
  const footerOf = (versions: HistoryResponse['versions']) => {
    const window = { commits: 1, complete: true, oldest: null, end: 'root' };
    const document = { kind: 'symbol', query: 'x', window, versions, results: [], resultsLeftOut: 0 };
    return historyText(document as unknown as HistoryResponse, { pen: PLAIN.pen, values: {}, isCommand: true });
  };
  const both = footerOf({ examined: 9, leftOut: 5, unreadable: 0, outOfTime: 2 });
  assert.match(both, /^3 file versions not looked into: too many/m);
  assert.match(both, /^2 file versions not looked into: out of time, .* asking again goes on/m);
  const late = footerOf({ examined: 9, leftOut: 2, unreadable: 0, outOfTime: 2 });
  assert.doesNotMatch(late, /too many/);
  assert.doesNotMatch(footerOf({ examined: 9, leftOut: 5, unreadable: 0 }), /out of time/);
});

test('of a section below many headings the last ones are named; names of code stand whole', () => {
  const above = 'Upgrading from 0.3 to 1.0.What you have to know before you begin. All of it';
  assert.equal(headOf(`${above}.Migrations`, 'section'), 'a.md  … Migrations  section  present');
  assert.equal(headOf('Guide.Options.Files', 'section'), 'a.md  Guide.Options.Files  section  present');
  assert.equal(
    headOf(`${above}.Drivers.Version 2.0 and later`, 'section'),
    'a.md  … Drivers.Version 2.0 and later  section  present',
  );
  assert.equal(headOf('x'.repeat(90), 'section'), `a.md  ${'x'.repeat(60)}…  section  present`);
  const method = `${'Outer.'.repeat(12)}total`;
  assert.equal(headOf(method, 'method'), `a.md  ${method}  method  present`);
});
