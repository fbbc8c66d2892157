/** Arithmetic of `npm run bench -- quiz`: which answers are right, which say that they do not know, and which are falsely sure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT } from '../house/root.js';

const { score } = await import(new URL('test/bench/quiz-score.mjs', ROOT).href);
const { repositories } = await import(new URL('test/bench/quiz.mjs', ROOT).href);

const verdict = (question: object, answer: object): string => score(question, answer).verdict;
const list = (...entries: object[]) => ({ list: entries, leftOut: 0 });
const at = (place: string) => ({ path: place.split(':')[0], line: Number(place.split(':')[1]) });
const uses = (proven: string[], likely: string[] = [], possible: string[] = []) => ({
  uses: list(...proven.map(at)),
  likely: list(...likely.map(at)),
  possible: list(...possible.map(at)),
});
const impact = (level: string, parts: object = {}) => ({
  risk: { level, reasons: [] },
  hops: [],
  tests: list(),
  possible: 0,
  ...parts,
});

test('a list of uses is right with every expected line, proven or likely, and without refused ones', () => {
  const question = { uses: ['a.js:1,2'], not: ['a.js:9'] };
  assert.equal(verdict(question, uses(['a.js:1'], ['a.js:2'])), 'right');
  assert.equal(verdict(question, uses(['a.js:1'], [], ['a.js:2'])), 'silent');
  assert.equal(verdict(question, uses(['a.js:1'], [], ['b.js:7'])), 'sure');
  assert.equal(verdict(question, uses([])), 'sure');
  assert.equal(verdict(question, uses(['a.js:1', 'a.js:2', 'a.js:9'])), 'sure');
  assert.equal(verdict(question, uses(['a.js:1', 'a.js:2'], ['a.js:9'])), 'silent');
  assert.equal(verdict(question, { ...uses(['a.js:1']), possible: { list: [], leftOut: 3 } }), 'silent');
  assert.equal(verdict(question, { ...uses(['a.js:1']), named: ['a.js:2'] }), 'silent');
});

test('a low risk of what is used is falsely sure, and an unknown one is silent', () => {
  const question = { risk: 'not low' };
  assert.deepEqual(
    ['low', 'unknown', 'medium'].map((level) => verdict(question, impact(level))),
    ['sure', 'silent', 'right'],
  );
});

test('users and tests that impact lacks are falsely sure unless it counts a doubt', () => {
  const user = { path: 'a.rb', symbol: 'Shop::Cart#total' };
  const affected = { hops: [{ hop: 1, affected: [user], leftOut: 0 }] };
  assert.equal(verdict({ affects: ['a.rb:Cart.total'] }, impact('medium', affected)), 'right');
  assert.equal(verdict({ affects: ['a.rb:Cart.sum'] }, impact('medium', affected)), 'sure');
  assert.equal(verdict({ affects: ['a.rb:Cart.sum'] }, impact('medium', { ...affected, possible: 2 })), 'silent');
  const question = { tests: ['spec/a.rb'] };
  assert.equal(verdict(question, impact('medium', { tests: list({ path: 'spec/a.rb' }) })), 'right');
  assert.equal(verdict(question, impact('medium')), 'sure');
  const reasons = ['no test is known to reach it by calls, but 1 test file imports its file'];
  assert.equal(verdict(question, impact('medium', { risk: { level: 'medium', reasons } })), 'silent');
});

test('only a certain claim of dead code is falsely sure of what is used', () => {
  const explained = (certainty: string | null, usedBy = 'nothing') => {
    const one = { path: 'a', symbol: 'f', certainty };
    return { explained: [one], unused: list(...(certainty === null ? [] : [{ ...one, usedBy }])) };
  };
  const all = (dead: string) => ['certain', 'likely', 'possible', null].map((one) => verdict({ dead }, explained(one)));
  assert.deepEqual(all('no'), ['sure', 'silent', 'silent', 'right']);
  assert.deepEqual(all('yes'), ['right', 'right', 'silent', 'sure']);
  assert.equal(verdict({ dead: 'tests' }, explained('certain', 'tests')), 'right');
  assert.equal(verdict({ dead: 'tests' }, explained('certain', 'nothing')), 'sure');
});

test('a route is right with its handler, whatever its parameters are called', () => {
  const question = { route: { method: 'GET', route: '/carts/{id}/', handler: 'a.py:read' } };
  const answer = (route: string, symbol: string | null) => ({
    routes: list({ method: 'ANY', route, handler: symbol === null ? null : { path: 'a.py', symbol } }),
  });
  assert.equal(verdict(question, answer('/carts/<int:id>', 'read')), 'right');
  assert.equal(verdict(question, answer('/v1/carts/:id', 'read')), 'right');
  assert.equal(verdict(question, answer('/carts/:id', null)), 'silent');
  assert.equal(verdict(question, answer('/carts/:id', 'write')), 'sure');
  assert.equal(verdict(question, answer('/carts', 'read')), 'sure');
});

test('a refusal is falsely sure, and a question back is silent', () => {
  assert.equal(verdict({ uses: ['a:1'] }, { error: { message: 'no symbol f is defined' } }), 'sure');
  assert.equal(verdict({ uses: ['a:1'] }, { candidates: list() }), 'silent');
});

test('the quiz has at least 120 questions about twelve repositories, each with facts to check', async () => {
  const all = await repositories();
  const questions = all.flatMap((one: { questions: object[] }) => one.questions);
  assert.ok(all.length >= 12 && questions.length >= 120);
  assert.deepEqual([...new Set(all.map((one: { half: string }) => one.half))].sort(), ['A', 'B', 'C', 'D', 'E']);
  const facts = ['uses', 'risk', 'affects', 'tests', 'dead', 'at', 'route', 'event', 'change'];
  for (const question of questions)
    assert.ok(
      facts.some((fact) => fact in question),
      JSON.stringify(question),
    );
});
