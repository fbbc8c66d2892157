/** `conflicts`: which changes of this side count, and what is left out. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answerConflicts, conflictsText, freshOf } from '../../../src/questions/conflicts/answer.js';
import {
  type BranchOverlap,
  type ConflictsDocument,
  type ConflictsValues,
  conflictsSchema,
  type PlanDocument,
} from '../../../src/questions/conflicts/question.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { Session } from '../../../src/session/session.js';
import { MERGES } from '../../../src/session/state-kinds.js';
import { check } from '../../support/check.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

const CODE = 'export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n';

const repo = createRepo();
repo.commit({ 'a.ts': CODE });
repo.git('checkout', '-q', '-b', 'other');
repo.commit({ 'a.ts': CODE.replace('return 1', 'return 10') });
repo.git('checkout', '-q', '-b', 'merged', 'main');
repo.git('checkout', '-q', 'main');
repo.write({ 'a.ts': CODE.replace('return 1', 'return 11') });

const session = await Session.open({ directory: repo.dir });
after(() => session.close());

const ask = async (values: Partial<ConflictsValues>): Promise<ConflictsDocument> =>
  check(conflictsSchema, await answerConflicts(askerOf(session), { maxAge: 90, ...values } as ConflictsValues));

const found = ({ uncommitted, branches }: ConflictsDocument) => [
  uncommitted,
  branches.list.map(({ name, overlap, symbols }) => [name, overlap, symbols.list.map(({ symbol }) => symbol)]),
];

test('uncommitted changes count, unless a ref is asked about or they are to be left out', async () => {
  assert.deepEqual(found(await ask({})), [1, [['other', 'merge', ['one']]]]);
  assert.deepEqual(found(await ask({ committed: true })), [0, []]);
  assert.deepEqual(found(await ask({ ref: 'main' })), [0, []]);
});

test('a branch that is named is listed even where nothing is in common', async () => {
  assert.deepEqual(found(await ask({ branch: ['other'], ref: 'main' })), [0, [['other', 'none', []]]]);
  const { compared, clean, leftOut } = await ask({ committed: true });
  assert.deepEqual([compared, clean, leftOut.merged], [1, 1, 0]);
});

test('what this side changed counts since it parted from each branch, not from another one', async () => {
  const parted = createRepo();
  parted.commit({ 'a.ts': CODE });
  const branch = (name: string) => {
    parted.git('checkout', '-q', '-b', name, 'main');
    parted.commit({ [`${name}.ts`]: CODE });
    parted.git('checkout', '-q', 'main');
  };
  branch('early');
  parted.commit({ 'b.ts': CODE });
  branch('late');
  parted.commit({ 'c.ts': CODE });
  const other = await Session.open({ directory: parted.dir });
  after(() => other.close());
  const values = { maxAge: 90, branch: ['early', 'late'] } as ConflictsValues;
  const { branches } = check(conflictsSchema, await answerConflicts(askerOf(other), values));
  assert.deepEqual(branches.list.map(({ name, files }) => [name, files.mine]).sort(), [
    ['early', 2],
    ['late', 1],
  ]);
});

test('a finding that is known of one branch is new of another', () => {
  const of = (name: string) =>
    ({
      ...{ name, merge: { list: [{ path: 'a.ts', kind: 'content' }] } },
      ...{ symbols: { list: [] }, uses: { list: [] } },
    }) as unknown as BranchOverlap;
  const known = new Set<string>();
  assert.equal(freshOf(of('one'), new Set(), known)?.merge.list.length, 1);
  assert.equal(freshOf(of('one'), known, new Set()), null);
  assert.equal(freshOf(of('two'), known, new Set())?.merge.list.length, 1);
});

test('git merges two commits by trial once, and again where its attributes changed', async () => {
  const conflicts = async () =>
    (await ask({})).branches.list.flatMap(({ merge }) => merge.list.map(({ path }) => path));
  assert.deepEqual(await conflicts(), ['a.ts']);
  const decode = ({ content }: { content: Buffer }) => JSON.parse(content.toString('utf8'));
  const kept: [string, { conflicts: { path: string }[] }][] = session.state.read(MERGES, '', decode) ?? [];
  const path = 'remembered.ts';
  const marked = kept.map(([key, verdict]) => [
    key,
    { ...verdict, conflicts: verdict.conflicts.map((one) => ({ ...one, path })) },
  ]);
  session.state.write(MERGES, '', Buffer.from(JSON.stringify(marked)));
  assert.deepEqual(await conflicts(), [path]);
  repo.write({ '.git/info/attributes': '*.ts merge=union\n' });
  assert.deepEqual(await conflicts(), []);
  repo.write({ '.git/info/attributes': '', '.gitattributes': '*.ts merge=union\n' });
  assert.deepEqual(await conflicts(), []);
});

test('where names are left out of a line, it says how many, and nothing where all are shown', () => {
  const pen = plainPen(COMMAND_WORDS);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const step = { name: 'x', kind: 'branch', commit: 'c', uncommitted: 0, files: 1, breaks: 1, conflicts: 0 } as const;
  const plan = (count: number): PlanDocument => {
    const known = names.slice(0, count);
    const files = known.map((path) => ({ path, kind: 'content' }));
    const list = <T>(...all: T[]) => ({ list: all, leftOut: 0 });
    const order = list({ ...step, with: known });
    const pairs = { all: 1, linked: 0, leftOut: 0 };
    const rest = { clean: 0, breaks: list(), conflicts: list({ a: 'x', b: 'y', files }), pairs, unknown: [] };
    return { order, ...rest } as unknown as PlanDocument;
  };
  const linesOf = (count: number) => {
    const lines = conflictsText(plan(count), { pen, isCommand: false }).split('\n');
    return ['  1. ', 'x x and y '].map((start) => lines.find((line) => line.startsWith(start))?.slice(start.length));
  };
  const found = 'x  1 use breaks with';
  const both = 'do not merge:';
  assert.deepEqual(linesOf(1), [`${found} a  (1 file)`, `${both} a (content)`]);
  const four = `${both} a (content), b (content), c (content), d (content)`;
  assert.deepEqual(linesOf(4), [`${found} a, b, c, d  (1 file)`, four]);
  assert.deepEqual(linesOf(5), [`${found} a, b, c, d and 1 more  (1 file)`, `${four} and 1 more`]);
  assert.deepEqual(linesOf(6), [`${found} a, b, c, d and 2 more  (1 file)`, `${four} and 2 more`]);
});

test('a file that does not merge, and uses of changed bodies, name four symbols, and say that there are others', () => {
  const pen = plainPen(COMMAND_WORDS);
  const textOf = (count: number) => {
    const symbols = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, count);
    const list = <T>(all: T[]) => ({ list: all, leftOut: 0 });
    const uses = symbols.map((symbol) => ({ target: { symbol, change: 'body' } }));
    const merge = list([{ path: 'a.ts', kind: 'content', symbols }]);
    const counts = { uncommitted: 0, files: { theirs: 1, mine: 1, both: 1 } };
    const branch = {
      name: 'x',
      kind: 'branch',
      alias: [],
      ...counts,
      merge,
      symbols: list([]),
      uses: list(uses),
      unknown: [],
    };
    const leftOut = { merged: 0, old: 0, contained: 0, beyond: 0, files: 0 };
    const document = { branches: list([branch]), clean: 0, compared: 1, leftOut, maxAge: 90, unknown: [] };
    return conflictsText(document as unknown as ConflictsDocument, { pen, isCommand: false });
  };
  const linesOf = (count: number) => textOf(count).split('\n').slice(1, 3);
  const [conflict, bodies] = ['  ! a.ts  content:', 'here of what changes inside there:'];
  assert.deepEqual(linesOf(1), [`${conflict} a`, `  > 1 use ${bodies} a`]);
  assert.deepEqual(linesOf(4), [`${conflict} a, b, c, d`, `  > 4 uses ${bodies} a, b, c, d`]);
  assert.deepEqual(linesOf(6), [`${conflict} a, b, c, d and 2 more`, `  > 6 uses ${bodies} a, b, c, d and others`]);
});
