/** Configurations of agents: printed, written, found again, kept where they are others' and removed whole. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
repo.commit({ 'a.ts': '1\n', '.vscode/settings.json': '{}\n' }, 'begin');
const { text, refusal } = await openTold(repo, { command: { io: { env: process.env } } as never });
const mcp = async (name: string, given: object = {}) =>
  (await text(`mcp ${name}`, { ...given }))
    .replaceAll(repo.dir, 'REPO')
    .replaceAll(process.execPath, 'NODE')
    .replace(/"[^"]*"(, ?\n? *"[^"]*")*(?=\s*,?\s*"mcp")/g, '"PROGRAM"');
const read = (path: string) => readFileSync(join(repo.dir, path), 'utf8');

test('a dry run writes nothing; an install writes entries, and a second finds them', async () => {
  assert.match(await mcp('install', { client: ['claude'], dryRun: true }), /would/);
  assert.match(await mcp('install', { client: ['claude', 'cursor'] }), /\.mcp\.json/);
  assert.ok(JSON.parse(read('.mcp.json')).mcpServers.socraticode);
  assert.ok(JSON.parse(read('.cursor/mcp.json')).mcpServers.socraticode);
  assert.match(await mcp('install', { client: ['claude'] }), /unchanged|already/);
  assert.match(await mcp('install', { client: ['claude'], readOnly: true }), /--force|differs/);
  assert.match(
    await mcp('install', { client: ['claude'], readOnly: true, toolsets: 'core,graph', force: true }),
    /replaced|renewed|updated/,
  );
  assert.match(JSON.stringify(JSON.parse(read('.mcp.json'))), /--read-only.*core,graph|core,graph.*--read-only/);
  assert.match(await refusal('mcp install', { client: ['claude'], toolsets: 'cor' }), /^BAD_ARGUMENT: .*cor/);
});

test('another name is another entry, and only what was added is taken away', async () => {
  const before = JSON.stringify({ mcpServers: { mine: { command: 'mine' } } }, null, 2);
  repo.write({ '.cursor/mcp.json': `${before}\n` });
  await mcp('install', { client: ['cursor'], name: 'other' });
  assert.deepEqual(Object.keys(JSON.parse(read('.cursor/mcp.json')).mcpServers), ['mine', 'other']);
  assert.doesNotMatch(await mcp('uninstall', { client: ['cursor'] }), /removed/);
  assert.match(await mcp('uninstall', { client: ['cursor'], name: 'other' }), /\.cursor\/mcp\.json/);
  assert.equal(read('.cursor/mcp.json'), `${before}\n`);
});
