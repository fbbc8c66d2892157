/** The workflow that other repositories call: its own step runs here with a stand-in for npm; the action is tested beside it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '../support/repositories/repo.js';
import { ROOT } from './root.js';

const read = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');
const WORKFLOW = read('.github/workflows/review.yml');
const ACTION = read('action.yml');
const namesIn = (text: string, indent: number) =>
  [...text.matchAll(new RegExp(`^ {${indent}}([\\w-]+):`, 'gm'))].map(([, name]) => name);

test('what the workflow gives to the action are inputs of the action, and each of its own inputs is used', () => {
  const given = namesIn(/uses: \.\/\.review-action\n {8}with:\n((?: {10}.*\n)*)/.exec(WORKFLOW)?.[1] ?? '', 10);
  const known = namesIn(/^inputs:\n((?: .*\n)*)/m.exec(ACTION)?.[1] ?? '', 2);
  assert.deepEqual(
    given.filter((name) => !known.includes(name)),
    [],
  );
  assert.ok(given.includes('range') && given.includes('sarif'));
  const own = namesIn(/^ {4}inputs:\n((?: {6}.*\n)*)/m.exec(WORKFLOW)?.[1] ?? '', 6);
  assert.equal(own.length, 5);
  for (const name of own) assert.match(WORKFLOW, new RegExp(`inputs\\.${name}\\b`), name);
});

test('the action comes with the package: the newest one, or the version that is asked for', () => {
  assert.ok((JSON.parse(read('package.json')) as { files: string[] }).files.includes('action.yml'));
  const run = /name: Install\n[\s\S]*?run: \|\n((?: {10}.*\n)*)/.exec(WORKFLOW)?.[1].replace(/^ {10}/gm, '') ?? '';
  const directory = makeDirectory('runner');
  const root = join(directory, 'global');
  mkdirSync(join(root, 'git-socraticode'), { recursive: true });
  writeFileSync(join(root, 'git-socraticode', 'action.yml'), ACTION);
  const npm = join(directory, 'npm');
  writeFileSync(npm, `#!/bin/sh\ncase "$1" in root) echo "${root}" ;; *) echo "$@" >> "${directory}/calls" ;; esac\n`);
  chmodSync(npm, 0o755);
  // A pull request may bring a folder in place of the action, and an action of its own beside it.
  mkdirSync(join(directory, '.review-action', 'action.yml'), { recursive: true });
  writeFileSync(join(directory, '.review-action', 'action.yaml'), 'runs: { using: node20, main: evil.js }\n');
  for (const version of ['', '1.2.3']) {
    const env = { ...process.env, PATH: `${directory}${delimiter}${process.env.PATH}`, VERSION: version };
    const { status, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], { cwd: directory, env });
    assert.equal(status, 0, String(stderr));
  }
  assert.equal(readFileSync(join(directory, '.review-action', 'action.yml'), 'utf8'), ACTION);
  assert.deepEqual(readdirSync(join(directory, '.review-action')), ['action.yml']);
  assert.deepEqual(readFileSync(join(directory, 'calls'), 'utf8').trim().split('\n'), [
    'install --global --ignore-scripts git-socraticode@latest',
    'install --global --ignore-scripts git-socraticode@1.2.3',
  ]);
});
