/** Linked snapshots as bytes: what is written is read again, and nothing else is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Graph } from '../../../src/graph/graph.js';
import { decodeMemory, decodeTables, encodeMemory, encodeTables } from '../../../src/graph/store.js';
import { bytesKept } from '../../support/held-memory.js';
import { link } from '../link/project.js';

const PROJECT = {
  'src/ä.ts': `import { total } from './b'; export class Cart { add() { total('/käse'); this.add(); } }`,
  'src/b.ts': 'export function total(a) { return a; }',
  'b.py': 'import os\n\ndef total():\n    os.getcwd()\n',
  'README.md': '# Shop',
};
const linked = link(PROJECT);

test('a linked snapshot is read as it was written, and serves as the previous one for linking', () => {
  const tables = decodeTables(encodeTables(linked.tables));
  assert.deepEqual(tables, linked.tables);
  const memory = decodeMemory(encodeMemory(linked.memory));
  const changed = { ...PROJECT, 'src/b.ts': 'export function total() {}\nexport class Extra {}' };
  assert.deepEqual(link(changed, { tables, memory }).tables, link(changed).tables);
});

test('the same snapshot gives the same bytes', () => {
  const again = link(PROJECT);
  assert.deepEqual(encodeTables(again.tables), encodeTables(linked.tables));
  assert.deepEqual(encodeMemory(again.memory), encodeMemory(linked.memory));
});

/** Walks everything that a query may walk. */
function walk(bytes: Buffer): void {
  const graph = new Graph(decodeTables(bytes));
  for (let node = 0; node < graph.nodeCount; node++) {
    graph.qualifiedName(node);
    graph.kind(node);
    graph.path(node);
    for (const edge of graph.incoming(node)) graph.edge(edge);
  }
}

test('damaged bytes are refused or give a valid graph', () => {
  const tables = encodeTables(linked.tables);
  const memory = encodeMemory(linked.memory);
  const refused = { code: 'SHARD_CORRUPT' };
  let harmless = 0;
  for (const [bytes, read] of [
    [tables, walk],
    [memory, decodeMemory],
  ] as const) {
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const damaged = Buffer.from(bytes);
        damaged[at] ^= flip;
        try {
          read(damaged);
          harmless++;
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'SHARD_CORRUPT', `byte ${at}: ${error}`);
        }
      }
    }
    // What is cut off the end can be padding.
    for (let length = 0; length < bytes.length - 8; length += 7) {
      assert.throws(() => read(Buffer.from(bytes.subarray(0, length))), refused, `cut at ${length}`);
    }
  }
  assert.ok(harmless > 0, 'a letter of a name is nobody else to judge');
  assert.throws(() => decodeTables(memory), refused);
});

test('what is known of a file beside its text is read as it was written', () => {
  const { files, ...columns } = linked.tables;
  const marks = [{ isGenerated: true }, { isIncomplete: true }, { isGenerated: true, isIncomplete: true }, {}] as const;
  const marked = { files: files.map((file, i) => ({ ...file, ...marks[i % marks.length] })), ...columns };
  assert.deepEqual(decodeTables(encodeTables(marked)).files, marked.files);
});

test('a cache that knows a blob of a linked snapshot keeps no other blob in memory', async () => {
  const files = Array.from({ length: 1_000 }, (_, i) => [`f${i}.py`, `x${i} = 1\n`]);
  const bytes = encodeTables(link(Object.fromEntries(files)).tables);
  assert.ok((await bytesKept(() => decodeTables(bytes).files[500].oid)) < 10_000);
});
