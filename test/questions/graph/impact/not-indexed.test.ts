/** Files that differ and are not indexed are counted: a change of a picture alone is no empty one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedHeading } from '../../../../src/questions/graph/changes/text.js';
import { answerImpact } from '../../../../src/questions/graph/impact/answer.js';
import type { ChangeImpactResponse } from '../../../../src/questions/graph/impact/question.js';
import { COMMAND_WORDS, plainPen } from '../../../../src/questions/pen.js';
import { blockLines } from '../../../../src/questions/view.js';
import { Session } from '../../../../src/session/session.js';
import { askerOf } from '../../../support/in-process/asker.js';
import { createRepo } from '../../../support/repositories/repo.js';

test('pictures and secrets count in a range and in the work tree, unchanged and indexed files do not', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n', 'one.png': '\0one', 'two.png': '\0two', 'key.pem': 'secret' });
  repo.commit({ 'one.png': '\0other' });
  repo.commit({ 'b.ts': 'export const b = 1;\n', 'key.pem': 'other' });
  repo.git('mv', 'a.ts', 'moved.ts');
  repo.write({ 'new.png': '\0new' });
  const session = await Session.open({ directory: repo.dir });
  try {
    const ask = async (target?: string) => {
      const values = { target, depth: 3, minConfidence: 0, limit: 200 } as never;
      const { changes } = (await answerImpact(askerOf(session), values)) as ChangeImpactResponse;
      return {
        counts: [changes.files, changes.notIndexed],
        line: blockLines([changedHeading(changes)], plainPen(COMMAND_WORDS))[0],
      };
    };
    const picture = await ask('HEAD~2..HEAD~1');
    assert.deepEqual(picture.counts, [0, 1]);
    assert.match(picture.line, /: 1 file \(not indexed\), 0 symbols changed$/);
    const both = await ask('HEAD~1..HEAD');
    assert.deepEqual(both.counts, [1, 1]);
    assert.match(both.line, /: 2 files \(1 of them not indexed\), 1 symbol changed$/);
    assert.deepEqual((await ask()).counts, [1, 1]);
    assert.deepEqual((await ask('HEAD~2..')).counts, [2, 3]);
  } finally {
    await session.close();
  }
});

test('a change has no low risk where files without symbols, or without an index, are part of it; prose and comments change nothing', async () => {
  const repo = createRepo();
  const code = 'export const rate = 1;\n';
  repo.commit({ 'go.mod': 'module shop\n', 'a.ts': code, 'README.md': '# Shop\n', 'one.png': '\0one' });
  repo.commit({ 'go.mod': 'module shop\n\nrequire example.com/tax v1.0.0\n' });
  repo.commit({ 'one.png': '\0other' });
  repo.commit({ 'a.ts': `// A rate.\n${code}`, 'README.md': '# A shop\n' });
  const session = await Session.open({ directory: repo.dir });
  try {
    const ask = async (target: string) => {
      const values = { target, depth: 3, minConfidence: 0, limit: 200 } as never;
      const { risk } = (await answerImpact(askerOf(session), values)) as ChangeImpactResponse;
      return [risk.level, risk.reasons[0]];
    };
    assert.deepEqual(await ask('HEAD~3..HEAD~2'), [
      'unknown',
      'go.mod has no symbols, so what depends on the change is not known',
    ]);
    assert.deepEqual(await ask('HEAD~2..HEAD~1'), ['unknown', '1 changed file is not indexed']);
    assert.equal((await ask('HEAD~1..HEAD'))[0], 'low');
  } finally {
    await session.close();
  }
});
