/** The plugin for Claude Code: its manifests, and that the package holds what they name. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import picomatch from 'picomatch';
import { OWN_MARK, SKILL } from '../../src/questions/agents/answer.js';
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

test('its skill is the one that `agents install` writes, and the package holds all of it', () => {
  const skill = 'skills/git-socraticode/SKILL.md';
  assert.equal(text(skill), SKILL.replace(`${OWN_MARK}\n\n`, ''));
  const isPacked = picomatch(manifest.files, { dot: true });
  for (const file of ['.claude-plugin/plugin.json', '.claude-plugin/marketplace.json', skill])
    assert.ok(existsSync(new URL(file, ROOT)) && isPacked(file), file);
});
