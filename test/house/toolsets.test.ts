/** The page for coding agents names every tool there is, in its toolset. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadTools, TOOLSETS } from '../../src/mcp/tool-call.js';
import { ROOT } from './root.js';

test('docs/agents.md lists the toolsets with their tools', async () => {
  const page = readFileSync(new URL('docs/agents.md', ROOT), 'utf8');
  const tools = [...(await loadTools(TOOLSETS, false)).values()];
  for (const toolset of TOOLSETS) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${toolset}\` `)) ?? '';
    const named = [...row.replace(/^\| `\w+`/, '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const there = tools.filter((tool) => tool.toolset === toolset).map(({ name }) => name.replace('codebase_', ''));
    assert.deepEqual(named.sort(), there.sort(), toolset);
  }
});
