/** Facts of one repository for questions about several: what it publishes and serves, what it uses and requests. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { graphsOf } from '../../../src/session/graph/graphs.js';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { Session } from '../../../src/session/session.js';
import { askLinked, linkedFacts, OpenLinks } from '../../../src/session/siblings/ask.js';
import { LINKED } from '../../../src/session/state-kinds.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import '../../support/in-process/kept-parsers.js';

async function opened(t: TestContext, repo: TestRepo): Promise<Session> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  await indexRef(session, {});
  return session;
}

const SHOP = {
  'package.json': JSON.stringify({
    ...{ name: 'cart-kit', main: 'src/index.ts' },
    ...{ dependencies: { money: '^2.0.0' }, devDependencies: { jest: '1' } },
  }),
  'src/index.ts': "export { Cart } from './cart';\nexport function open() {}\n",
  'src/cart.ts': [
    "import { tax } from 'money';",
    'export class Cart {',
    '  total() { return tax(this) + tax(1); }',
    "  load() { return fetch('/prices/' + this); }",
    '}',
    '',
  ].join('\n'),
  'src/server.ts': [
    "import express from 'express';",
    'const app = express();',
    "app.get('/carts/:id', show);",
    'function show() {}',
    "app.post('/carts', (request, response) => response.end());",
    '',
  ].join('\n'),
  'tools/package.json': JSON.stringify({ name: 'tools', private: true }),
};

test('packages and their exports, dependencies and uses of them, routes and requests, each with its place', async (t) => {
  const repo = createRepo();
  repo.commit(SHOP);
  const session = await opened(t, repo);
  const prepared = await graphsOf(session).committed(await session.origin());
  const facts = await linkedFacts(session, prepared);
  assert.deepEqual(facts, {
    packages: [
      { ecosystem: 'npm', name: 'cart-kit', manifest: 'package.json' },
      { ecosystem: 'npm', name: 'tools', manifest: 'tools/package.json' },
    ],
    exports: [
      { package: 0, module: 'cart-kit', name: 'open', path: 'src/index.ts', symbol: 'open', line: 2 },
      {
        package: 0,
        module: 'cart-kit',
        name: 'Cart',
        path: 'src/cart.ts',
        symbol: 'Cart',
        line: 2,
        reexported: true,
      },
      {
        package: 0,
        module: 'cart-kit',
        name: 'Cart.total',
        path: 'src/cart.ts',
        symbol: 'Cart.total',
        line: 3,
      },
      {
        package: 0,
        module: 'cart-kit',
        name: 'Cart.load',
        path: 'src/cart.ts',
        symbol: 'Cart.load',
        line: 4,
      },
    ],
    dependencies: [
      { ecosystem: 'npm', name: 'money', version: '^2.0.0' },
      { ecosystem: 'npm', name: 'jest', version: '1' },
    ],
    uses: [
      {
        ecosystem: 'npm',
        specifier: 'money',
        name: 'tax',
        line: 3,
        uses: 2,
        path: 'src/cart.ts',
        symbol: 'Cart.total',
      },
      {
        ecosystem: 'npm',
        specifier: 'express',
        name: 'default',
        line: 2,
        uses: 1,
        path: 'src/server.ts',
        symbol: 'app',
      },
      {
        ecosystem: 'npm',
        specifier: 'express',
        name: 'default.get',
        line: 3,
        uses: 1,
        path: 'src/server.ts',
        symbol: null,
        told: true,
      },
      {
        ecosystem: 'npm',
        specifier: 'express',
        name: 'default.post',
        line: 5,
        uses: 1,
        path: 'src/server.ts',
        symbol: null,
        told: true,
      },
    ],
    routes: [
      {
        method: 'GET',
        route: '/carts/:id',
        path: 'src/server.ts',
        line: 3,
        handler: { path: 'src/server.ts', symbol: 'show' },
      },
      {
        method: 'POST',
        route: '/carts',
        path: 'src/server.ts',
        line: 5,
        handler: { path: 'src/server.ts', symbol: 'POST /carts' },
      },
    ],
    calls: [{ method: 'GET', route: '/prices/*', line: 4, path: 'src/cart.ts', symbol: 'Cart.load' }],
  });
});

test('facts of a whole commit are kept, those of uncommitted files are made anew', async (t) => {
  const repo = createRepo();
  repo.commit(SHOP);
  const session = await opened(t, repo);
  const kept = () => session.state.keys(LINKED).length;
  const committed = await graphsOf(session).committed(await session.origin());
  const facts = await linkedFacts(session, committed);
  assert.equal(kept(), 1);
  assert.deepEqual(await linkedFacts(session, { ...committed, objects: null as never }), facts, 'read from the file');
  for (const other of [{ overlay: 1 }, { coverage: { covered: 1, total: 2 } }]) {
    const origin = { ...committed.origin, key: `${committed.origin.key} part` };
    assert.deepEqual(await linkedFacts(session, { ...committed, origin, ...other }), facts);
    assert.equal(kept(), 1, JSON.stringify(other));
  }
  const origin = { ...committed.origin, key: `${committed.origin.key} other` };
  await linkedFacts(session, { ...committed, origin });
  await linkedFacts(session, { ...committed, origin: { ...committed.origin, compiled: 'compiler' } as never });
  assert.equal(kept(), 3);
});

/** Asks a linked repository a question that is answered only when its signal says that nobody waits any more. */
async function askSlow(t: TestContext, given: AbortController | undefined, whileAsked: (graceMs: number) => void) {
  const repo = createRepo();
  repo.commit({ '.socraticode.json': JSON.stringify({ linkedProjects: ['inner'] }), '.gitignore': 'inner/\n' });
  const inner = createRepo({ directory: join(repo.dir, 'inner') });
  inner.commit({ 'a.ts': '1\n' });
  const [session, other] = await Promise.all([repo, inner].map(({ dir }) => Session.open({ directory: dir })));
  t.after(() => {
    for (const each of [session, other]) each.close();
  });
  const graceMs = 60_000;
  const signals: AbortSignal[] = [];
  const ask = async (_: unknown, signal: AbortSignal): Promise<never> => {
    signals.push(signal);
    assert.equal(signal.aborted, false);
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
    whileAsked(graceMs);
    await stopped;
    throw signal.reason;
  };
  const access = { open: async () => ({ session: other }), graceMs };
  const asked = askLinked(session, await session.origin(), { ask, access, signal: given?.signal });
  const states = await asked.then(
    (answers) => answers.map(({ path, state, reason }) => `${path} ${state}: ${reason}`),
    (error: Error) => error.name,
  );
  return { states, aborted: signals.map(({ aborted }) => aborted) };
}

test('a linked repository works no longer than its answer is waited for, nor than the question itself', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const late = { states: ['inner failed: no answer within 60 s; ask again'], aborted: [true] };
  const waits = (graceMs: number) => t.mock.timers.tick(graceMs);
  assert.deepEqual(await askSlow(t, undefined, waits), late);
  assert.deepEqual(await askSlow(t, new AbortController(), waits), late);
  const cancelled = new AbortController();
  assert.deepEqual(await askSlow(t, cancelled, () => cancelled.abort()), { states: 'AbortError', aborted: [true] });
});

test('a linked repository that could not be opened is opened by the next question, and once for several', async () => {
  const repo = createRepo();
  const links = new OpenLinks();
  renameSync(repo.dir, `${repo.dir}-away`);
  await assert.rejects(links.open(repo.dir));
  renameSync(`${repo.dir}-away`, repo.dir);
  const [one, other] = await Promise.all([links.open(repo.dir), links.open(repo.dir)]);
  assert.equal(one.session, other.session);
  await links.close();
});
