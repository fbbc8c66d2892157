import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { PHASES, type Phase, partition } from '../../src/base/progress.js';
import { ROOT } from '../house/root.js';
import { cli } from '../support/processes/cli.js';
import { shop } from '../support/repositories/shop.js';

test('times of phases that overlap sum up to the time in which any of them ran', () => {
  const names = Object.keys(PHASES) as Phase[];
  const span = fc
    .tuple(fc.constantFrom(...names), fc.nat(60), fc.nat(60), fc.boolean())
    .map(([phase, from, length, isOpen]) => ({ phase, from, to: isOpen ? null : from + length }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const end = 200;
      const covered = Array.from({ length: end }, (_, at) => at).filter((at) =>
        spans.some(({ from, to }) => from <= at && at < (to ?? end)),
      );
      const times = partition(spans, end);
      const sum = [...times.values()].reduce((one, other) => one + other, 0);
      assert.equal(sum, covered.length);
      for (const name of times.keys()) assert.ok(spans.some(({ phase }) => phase === name));
    }),
  );
});

test('the time of a phase excludes the phases that begin inside it', () => {
  const spans = [
    { phase: 'answer', from: 0, to: 10 },
    { phase: 'corpus', from: 2, to: 6 },
    { phase: 'rank', from: 4, to: 5 },
  ] as const;
  assert.deepEqual([...partition(spans, 12)].sort(), [
    ['answer', 6],
    ['corpus', 3],
    ['rank', 1],
  ]);
});

test('-v says on stderr where the time went, and the answer stays the same', async () => {
  const { dir: cwd } = shop();
  await cli(['index'], { cwd });
  const answers: string[] = [];
  for (const [args, expected] of [
    [
      ['search', 'total'],
      ['start', 'open', 'corpus', 'words', 'rank', 'text', 'write'],
    ],
    [
      ['grep', 'total'],
      ['open', 'files', 'lines', 'text'],
    ],
    [
      ['graph', 'impact', 'total'],
      ['open', 'snapshot', 'graph'],
    ],
  ] as const) {
    const told = await cli(['-v', ...args, '--json'], { cwd });
    const table = new Map(
      [...told.stderr.matchAll(/^ {2}(\w+) +([\d.]+) ms$/gm)].map(([, name, time]) => [name, Number(time)]),
    );
    for (const name of expected) assert.ok(table.has(name), `${args.join(' ')}: no ${name} in\n${told.stderr}`);
    const total = table.get('total') as number;
    table.delete('total');
    const sum = [...table.values()].reduce((one, other) => one + other, 0);
    // Each line is rounded to a tenth.
    assert.ok(Math.abs(sum - total) <= 0.1 * table.size, `${sum} of ${total}`);
    assert.ok((table.get('other') as number) >= 0);
    answers.push(told.stdout);
  }
  const quiet = await cli(['grep', 'total', '--json'], { cwd });
  assert.equal(answers[1], quiet.stdout);
  assert.doesNotMatch(quiet.stderr, /where the time went/);
});

test('the manual explains every phase', () => {
  const page = readFileSync(new URL('docs/cli.md', ROOT), 'utf8');
  for (const [name, what] of Object.entries(PHASES)) assert.ok(page.includes(`| \`${name}\` | ${what} |`), name);
});
