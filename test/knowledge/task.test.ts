/** Logs of tasks: any order of exchange gives one task, and nothing that anybody did is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  operationAfter,
  TASK_STATUSES,
  TASKS,
  type TaskChange,
  type TaskOperation,
  taskOf,
} from '../../src/knowledge/codecs.js';
import { decodeEntry, type Entry, encodeEntry } from '../../src/knowledge/entry.js';
import { claims, hex, words } from './sample.js';

const links = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('branch' as const, 'plan' as const), to: words(20) }, { noNullPrototype: true }),
    fc.record({ kind: fc.constant('commit' as const), to: hex(40) }, { noNullPrototype: true }),
  ),
  { maxLength: 3 },
);
const changes: fc.Arbitrary<TaskChange> = fc.record(
  {
    title: words(30),
    description: words(30, 0),
    status: fc.constantFrom(...TASK_STATUSES),
    note: words(30),
    links,
    unlinks: links,
  },
  { requiredKeys: [], noNullPrototype: true },
);
const SOMEBODY = { author: { name: 'Ann', email: '', by: 'person' as const }, time: 1 };

/** The entry that a clone writes which has seen `log`. */
function entryAfter(log: readonly Entry<TaskOperation>[], change: TaskChange, clock?: number): Entry<TaskOperation> {
  const task = log.length === 0 ? null : taskOf(log[0].id, log);
  const body = { ...operationAfter(task, change), ...(clock !== undefined && { clock }) };
  const { id, bytes } = encodeEntry(TASKS, { ...SOMEBODY, body }, 'sha1');
  const decoded = decodeEntry(TASKS, bytes, id);
  assert.ok(decoded.ok);
  return decoded.record;
}

test('an operation is read back as it was written', () => {
  fc.assert(
    fc.property(claims, changes, fc.nat(0xffff_ffff), hex(16), (claim, change, clock, nonce) => {
      const body = { clock, nonce, ...change };
      const { id, bytes } = encodeEntry(TASKS, { ...claim, body }, 'sha1');
      assert.deepEqual(decodeEntry(TASKS, bytes, id), { ok: true, record: { id, ...claim, body } });
    }),
  );
});

test('two clones that change a task at once, and then unite in any order, see one task with all that both did', () => {
  fc.assert(
    fc.property(
      fc.array(changes, { maxLength: 6 }),
      fc.array(changes, { maxLength: 6 }),
      fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
      (mine, yours, shuffle) => {
        const first = entryAfter([], { title: 'a task' });
        const clone = (all: readonly TaskChange[]) => {
          const log = [first];
          for (const change of all) log.push(entryAfter(log, change));
          return log;
        };
        const [a, b] = [clone(mine), clone(yours)];
        const united = [...new Map([...a, ...b].map((entry) => [entry.id, entry])).values()];
        const shuffled = united
          .map((entry, i) => [shuffle[i % shuffle.length], entry] as const)
          .sort((x, y) => x[0] - y[0]);
        const task = taskOf(first.id, united);
        assert.deepEqual(
          taskOf(
            first.id,
            shuffled.map(([, entry]) => entry),
          ),
          task,
        );
        assert.equal(task?.events.length, 1 + mine.length + yours.length);
        // Each clone's own operations keep their order.
        const order = (log: readonly Entry<TaskOperation>[]) =>
          task?.events.flatMap(({ id }) => (log.some((entry) => entry.id === id) ? [id] : []));
        assert.deepEqual(
          order(a),
          a.map(({ id }) => id),
        );
        assert.deepEqual(
          order(b),
          b.map(({ id }) => id),
        );
      },
    ),
  );
});

test('of two titles given at once one is shown, the same in every clone, and both are in the history', () => {
  const first = entryAfter([], { title: 'a task' });
  const [one, two] = ['one', 'two'].map((title) => entryAfter([first], { title }));
  const task = taskOf(first.id, [two, first, one]);
  assert.equal(task?.title, taskOf(first.id, [one, two, first])?.title);
  assert.deepEqual(task?.events.map(({ change }) => change.title).sort(), ['a task', 'one', 'two']);
});

test('an operation whose clock is far ahead of all others does not count, and later ones are not held back', () => {
  const first = entryAfter([], { title: 'a task' });
  const forged = entryAfter([first], { title: 'for ever' }, 0xffff_ffff);
  const later = entryAfter([first, forged], { title: 'later' });
  assert.equal(later.body.clock, 2);
  assert.equal(taskOf(first.id, [first, forged, later])?.title, 'later');
});

test('a log without its first operation is no task', () => {
  const first = entryAfter([], { title: 'a task' });
  assert.equal(taskOf(first.id, [entryAfter([first], { note: 'x' })]), null);
  assert.equal(taskOf('a'.repeat(40), [first]), null);
});

test('a linked branch or commit is told by the log, a planning document is not', () => {
  const body = operationAfter(null, {
    links: [
      { kind: 'branch', to: 'topic' },
      { kind: 'plan', to: 'docs/plan.md' },
    ],
    unlinks: [{ kind: 'commit', to: 'c'.repeat(40) }],
  });
  assert.deepEqual(TASKS.reveals(body), { objects: ['c'.repeat(40)], branches: ['topic'] });
});

test('a link that was taken away is gone, and one that was given again is there', () => {
  const [plan, branch] = [
    { kind: 'plan' as const, to: 'docs/plan.md' },
    { kind: 'branch' as const, to: 'main' },
  ];
  const log = [entryAfter([], { title: 'a task', links: [plan, branch] })];
  const then = (change: TaskChange) => {
    log.push(entryAfter(log, change));
    return taskOf(log[0].id, log)?.links;
  };
  assert.deepEqual(then({ unlinks: [plan] }), [branch]);
  assert.deepEqual(then({ unlinks: [plan] }), [branch]);
  assert.deepEqual(then({ links: [plan] }), [branch, plan]);
});
