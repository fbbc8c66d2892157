/** Answers to publishers, to failures, and to monitoring. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from '../../../fleet/src/access/access.js';
import { failureOf } from '../../../fleet/src/http/failure.js';
import { answerPublisher } from '../../../fleet/src/http/publishing.js';
import { FleetIntake } from '../../../fleet/src/intake.js';
import {
  decodePlanAnswer,
  decodeRefsAnswer,
  decodeUnitsAnswer,
  decodeViewAnswer,
  encodePlan,
  encodeRefs,
  encodeUnits,
  encodeView,
} from '../../../fleet/src/protocol.js';
import { SocraticodeError } from '../../../src/base/errors.js';
import { MemoryEngine } from '../../support/servers/memory-engine.js';
import { commitId, numberedFile, PROFILE, uploadOf, viewOf } from '../made.js';

const FILES = [numberedFile(0)];

test('each request of a publisher is answered by its own name, with the repository for the log', async () => {
  const intake = new FleetIntake(new MemoryEngine(PROFILE));
  const client = clientOf({ name: 'ci', read: [], publish: ['shop'] });
  const view = viewOf(FILES);
  const ask = (name: Parameters<typeof answerPublisher>[0], body: Uint8Array) =>
    answerPublisher(name, body, { intake, client });
  const keys: string[] = [];
  const plan = await ask('plan', encodePlan({ ...view, keys }));
  assert.deepEqual([plan.status, plan.repo, decodePlanAnswer(plan.body)], [200, 'shop', { previous: '', missing: [] }]);
  const early = await ask('view', encodeView(view));
  assert.deepEqual([early.status, decodeViewAnswer(early.body).outcome], [409, 'incomplete']);
  const units = await ask('units', encodeUnits({ ...view, units: FILES.map(uploadOf) }));
  assert.deepEqual([units.status, units.repo, decodeUnitsAnswer(units.body)], [200, 'shop', { stored: 1 }]);
  const done = await ask('view', encodeView(view));
  assert.deepEqual([done.status, done.repo, decodeViewAnswer(done.body)], [200, 'shop', { outcome: 'published' }]);
  const late = await ask('view', encodeView({ ...view, commit: commitId('b') }));
  assert.deepEqual([late.status, decodeViewAnswer(late.body)], [409, { outcome: 'moved', commit: commitId('a') }]);
  const refs = await ask('refs', encodeRefs(view));
  assert.deepEqual(
    [refs.status, refs.repo, decodeRefsAnswer(refs.body).map(({ ref }) => ref)],
    [200, 'shop', ['main']],
  );
});

test('a publisher needs its repository, and to read or publish the one that a family is named after', async () => {
  const intake = new FleetIntake(new MemoryEngine(PROFILE));
  const code = async (read: string[], publish: string[], family: string) => {
    const client = clientOf({ name: 'ci', read, publish });
    const body = encodeRefs({ ...viewOf([]), repo: 'fork', family });
    return answerPublisher('refs', body, { intake, client }).then(
      () => 'answered',
      (error) => error.code,
    );
  };
  assert.equal(await code([], ['fork'], 'fork'), 'answered');
  assert.equal(await code(['fork'], [], 'fork'), 'FLEET_DENIED');
  assert.equal(await code([], ['fork'], 'shop'), 'FLEET_DENIED');
  assert.equal(await code(['shop'], ['fork'], 'shop'), 'answered');
  assert.equal(await code([], ['fork', 'shop'], 'shop'), 'answered');
  assert.equal(await code(['fork'], ['shop'], 'shop'), 'FLEET_DENIED');
});

test('a failure shows its status, and of an error that is not made for readers only that there was one', () => {
  const shown = (error: unknown) => {
    const { status, body, headers } = failureOf(error);
    return [status, body.code, headers?.['Retry-After']];
  };
  const statuses = [
    ...[400, 'BAD_ARGUMENT', 400, 'EMPTY_QUERY', 404, 'UNKNOWN_REF', 400, 'FLEET_BAD_UNIT', 400, 'FLEET_PROFILE'],
    ...[403, 'FLEET_DENIED', 503, 'FLEET_STORE', 503, 'FLEET_BUSY'],
  ];
  for (let i = 0; i < statuses.length; i += 2) {
    const [status, code] = [statuses[i], statuses[i + 1]];
    const wanted = [status, code, status === 503 ? '2' : undefined];
    assert.deepEqual(shown(new SocraticodeError(code as 'BAD_ARGUMENT', 'why')), wanted);
  }
  for (const error of [new Error('secret'), new SocraticodeError('BAD_CONFIG', 'secret'), 'secret', undefined]) {
    assert.deepEqual(shown(error), [500, 'INTERNAL', undefined]);
    assert.doesNotMatch(JSON.stringify(failureOf(error)), /secret/);
  }
});
