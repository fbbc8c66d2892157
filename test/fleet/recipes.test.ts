/** Recipes of docs/fleet.md: units of systemd, the container. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '../support/repositories/repo.js';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/fleet.md', root), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text);

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd accepts the units', { skip: !hasSystemd }, () => {
  const directory = makeDirectory('units');
  const files = blocks('ini').map((text) => {
    const name = /^# \/etc\/systemd\/system\/(\S+)\n/.exec(text)?.[1] ?? assert.fail(text);
    const file = join(directory, name);
    // The program is not installed here: systemd wants to see that it can be run.
    writeFileSync(file, text.replaceAll('/usr/bin/git-socraticode', process.execPath));
    return file;
  });
  assert.equal(files.length, 3);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
  const own = stderr.split('\n').filter((line) => line.includes(directory) || line.includes('fleet'));
  assert.deepEqual([own, status], [[], 0]);
});

test('all recipes install the versions that the program asks for', () => {
  const { name, version, peerDependencies } = JSON.parse(readFileSync(new URL('fleet/package.json', root), 'utf8'));
  const [recipe, ...others] = blocks('dockerfile');
  assert.equal(others.length, 0);
  assert.match(recipe, /^FROM node:\d+-bookworm-slim$/m);
  assert.match(recipe, /^USER (?!root)/m);
  for (const [each, wanted] of Object.entries({ [name]: version, ...peerDependencies })) {
    const named = [...page.matchAll(new RegExp(`${each}@(\\d[\\w.]*\\w)`, 'g'))].map(([, written]) => written);
    assert.deepEqual([...new Set(named)], [wanted], each);
    assert.ok(recipe.includes(`${each}@${wanted}`), each);
  }
  const command = /^ENTRYPOINT (\[.*\])\nCMD (\[.*\])$/m.exec(recipe);
  assert.deepEqual(
    [command?.[1], command?.[2]].flatMap((list) => JSON.parse(list ?? '[]')).filter((word) => word.startsWith('--')),
    ['--listen', '--fleet', '--tokens'],
  );
});
