/** Clickable places: only on a terminal, only into the work tree, whatever paths are called. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { wantsLinks, withLinks } from '../../src/cli/hyperlinks.js';
import { createPen } from '../../src/questions/writing/pen.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { fakeIo } from './io.js';

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
