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

test('while the ref moves on, the question follows it, a few times', async () => {
  for (const moves of [3, 100]) {
    let [at, tries] = [0, 0];
    // Each commit is gone as soon as the ref has left it.
    const info = async (name: string) => {
      if (name === 'HEAD^{commit}') return { oid: `${at}` };
      return name === `${at}` ? { oid: name } : null;
    };
    const asked = retried({ objects: { info } } as unknown as Session, undefined, async () => {
      tries++;
      if (at === moves) return 'found';
      at++;
      throw new SocraticodeError('UNREADABLE_OBJECT', 'this commit is gone');
    });
    if (moves === 3) assert.equal(await asked, 'found');
    else await assert.rejects(asked, /is gone/);
    assert.equal(tries, moves === 3 ? 4 : 8);
  }
});

test('a question that fails where the ref stays is not asked there again', async () => {
  let tries = 0;
  const asked = retried(moving(false), undefined, async () => {
    tries++;
    throw new SocraticodeError('UNREADABLE_OBJECT', 'an object is missing');
  });
  await assert.rejects(asked, /is missing/);
  assert.equal(tries, 2);
});

test('a file that changes even where it should be left out ends the question', async () => {
  let tries = 0;
  const asked = retried(moving(true), undefined, async () => {
    if (++tries > 10) return 'asked without end';
    throw new FileChanged('it changed again');
  });
  await assert.rejects(asked, /it changed again/);
  assert.equal(tries, 3);
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
