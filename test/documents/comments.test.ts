/** Comments of files that nobody wrote by hand: many of them, and signatures as long as files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readComments } from '../../src/documents/comments.js';
import type { CodeSymbol } from '../../src/extract/facts.js';
import { cpuTimer } from '../support/processes/cpu-time.js';

function symbol(name: string, doc: [number, number], signature: [number, number]): CodeSymbol {
  const [range, of] = [doc, signature].map(([start, end]) => ({ start, end }));
  return { name, container: -1, startLine: 1, doc: range, signature: of } as CodeSymbol;
}

test('many comments take time as their file is long: each says its own line', async () => {
  const count = 20_000;
  const symbols: CodeSymbol[] = [];
  let text = '';
  for (let i = 0; i < count; i++) {
    const start = text.length;
    const doc = `/** See \`name${i}\`. */\n`;
    text += `${doc}function f() {}\n`;
    symbols.push(symbol('f', [start, start + doc.length - 1], [start + doc.length, start + doc.length + 12]));
  }
  const spent = cpuTimer();
  const { mentions } = await readComments(Buffer.from(text), symbols);
  const cpu = spent();
  const last = mentions.at(-1);
  assert.deepEqual([mentions.length, last?.text, last?.line], [count, `name${count - 1}`, 2 * count - 1]);
  // Usually .4 s; counting lines anew for each comment took ten times as much.
  assert.ok(cpu < 4_000, `${cpu} ms`);
});

test('parameters are no mentions, however long a signature is', async () => {
  const doc = `/** ${'`first` `other_thing` '.repeat(800)}*/\n`;
  const signature = `f(first, ${'x, '.repeat(300_000)})`;
  const end = doc.length + signature.length;
  const symbols = [symbol('f', [0, doc.length - 1], [doc.length, end])];
  const { mentions } = await readComments(Buffer.from(doc + signature), symbols);
  assert.deepEqual([...new Set(mentions.map(({ text }) => text))], ['other_thing']);
});
