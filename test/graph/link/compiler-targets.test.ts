/** Linking with what compilers told: it decides, whatever text says, and relinking gives what linking everything gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Graph } from '../../../src/graph/graph.js';
import { linkSnapshot } from '../../../src/graph/link/link-snapshot.js';
import { factsKey, type LinkedSnapshot, type LinkInput } from '../../../src/graph/tables.js';
import type { CompilerOccurrence } from '../../../src/record/format.js';
import { encodeOccurrences } from '../../../src/record/store.js';
import { edgeLines, inputOf } from './project.js';

interface Told {
  text: string;
  /** Meaning of each name by its number in the text, 0 for one that the compiler does not know; null without a record. */
  meanings: readonly number[] | null;
}
type Project = Readonly<Record<string, Told>>;

const NAME = /\b(?:total|load|Cart)\b/g;

function occurrencesOf({ text, meanings }: Told): CompilerOccurrence[] {
  const found: CompilerOccurrence[] = [];
  text.split('\n').forEach((written, i) => {
    for (const { 0: name, index } of written.matchAll(NAME)) {
      const moniker = meanings?.[found.length % Math.max(1, meanings.length)] ?? 0;
      const before = written.slice(0, index);
      const flags = { isDefinition: /(?:function|class) $/.test(before), isMember: before.endsWith('.') };
      found.push({ line: i + 1, column: index, name, moniker, ...flags, isWrite: false, isLocal: moniker === 1 });
    }
  });
  return found.filter(({ moniker }) => moniker !== 0);
}

function inputWith(project: Project, previous: LinkedSnapshot | null): LinkInput {
  const texts = Object.fromEntries(Object.entries(project).map(([path, { text }]) => [path, text]));
  const input = inputOf(texts, null);
  const facts = new Map<string, NonNullable<ReturnType<(typeof input.facts)['get']>>>();
  const files = input.files.map((file) => {
    const found = input.facts.get(factsKey(file));
    const told = project[file.path];
    if (found === undefined) return file;
    const compiled = told.meanings === null ? undefined : noteId(told.meanings);
    const named = compiled === undefined ? file : { ...file, compiled };
    const bytes = compiled === undefined ? {} : { compiled: encodeOccurrences({ occurrences: occurrencesOf(told) }) };
    facts.set(factsKey(named), { ...found, ...bytes });
    return named;
  });
  return { ...input, files, facts: previous === null ? facts : new Map(facts) };
}

const noteId = (meanings: readonly number[]) => meanings.join('').padEnd(40, 'a');
const linked = (project: Project, previous: LinkedSnapshot | null = null) =>
  linkSnapshot(inputWith(project, previous), previous);

const line = fc.constantFrom(
  ...[
    'export function total() { load(); }',
    'export class Cart { load() { this.total(); } }',
    'a.total(b.load(), total);',
  ],
  ...["import { Cart, load } from './b.js';", 'export function load(total) { return new Cart(total).load(); }', ''],
);
const meanings = fc.option(fc.array(fc.nat(9), { maxLength: 6 }), { nil: null, freq: 2 });
const file: fc.Arbitrary<Told> = fc.record({
  text: fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n')),
  meanings,
});
const path = fc.constantFrom('a.js', 'b.js', 'lib/c.js');
const edit = fc.oneof(
  fc.record({ path, told: fc.record({ meanings }) }),
  fc.record({ path, told: fc.record({ text: file.map(({ text }) => text) }) }),
  fc.record({ path, told: file }),
);

test('relinking after a change of files or records gives what linking everything gives', () => {
  const imports = file.map((told) => ({
    ...told,
    text: `import { Cart, load, total } from './b.js';\n${told.text}\nload();`,
  }));
  const start = fc.record({ 'a.js': imports, 'b.js': file });
  fc.assert(
    fc.property(start, fc.array(edit, { minLength: 1, maxLength: 4 }), (first, edits) => {
      let project: Project = first;
      let previous = linked(project);
      for (const { path: changed, told } of edits) {
        project = { ...project, [changed]: { ...(project[changed] ?? { text: '', meanings: null }), ...told } };
        previous = linked(project, previous);
        assert.deepEqual(previous.tables, linked(project).tables);
      }
    }),
    { numRuns: 200 },
  );
});

test('the compiler decides between definitions, also against the text', () => {
  const a = 'export function total() {}\nexport function load() {}\n';
  const use = "import { total } from './a.js';\ntotal();\nx.y.load();\n";
  const without = edgeLines(
    new Graph(linked({ 'a.js': { text: a, meanings: null }, 'use.js': { text: use, meanings: null } }).tables),
  );
  assert.ok(without.includes('use.js call a.js:total (imported)'));
  // Names in order: `total` of the import, the call of `total`, which is `load`, and the call of `load`, which is from elsewhere.
  const told = { 'a.js': { text: a, meanings: [2, 3] }, 'use.js': { text: use, meanings: [2, 3, 4] } };
  const lines = edgeLines(new Graph(linked(told).tables)).filter((it) => it.includes(' call '));
  assert.deepEqual(lines, ['use.js call a.js:load (compiler)', 'use.js call ?load (external)']);
});

test('a call beside a parameter of its name means what its text leads to; if all names on the line mean one thing, that', () => {
  const a = 'export function total() {}\nexport function load() {}\n';
  // Text tells of the call alone: the parameter is no symbol.
  const use = "import { total } from './a.js';\nconst same = (total) => total; total();\n";
  const led = (...meanings: [parameter: number, read: number, call: number]) => {
    const told = { 'a.js': { text: a, meanings: [2, 3] }, 'use.js': { text: use, meanings: [2, ...meanings] } };
    return edgeLines(new Graph(linked(told).tables)).filter((it) => / call /.test(it));
  };
  assert.deepEqual(led(1, 1, 2), ['use.js call a.js:total (compiler)']);
  assert.deepEqual(led(3, 3, 2), ['use.js call a.js:total (compiler)']);
  assert.deepEqual(led(3, 3, 3), ['use.js call a.js:load (compiler)']);
});
