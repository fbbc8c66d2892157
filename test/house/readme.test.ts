/** README.md says what the program does: its commands, flags, settings and the two commands of a fresh machine. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { loadCommands } from '../../src/cli/commands.js';
import { createProgram } from '../../src/cli/program.js';
import { CONFIG_KEYS } from '../../src/config/keys.js';
import { RULES } from '../../src/languages/definition-rules.js';
import { ROOT } from './root.js';

const read = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');
const README = read('README.md');

test('two commands for a fresh machine; .ci/run runs the second as it stands there', () => {
  const commands = [...README.matchAll(/^npm ci .*$/gm)].map(([line]) => line);
  assert.equal(commands.length, 2);
  assert.match(commands[0], /^npm ci --ignore-scripts && npm start -- ".+"$/);
  assert.equal(commands[1], 'npm ci --ignore-scripts && npm test');
  // It reads the line from README.md instead of repeating it.
  assert.ok(read('.ci/run').includes('README.md') && !read('.ci/run').includes(commands[1]));
});

test('every command, flag and setting is described', async () => {
  const stream = new PassThrough();
  const program = createProgram(
    { stdout: stream, stderr: stream, stdin: stream, env: {} },
    () => {},
    await loadCommands([]),
  );
  for (const command of program.commands) {
    assert.ok(README.includes(`\`${command.name()}`), command.name());
    for (const { long } of command.options) assert.ok(README.includes(`${long}`), `${command.name()} ${long}`);
  }
  for (const { short } of program.options) assert.ok(short === '-V' || README.includes(`\`${short}`), short);
  for (const key of Object.keys(CONFIG_KEYS)) assert.ok(README.includes(`\`${key}\``), key);
});

test('every language with a grammar is named', () => {
  const start = README.indexOf('## Languages');
  const section = README.slice(start, README.indexOf('\n## ', start + 1)).toLowerCase();
  const NAMES: Record<string, string> = { cpp: 'c++', csharp: 'c#' };
  for (const id of Object.keys(RULES)) assert.ok(section.includes(NAMES[id] ?? id), id);
});

test('links lead somewhere', () => {
  for (const name of ['README.md', 'src/README.md']) {
    for (const [, target] of read(name).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
      assert.ok(existsSync(new URL(target, new URL(name, ROOT))), `${name}: ${target}`);
    }
  }
});
