/** Rules of `src/questions`: one folder a question, every question in the table, numbers written once. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GROUPS, TOOLSETS } from '../../src/questions/question.js';
import { loadQuestions } from '../../src/questions/table.js';
import { ROOT } from './root.js';

const FOLDER = fileURLToPath(new URL('src/questions/', ROOT));
/** A question is understood by reading its folder: more files than these belong into a folder with a name of its own. */
const MAX_FILES = 8;

const folders = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name === 'question.ts')
  .map((entry) => entry.parentPath);

test('every folder of a question is in the table, and holds a few files', () => {
  const table = readFileSync(join(FOLDER, 'table.ts'), 'utf8');
  for (const folder of folders) {
    const path = folder.slice(FOLDER.length).replaceAll('\\', '/');
    if (path === '') continue;
    const parent = join(FOLDER, path, '..', 'question.ts');
    const isMember =
      existsSync(parent) && readFileSync(parent, 'utf8').includes(`from './${basename(path)}/question.js'`);
    assert.ok(isMember || table.includes(`import('./${path}/question.js')`), path);
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length <= MAX_FILES, `${path} has ${files.length} files`);
  }
});

test('a command has its place in the help and two examples that use it', async () => {
  for (const { name, command } of await loadQuestions()) {
    if (command === undefined) continue;
    assert.ok(GROUPS.includes(command.group), name);
    if (command.hidden) continue;
    assert.ok(command.examples.length >= 2, `${name} has ${command.examples.length} examples`);
    for (const [line, purpose] of command.examples) {
      assert.ok(line.startsWith(name), `${name}: ${line}`);
      assert.match(purpose, /^[^A-Z].*[^.]$|^[A-Z]{2,}/, `${name}: ${purpose}`);
    }
  }
});

test('a tool has parameters that are declared, and a toolset', async () => {
  const names = new Set<string>();
  for (const { name, tool, params } of await loadQuestions()) {
    if (tool === undefined) continue;
    assert.ok(TOOLSETS.includes(tool.toolset), name);
    assert.ok(!names.has(tool.name), `${tool.name} is declared twice`);
    names.add(tool.name);
    for (const key of Object.keys(tool.params)) assert.ok(key in params, `${tool.name}: ${key}`);
  }
  assert.ok(names.size > 0);
});

test('bounds and defaults are not written into a summary', async () => {
  for (const { name, params } of await loadQuestions()) {
    for (const [key, { summary }] of Object.entries(params as Record<string, { summary: string }>)) {
      assert.doesNotMatch(summary, /\bdefault\b|\d+ to \d+/, `${name}: ${key}: ${summary}`);
      assert.doesNotMatch(summary, /\.$/, `${name}: ${key}: a summary is no sentence`);
    }
  }
});
