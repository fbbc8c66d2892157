/** How answers about the graph look: trees, what was cut, and that text of the repository stays text. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createProgram, loadCommands } from '../../../src/cli/program.js';
import { flowText } from '../../../src/questions/graph/flow/answer.js';
import type { GraphFlowResponse } from '../../../src/questions/graph/flow/question.js';
import { renderFooter, usesSection, VERBS } from '../../../src/questions/graph/graph-text.js';
import { outlineText } from '../../../src/questions/graph/outline/answer.js';
import type { GraphOutlineResponse } from '../../../src/questions/graph/outline/question.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { blockLines } from '../../../src/questions/view.js';

const stream = new PassThrough();
const io = { stdout: stream, stderr: stream, stdin: stream, env: {} };
const pen = plainPen(COMMAND_WORDS);
const HEADER = {
  schemaVersion: 1 as const,
  ...{ ref: 'HEAD', commit: null, coverage: { covered: 1, total: 1 }, dirty: 0, overlay: 0 },
};

type Node = GraphFlowResponse['tree']['list'][number];
const node = (depth: number, symbol: string, rest: Partial<Node> = {}): Node => ({
  ...{ path: 'a.ts', symbol, kind: 'function', exported: true, startLine: 1, endLine: 2, depth, line: 1 },
  ...{ use: 'call', confidence: 1, external: 0, unresolved: 0 },
  ...rest,
});

test('a tree has bars where sisters follow, corners at the last', () => {
  const list = [
    node(0, 'a'),
    node(1, 'b'),
    node(2, 'c'),
    node(3, 'd'),
    node(2, 'e'),
    node(1, 'f'),
    node(2, 'g', { seen: 'above' }),
  ];
  const flow = { ...HEADER, target: 'a', others: 0, depth: 3, reached: 6, tree: { list, leftOut: 2 } };
  const lines = flowText(flow, { pen }).split('\n');
  assert.deepEqual(
    lines.slice(0, 8).map((line) => line.replace(/ {2}a\.ts:1/, '')),
    [
      'a',
      '├─ b',
      '│  ├─ c',
      '│  │  └─ d',
      '│  └─ e',
      '└─ f',
      '   └─ g  (its calls are listed above)',
      '  … 2 more: raise --limit',
    ],
  );
});

test('the footer says what is missing and which state it is about', () => {
  assert.equal(renderFooter(HEADER, pen), '');
  const partial = { ...HEADER, coverage: { covered: 1, total: 3 }, dirty: 2 };
  assert.match(
    renderFooter(partial, pen),
    /partial: 1 of 3 files are known\n2 uncommitted files not looked at: this is HEAD/,
  );
  assert.match(renderFooter({ ...HEADER, dirty: 2, overlay: 1 }, pen), /1 uncommitted file included, 1 left out/);
});

test('the group loads the question that is asked and no other', async () => {
  const names = async (...args: string[]) => {
    const program = createProgram(io, () => {}, await loadCommands(args));
    return program.commands.flatMap((command) => command.commands.map((each) => each.name()));
  };
  assert.deepEqual(await names('graph', 'deps', 'a.ts'), ['deps']);
  assert.ok((await names('-C', 'x', 'graph')).length > 9);
});

test('an outline tells what is exported in full, fields on shared lines, the rest by name', () => {
  const symbol = (name: string, kind: string, line: number, more: object = {}) => ({
    ...{ name, kind, exported: true, depth: 0, startLine: line, endLine: line, signature: name },
    ...more,
  });
  const long = `export async function send(${'a: number, '.repeat(20)}): Promise<void>`;
  const file = {
    ...{ path: 'a.ts', language: 'typescript', lines: 40, bytes: 1000, degraded: false, leftOut: 0 },
    symbols: [
      symbol('Options', 'interface', 1, { endLine: 4, signature: 'export interface Options' }),
      symbol('from', 'property', 2, { depth: 1, signature: 'from: string' }),
      symbol('to', 'property', 3, { depth: 1, signature: 'to?: string' }),
      symbol('LIMIT', 'constant', 6, { exported: false, signature: 'const LIMIT' }),
      symbol('inner', 'function', 8, { exported: false, endLine: 9, signature: 'function inner()' }),
      symbol('run', 'function', 11, { endLine: 20, signature: 'export function run(options: Options): void' }),
      symbol('send', 'function', 22, { signature: long }),
    ],
  } as GraphOutlineResponse['files'][number];
  const shown = (style = {}) =>
    outlineText({ ...HEADER, files: [file] }, { pen, values: { maxTokens: 4_000, ...style } })
      .split('\n')
      .slice(1, -1);
  const lines = shown();
  assert.deepEqual(lines.slice(0, 4), [
    ' 1-4 interface Options',
    '  from: string; to?: string',
    ' 6 LIMIT, 8-9 inner',
    ' 11-20 run(options: Options): void',
  ]);
  assert.match(lines[4], /^ 22 send\(a: number, .*…\): Promise<void>$/);
  assert.ok(lines[4].length < 110);
  assert.ok(shown({ all: true }).includes(' 8-9 inner()'));
});

test('uses of one symbol share a line, and verbs are English', () => {
  const use = { path: 'a.ts', endLine: 1, symbol: 'f', kind: 'call', tier: 'imported', confidence: 1, text: 'g' };
  const uses = { list: [1, 2, 5].map((line) => ({ ...use, line })), leftOut: 0 } as Parameters<typeof usesSection>[1];
  assert.deepEqual(blockLines([usesSection('uses', uses, { isBare: true })], pen), ['  a.ts', '    1, 2, 5 f  g']);
  assert.deepEqual([VERBS.implements, VERBS.reexport], ['implements', 're-exports']);
});
