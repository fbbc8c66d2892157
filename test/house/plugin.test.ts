/** The plugin for hosts of agents: its manifests, and that the package holds what they name. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import picomatch from 'picomatch';
import { OWN_MARK, SEARCHER, SEARCHER_FILE, SKILL } from '../../src/questions/agents/answer.js';
import { loadQuestions } from '../../src/questions/table.js';
import { ROOT } from './root.js';

const text = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');
const manifest = JSON.parse(text('package.json'));
const plugin = JSON.parse(text('.claude-plugin/plugin.json'));

test('the plugin is that of this version, and the marketplace offers it', () => {
  assert.match(plugin.name, /^[a-z]+(?:-[a-z]+)*$/);
  for (const key of ['name', 'version', 'description', 'license']) assert.equal(plugin[key], manifest[key], key);
  const market = JSON.parse(text('.claude-plugin/marketplace.json'));
  assert.ok(market.name && market.owner.name);
  assert.deepEqual(market.plugins, [{ name: plugin.name, source: './', description: plugin.description }]);
});

test('its server and its hook start commands of this program', async () => {
  const names = (await loadQuestions()).map(({ name }) => name);
  const { command, args } = plugin.mcpServers.socraticode;
  assert.ok(command in manifest.bin && names.includes(args.join(' ')));
  const [{ matcher, hooks }] = plugin.hooks.PostToolUse;
  assert.ok(new RegExp(`^(?:${matcher})$`).test('Grep'));
  const [, program, words] = /^(\S+) ([a-z ]+) 2>\/dev\/null \|\| true$/.exec(hooks[0].command) ?? [];
  assert.ok(program in manifest.bin && names.includes(words), hooks[0].command);
});

test('Cursor and Gemini CLI get the same server and the same words', () => {
  const cursor = JSON.parse(text('.cursor-plugin/plugin.json'));
  for (const key of ['name', 'version', 'description', 'license', 'keywords', 'author', 'mcpServers'])
    assert.deepEqual(cursor[key], plugin[key], key);
  for (const folder of [cursor.skills, cursor.agents]) assert.ok(existsSync(new URL(folder, ROOT)), folder);
  const { name, version, description, mcpServers } = plugin;
  assert.deepEqual(JSON.parse(text('gemini-extension.json')), { name, version, description, mcpServers });
});

test('its skill and its agent are those that `agents install` writes, and the package holds all of it', () => {
  const skill = 'skills/git-socraticode/SKILL.md';
  const agent = `agents/${SEARCHER}.md`;
  assert.equal(text(skill), SKILL.replace(`${OWN_MARK}\n\n`, ''));
  assert.equal(text(agent), SEARCHER_FILE.replace(`${OWN_MARK}\n\n`, ''));
  const isPacked = picomatch(manifest.files, { dot: true });
  const manifests = ['.claude-plugin/plugin.json', '.claude-plugin/marketplace.json', '.cursor-plugin/plugin.json'];
  for (const file of [...manifests, 'gemini-extension.json', skill, agent])
    assert.ok(existsSync(new URL(file, ROOT)) && isPacked(file), file);
});
