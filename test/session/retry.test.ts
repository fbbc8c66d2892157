/** When a question is asked again: a place that is refused because its commit went away is looked for in the new one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import { FileChanged, retried } from '../../src/session/retry.js';
import type { Session } from '../../src/session/session.js';

const [FORMER, NOW] = ['1'.repeat(40), '2'.repeat(40)];

/** A repository whose HEAD moves from one commit to another after the first question. */
function moving(isFormerLeft: boolean): Session {
  let asked = 0;
  const info = async (name: string) => {
    if (name === 'HEAD^{commit}') return { oid: asked++ === 0 ? FORMER : NOW };
    return name === NOW || isFormerLeft ? { oid: name } : null;
  };
  return { objects: { info } } as unknown as Session;
}

const refuseOnce = (session: Session) =>
  retried(session, undefined, async ({ isFirst }) => {
    if (isFirst) throw new SocraticodeError('BAD_ARGUMENT', 'there is no such line');
    return 'found';
  });

test('a place refused in a commit that is gone is looked for where the ref is now', async () => {
  assert.equal(await refuseOnce(moving(false)), 'found');
});

test('a place refused in a commit that is still there is refused, wherever the ref has moved', async () => {
  await assert.rejects(refuseOnce(moving(true)), /no such line/);
});

test('files that change while they are read are tried three times, of which the last must do without them', async () => {
  const lasts: boolean[] = [];
  const answer = await retried(moving(true), undefined, async ({ isLast }) => {
    lasts.push(isLast);
    if (!isLast) throw new FileChanged();
    return 'found';
  });
  assert.equal(answer, 'found');
  assert.deepEqual(lasts, [false, false, true]);
});
