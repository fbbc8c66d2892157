/** Our lines in somebody's hook: they go in where they run, and come out byte by byte. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ConfigEntry, Repository } from '../../src/git/repository.js';
import type { HookPlace } from '../../src/hooks/hooks-path.js';
import {
  applyFile,
  hasBlock,
  isAllOurs,
  newHookFile,
  obstacle,
  planUninstall,
  readEvents,
  withBlock,
  withoutBlock,
} from '../../src/hooks/installed.js';
import { makeDirectory } from '../support/repositories/repo.js';

test('a new hook is open to the group where the repository is shared, whatever the umask, and nowhere else', {
  skip: process.platform === 'win32' && 'Windows has no such modes',
}, () => {
  const root = makeDirectory('hooks');
  const umask = process.umask(0o077);
  try {
    for (const [name, mode, expected] of [
      ['shared', 0o2775, 0o775],
      ['own', 0o755, 0o700],
    ] as const) {
      const hooks = join(root, name);
      mkdirSync(hooks);
      chmodSync(hooks, mode);
      const path = join(hooks, 'post-commit');
      applyFile({ event: 'post-commit', path, kind: 'create', reason: null, text: '#!/bin/sh\n' });
      assert.equal(statSync(path).mode & 0o777, expected, name);
    }
  } finally {
    process.umask(umask);
  }
});

const FALLBACK = { node: '/opt/a b/node', program: "/home/o'neil/$(touch x)/`id`/main.js" };

const HOOKS: Record<string, string> = {
  'a plain hook': '#!/bin/sh\necho hello\n',
  'one that ends early': '#!/bin/bash\nset -eu\nexec true\n',
  'no last newline': '#!/usr/bin/env bash\necho hello',
  'nothing but its first line': '#!/bin/sh\n',
  'nothing but its first line, unfinished': '#!/bin/sh',
  'line ends of Windows': '#!/bin/sh\r\necho hello\r\n',
  'bytes that are no UTF-8': '#!/bin/sh\necho \xff\xfe\n',
  'a directive for the whole file': '#!/bin/sh\n# shellcheck disable=SC2086\necho $x\n',
  'other tools with blocks of their own': '#!/bin/zsh\n# >>> conda >>>\ntrue\n# <<< conda <<<\n',
  'empty lines around': '#!/bin/sh\n\n\necho\n\n\n',
};

test('removing our lines restores the hook byte by byte; adding them twice changes nothing; a new version replaces the old', () => {
  for (const [name, text] of Object.entries(HOOKS)) {
    const added = withBlock(text, 'post-commit', FALLBACK);
    assert.ok(hasBlock(added) && added.startsWith(text.split(/\r?\n/)[0]), name);
    assert.equal(withBlock(added, 'post-commit', FALLBACK), added, name);
    assert.equal(withoutBlock(added), text, name);
    const older = added.replace('set +eu', 'set +eu # of an older version');
    assert.notEqual(older, added);
    assert.equal(withBlock(older, 'post-commit', FALLBACK), added, name);
    assert.equal(withoutBlock(withBlock(added, 'post-commit', null)), text, name);
    assert.equal(isAllOurs(added), false, name);
  }
});

test('a hook file that we created is recognised, and lines that a user adds to it stay', () => {
  const made = newHookFile('post-merge', null);
  assert.equal(isAllOurs(made), true);
  assert.equal(isAllOurs(withBlock(made, 'post-merge', FALLBACK)), true, 'a later version replaces only our lines');
  const grown = `${made}echo more\n`;
  assert.equal(isAllOurs(grown), false);
  assert.equal(withoutBlock(withBlock(grown, 'post-merge', FALLBACK)), '#!/bin/sh\necho more\n');
});

test('hooks that additional lines could break are refused', () => {
  const cases: [string, RegExp][] = [
    ['#!/usr/bin/env python3\nprint(1)\n', /not a shell script/],
    ['#!/usr/bin/node\n', /not a shell script/],
    ['echo no first line\n', /not a shell script/],
    ['\x7fELF\0\0', /a program/],
    ['#!/bin/sh\n"exec" "python3" "$0" "$@"\nprint(1)\n', /reads itself/],
    ['#!/bin/sh\ntail -n +3 "$0" | tar x\n', /reads itself/],
    [`${HOOKS['a plain hook']}# >>> git-socraticode >>>\n`, /were edited/],
  ];
  for (const [text, reason] of cases) assert.match(obstacle(text) ?? '', reason, text);
  for (const [name, text] of Object.entries(HOOKS)) assert.equal(obstacle(text), null, name);
  assert.equal(obstacle('npm test\n', true), null);
  assert.equal(obstacle('#!/bin/sh\ncd "$(dirname "$0")"\n'), null);
});

test('paths in the hook are quoted, so the shell runs nothing in them', () => {
  const directory = makeDirectory('quoting');
  for (const event of ['post-commit', 'pre-push'] as const) {
    const path = join(directory, event);
    writeFileSync(path, Buffer.from(withBlock('#!/bin/sh\nset -eu\necho end\n', event, FALLBACK), 'latin1'));
    for (const shell of ['sh', 'dash', 'bash', 'zsh']) {
      const { status, stdout, stderr, error } = spawnSync(shell, [path, 'origin', 'url'], {
        cwd: directory,
        encoding: 'utf8',
      });
      if (error === undefined) assert.deepEqual([status, stdout, stderr], [0, 'end\n', ''], shell);
    }
  }
});

const anyPart = fc.constantFrom(
  '#!/bin/sh',
  '#!/bin/bash -e',
  '\n',
  '\r\n',
  '# shellcheck disable=SC2086\n',
  '#',
  ' ',
  'echo \xff',
  'exit 0',
);

test('property: whatever a hook consists of, it is the same again after installing and uninstalling', () => {
  const anyHook = fc.array(anyPart, { maxLength: 10 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(anyHook, fc.boolean(), (text, isShebangless) => {
      if (obstacle(text, isShebangless) !== null) return;
      const added = withBlock(text, 'post-commit', FALLBACK);
      assert.ok(hasBlock(added));
      assert.equal(withBlock(added, 'post-commit', FALLBACK), added);
      assert.equal(withoutBlock(added), text);
    }),
    { numRuns: 2_000 },
  );
});

test('of the events that a manager runs, those alone are installed that it has run us', () => {
  const workTree = makeDirectory('managed');
  const repository = { workTree } as Repository;
  const place = { managerFile: 'lefthook.yml', target: join(workTree, 'hooks') } as HookPlace;
  const installed = (text: string) => {
    writeFileSync(join(workTree, 'lefthook.yml'), text);
    const events = readEvents(repository, place, []).filter(({ state }) => state === 'installed');
    return events.map(({ event }) => event);
  };
  assert.deepEqual(installed('post-commit:\n  jobs:\n    - run: git-socraticode index\n'), ['post-commit']);
  assert.deepEqual(installed('post-commit:\n  jobs:\n    - run: make\n'), []);
});

test('entries of the configuration are removed one by one: those of the repository alone, each where it is', () => {
  const place = { manager: 'config', target: makeDirectory('hooks'), files: [] } as unknown as HookPlace;
  const entry = (name: string, scope: ConfigEntry['scope'] = 'local') =>
    ({ key: `hook.${name}.command`, value: 'x', scope }) as ConfigEntry;
  const [index, share] = ['git-socraticode', 'git-socraticode-share'];
  const removed = (...config: ConfigEntry[]) => [
    ...new Set(
      planUninstall(place, config)
        .changes.filter(({ kind }) => kind === 'delete')
        .map(({ path }) => path),
    ),
  ];
  assert.deepEqual(removed(entry(index), entry(share)), [`hook.${index}`, `hook.${share}`]);
  assert.deepEqual(removed(entry(index)), [`hook.${index}`]);
  assert.deepEqual(removed(entry(share)), [`hook.${share}`]);
  assert.deepEqual(removed(entry(index, 'global'), entry(share, 'system')), []);
  assert.deepEqual(removed(), []);
});
