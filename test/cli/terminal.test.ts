/** Colours and the pager: what the command line, the environment and git's settings say, in git's order. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commitLine, isLong, page, pagerOf, wantsLinks, withLinks } from '../../src/cli/terminal.js';
import { createPen } from '../../src/questions/pen.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { fakeIo } from './io.js';

type Scope = 'system' | 'global' | 'local' | 'worktree' | 'command';
const setting = (key: string, value: string, scope: Scope = 'global') => ({ key, value, scope, origin: 'file:x' });
const AUTO = { pager: true };

test('the pager is the one that git would take, and never one that the repository names', () => {
  const pager = (env: NodeJS.ProcessEnv, config: ReturnType<typeof setting>[] = [], look = AUTO, isTTY = true) =>
    pagerOf(fakeIo(env, isTTY), look, config);
  assert.equal(pager({}), 'less');
  assert.equal(pager({ PAGER: 'more' }), 'more');
  assert.equal(pager({ PAGER: 'more' }, [setting('core.pager', 'delta')]), 'delta');
  assert.equal(pager({ GIT_PAGER: 'bat' }, [setting('core.pager', 'delta')]), 'bat');
  assert.equal(pager({ GIT_PAGER: 'bat' }, [setting('pager.socraticode', 'less -S')]), 'less -S');
  for (const scope of ['local', 'worktree'] as const)
    for (const key of ['core.pager', 'pager.socraticode'])
      assert.equal(pager({}, [setting(key, 'touch /tmp/owned', scope)]), 'less', `${key}, ${scope}`);
  assert.equal(pager({}, [setting('pager.socraticode', 'false', 'local')]), null);
  for (const none of ['', 'cat']) assert.equal(pager({ GIT_PAGER: none }), null);
  assert.equal(pager({}, [], { pager: false }), null);
  assert.equal(pager({}, [], AUTO, false), null);
  assert.equal(pager({ TERM: 'dumb' }), null);
});

test('a text is long if it has as many lines as the screen', () => {
  assert.equal(isLong('x\n'.repeat(9), { rows: 10 }), false);
  assert.equal(isLong('x\n'.repeat(10), { rows: 10 }), true);
  assert.equal(isLong('x\n'.repeat(24), {}), true);
});

test('a pager that is left early or not there is no failure', async () => {
  const text = 'line\n'.repeat(200_000);
  assert.equal(await page(text, 'head -n 1 > /dev/null', process.env), true);
  assert.equal(await page(text, 'exec no-such-pager-here 2>/dev/null', process.env), false);
});

const pen = createPen({ stdout: { isTTY: true } }, true);
const root = makeDirectory('links');
mkdirSync(join(root, 'src'));
for (const name of ['src/cart.ts', 'src/a b#%.ts']) writeFileSync(join(root, name), '');

/** Addresses and what they are on, colours left out. */
function links(text: string, config: Parameters<typeof withLinks>[2] = []): [address: string, shown: string][] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences under test
  const found = withLinks(text, root, config).matchAll(/\x1b\]8;;([^\x1b]+)\x1b\\(.*?)\x1b\]8;;\x1b\\/g);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences under test
  return [...found].map(([, address, shown]) => [address, shown.replaceAll(/\x1b\[[\d;]*m/g, '')]);
}

test('links are for terminals that show them, and can be switched off', () => {
  const look = { pager: true, hyperlinks: true };
  assert.equal(wantsLinks(fakeIo({}, true), look), true);
  assert.equal(wantsLinks(fakeIo({}, true), { ...look, hyperlinks: false }), false);
  assert.equal(wantsLinks(fakeIo({}, false), look), false, 'piped');
  assert.equal(wantsLinks(fakeIo({ TERM: 'dumb' }, true), look), false);
  assert.equal(wantsLinks(fakeIo({ GIT_PAGER_IN_USE: 'true' }, true), look), false);
});

test('a place is a link to its file and line, in both ways that answers write it', () => {
  const url = `file://${hostname()}${root}/src/cart.ts`;
  assert.deepEqual(links(`${pen.path('src/cart.ts')}:${pen.line('12')}  Cart`), [[`${url}#12`, 'src/cart.ts:12']]);
  assert.deepEqual(links(`${pen.path('src/cart.ts:849-853')}  Cart`), [[`${url}#849`, 'src/cart.ts:849-853']]);
  assert.deepEqual(links(pen.path('src/cart.ts')), [[url, 'src/cart.ts']]);
  assert.deepEqual(links(`${pen.path('src/a b#%.ts')}:${pen.line('1')}`), [
    [`file://${hostname()}${root}/src/a%20b%23%25.ts#1`, 'src/a b#%.ts:1'],
  ]);
});

test('files that the work tree lacks, and text that only looks like a place, are no links', () => {
  assert.deepEqual(
    links(`${pen.path('src/gone.ts')}:${pen.line('12')} src/cart.ts:3 ${pen.symbol('src/cart.ts')}`),
    [],
  );
});

test("the user's editor opens them; a repository's own setting does not count", () => {
  const setting = (scope: 'global' | 'local') => [
    { key: 'socraticode.web.editor', value: 'zed', scope, origin: 'file:x' },
  ];
  const place = `${pen.path('src/cart.ts')}:${pen.line('12')}`;
  assert.equal(links(place, setting('global'))[0][0], `zed://file${root}/src/cart.ts:12`);
  assert.match(links(place, setting('local'))[0][0], /^file:/);
});

const COMMIT = '2c8cd3ac9'.padEnd(40, '0');
const answer = (more: object) => ({ commit: COMMIT, coverage: { covered: 1, total: 1 }, overlay: 0, ...more });

test('the ref as it was asked for, its commit, and how many uncommitted files the answer knows', () => {
  assert.equal(commitLine(answer({ ref: 'HEAD' }), 'a.ts:1\n'), 'HEAD is 2c8cd3ac9');
  assert.equal(commitLine(answer({ ref: 'refs/heads/dev' }), ''), 'dev is 2c8cd3ac9');
  assert.equal(commitLine(answer({ ref: 'HEAD', overlay: 1 }), ''), 'HEAD is 2c8cd3ac9; 1 uncommitted file included');
  assert.equal(commitLine(answer({ ref: '2c8cd3ac' }), ''), '2c8cd3ac9');
  assert.equal(commitLine(answer({ ref: 'a\x1b[2J' }), ''), 'a\\x1b[2J is 2c8cd3ac9');
});

test('no line where the text says it, or where an answer is about no commit', () => {
  assert.equal(commitLine(answer({ ref: 'HEAD' }), `HEAD (${COMMIT})`), null);
  assert.equal(commitLine(answer({ ref: 'HEAD', commit: null }), ''), null);
  assert.equal(commitLine({ ref: 'HEAD', commit: COMMIT }, ''), null);
  assert.equal(commitLine({}, ''), null);
});
