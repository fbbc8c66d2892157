/** An index that is interrupted: what was parsed is not parsed again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSocraticodeError, SocraticodeError } from '../../../src/base/errors.js';
import { silentProgress } from '../../../src/base/progress.js';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { Session } from '../../../src/session/session.js';
import { createRepo } from '../../support/repositories/repo.js';

const FILES = 40;
const PARSED = 8;

test('Ctrl-C in the first index of a small repository keeps every parsed file', async () => {
  const repo = createRepo();
  const file = (i: number) => [`src/f${i}.ts`, `export function f${i}() {\n  return ${i};\n}\n`] as const;
  repo.commit(Object.fromEntries(Array.from({ length: FILES }, (_, i) => file(i))));
  const ending = new AbortController();
  const progress = {
    update: (done: number) => done >= PARSED && ending.abort(new SocraticodeError('CANCELLED', 'cancelled')),
    finish() {},
  };
  const first = await Session.open({ directory: repo.dir });
  await assert.rejects(indexRef(first, { progress, signal: ending.signal }), (error) =>
    isSocraticodeError(error, 'CANCELLED'),
  );
  first.close();
  const second = await Session.open({ directory: repo.dir });
  const report = await indexRef(second, { progress: silentProgress });
  second.close();
  assert.ok(
    report.reused >= PARSED && report.new + report.reused === FILES,
    `${report.new} new, ${report.reused} reused`,
  );
});
