/** `conflicts`: which changes of this side count, and what is left out. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answerConflicts } from '../../../src/questions/conflicts/answer.js';
import {
  type ConflictsDocument,
  type ConflictsValues,
  conflictsSchema,
} from '../../../src/questions/conflicts/question.js';
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
