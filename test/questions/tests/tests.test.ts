/** `tests`: tests that will and that may run a change, their reasons, and the commands of runners. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { answerTests, testsText } from '../../../src/questions/tests/answer.js';
import type { TestsDocument, TestsValues } from '../../../src/questions/tests/question.js';
import { Session } from '../../../src/session/session.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

async function ask(t: TestContext, repo: TestRepo, values: Partial<TestsValues>): Promise<TestsDocument> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const answer = await answerTests(askerOf(session), { depth: 5, ...values } as TestsValues);
  if ('candidates' in answer) throw new Error('ambiguous');
  return answer;
}

const named = ({ list }: TestsDocument['will']) => list.map(({ path, reason }) => `${path} ${reason}`);

const PROJECT = {
  'shop/__init__.py': '',
  'shop/cart.py':
    'class Base:\n    def __init__(self):\n        self.prepare()\n\n    def prepare(self):\n        return 1\n\n    def sum_of_items(self):\n        return 2\n\n\nclass Cart(Base):\n    pass\n',
  'shop/app.py':
    'from shop.cart import Cart\n\n\ndef start():\n    return Cart()\n\n\ndef show(x):\n    return x.sum_of_items()\n',
  'shop/other.py': 'from shop import app\n',
  'tests/test_cart.py': 'from shop.cart import Cart\n\n\ndef test_prepare():\n    Cart().prepare()\n',
  'tests/test_app.py': 'from shop.app import start\n\n\ndef test_start():\n    assert start()\n',
  'tests/test_other.py': 'import shop.other\n\n\ndef test_nothing():\n    assert shop.other\n',
  'tests/test_far.py': 'def test_far():\n    assert 1\n',
};

test('a test that makes a subclass runs the constructor; one that only imports the file may', async (t) => {
  const repo = createRepo();
  repo.commit(PROJECT, 'first');
  const found = await ask(t, repo, { target: 'Base.prepare' });
  assert.deepEqual(named(found.will), ['tests/test_cart.py calls', 'tests/test_app.py calls']);
  assert.deepEqual(named(found.may), ['tests/test_other.py imports']);
  assert.deepEqual(found.commands, [
    { runner: 'pytest', command: 'python -m pytest tests/test_cart.py tests/test_app.py', files: 2 },
  ]);
});

test('of a change: tests of both sides, those that differ first, and tests that changed along in the past', async (t) => {
  const repo = createRepo();
  repo.commit(PROJECT, 'first');
  const cart = PROJECT['shop/cart.py'];
  for (const number of [3, 4, 5, 6])
    repo.commit(
      {
        'shop/cart.py': cart.replace('return 2', `return ${number}`),
        'tests/test_far.py': `def test_far():\n    assert ${number}\n`,
      },
      `change ${number}`,
    );
  repo.commit(
    {
      'shop/cart.py': cart.replace('return 2', 'return 7'),
      'tests/test_cart.py': `${PROJECT['tests/test_cart.py']}\n\ndef test_sum():\n    assert Cart().sum_of_items()\n`,
    },
    'last',
  );
  const found = await ask(t, repo, { target: 'HEAD~1..HEAD' });
  assert.equal(named(found.will)[0], 'tests/test_cart.py changes');
  const far = found.may.list.find(({ path }) => path === 'tests/test_far.py');
  assert.equal(far?.reason, 'coupled');
  assert.match(far.why, /^changed along in \d of \d commits$/);
  const text = testsText(found, { pen: plainPen(COMMAND_WORDS), values: { depth: 5 } as TestsValues });
  assert.match(text, /^will run it\n {2}tests\/test_cart\.py:1 {2}changes itself$/m);
  assert.match(text, /^run\n {2}python -m pytest tests\/test_cart\.py/m);
});
