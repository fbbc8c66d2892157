/** Files that tell agents about the program: written once, renewed, kept where they are not ours, and removed whole. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
repo.commit({ 'src/a.ts': 'export const a = 1;\n', 'CLAUDE.md': '# Rules\n\nBe brief.\n' }, 'begin');
const { text, refusal } = await openTold(repo);
const read = (path: string) => readFileSync(join(repo.dir, path), 'utf8');

test('a dry run writes nothing and says what it would do; an install writes it, and a second finds it', async () => {
  assert.equal(
    await text('agents status'),
    `
agents  not installed AGENTS.md
agents  not installed .agents/skills/git-socraticode/SKILL.md
claude  not installed CLAUDE.md
claude  not installed .claude/skills/git-socraticode/SKILL.md
claude  not installed .claude/agents/code-searcher.md
claude  not installed .claude/settings.json (hook: the symbols around what other searches find)
copilot not installed .github/skills/git-socraticode/SKILL.md
copilot not installed .github/agents/code-searcher.agent.md
gemini  not installed GEMINI.md
gemini  not installed .gemini/agents/code-searcher.md
cursor  not installed .cursor/rules/git-socraticode.mdc
cursor  not installed .cursor/agents/code-searcher.md
exit 1
`,
  );
  assert.equal(
    await text('agents install', { dryRun: true }),
    `
claude  would add a section to CLAUDE.md
claude  would create .claude/skills/git-socraticode/SKILL.md
claude  would create .claude/agents/code-searcher.md
`,
  );
  assert.equal(read('CLAUDE.md'), '# Rules\n\nBe brief.\n');
  assert.equal(
    await text('agents install', { client: ['claude', 'cursor', 'agents'], hooks: true }),
    `
agents  created AGENTS.md
agents  created .agents/skills/git-socraticode/SKILL.md
claude  added a section to CLAUDE.md
claude  created .claude/skills/git-socraticode/SKILL.md
claude  created .claude/agents/code-searcher.md
claude  created .claude/settings.json (hook: the symbols around what other searches find)
cursor  created .cursor/rules/git-socraticode.mdc
cursor  created .cursor/agents/code-searcher.md
`,
  );
  assert.equal(
    await text('agents install', { client: ['cursor'] }),
    `
cursor  unchanged .cursor/rules/git-socraticode.mdc
cursor  unchanged .cursor/agents/code-searcher.md
`,
  );
  assert.equal(
    await text('agents status', { client: ['claude', 'gemini'] }),
    `
claude  installed CLAUDE.md
claude  installed .claude/skills/git-socraticode/SKILL.md
claude  installed .claude/agents/code-searcher.md
claude  installed .claude/settings.json (hook: the symbols around what other searches find)
gemini  not installed GEMINI.md
gemini  not installed .gemini/agents/code-searcher.md
`,
  );
});

test('a part of another version is renewed, a file that is not ours is kept, and one that cannot be read is left alone', async () => {
  const section = read('AGENTS.md');
  repo.write({
    'AGENTS.md': section.replace('before grep', 'after grep'),
    '.claude/settings.json': '{ "hooks": [] }',
  });
  const rule = repo.git('ls-files', '-o', '--', '.cursor');
  repo.write({ [rule]: 'my own words\n' });
  assert.equal(
    await text('agents status', { client: ['agents', 'claude', 'cursor'] }),
    `
agents  installed, of another version AGENTS.md
agents  installed .agents/skills/git-socraticode/SKILL.md
claude  installed CLAUDE.md
claude  installed .claude/skills/git-socraticode/SKILL.md
claude  installed .claude/agents/code-searcher.md
claude  left alone .claude/settings.json: "hooks" is not an object
cursor  installed .cursor/rules/git-socraticode.mdc
cursor  installed .cursor/agents/code-searcher.md
`,
  );
  assert.equal(
    await text('agents install', { client: ['agents', 'claude', 'cursor'], hooks: true }),
    `
agents  renewed AGENTS.md
agents  unchanged .agents/skills/git-socraticode/SKILL.md
claude  unchanged CLAUDE.md
claude  unchanged .claude/skills/git-socraticode/SKILL.md
claude  unchanged .claude/agents/code-searcher.md
claude  left alone .claude/settings.json: "hooks" is not an object
cursor  unchanged .cursor/rules/git-socraticode.mdc
cursor  unchanged .cursor/agents/code-searcher.md
`,
  );
  assert.equal(read('AGENTS.md'), section);
  assert.equal(read(rule), 'my own words\n');
});

test('uninstalling removes exactly what was added', async () => {
  repo.write({ '.claude/settings.json': '{}' });
  await text('agents install', { client: ['claude'], hooks: true });
  assert.equal(
    await text('agents uninstall', { dryRun: true }),
    `
agents  would delete AGENTS.md
agents  would delete .agents/skills/git-socraticode/SKILL.md
claude  would remove the section from CLAUDE.md
claude  would delete .claude/skills/git-socraticode/SKILL.md
claude  would delete .claude/agents/code-searcher.md
claude  would remove the hook from .claude/settings.json
copilot unchanged .github/skills/git-socraticode/SKILL.md
copilot unchanged .github/agents/code-searcher.agent.md
gemini  unchanged GEMINI.md
gemini  unchanged .gemini/agents/code-searcher.md
cursor  would delete .cursor/rules/git-socraticode.mdc
cursor  would delete .cursor/agents/code-searcher.md
`,
  );
  assert.equal(
    await text('agents uninstall'),
    `
agents  deleted AGENTS.md
agents  deleted .agents/skills/git-socraticode/SKILL.md
claude  removed the section from CLAUDE.md
claude  deleted .claude/skills/git-socraticode/SKILL.md
claude  deleted .claude/agents/code-searcher.md
claude  removed the hook from .claude/settings.json
copilot unchanged .github/skills/git-socraticode/SKILL.md
copilot unchanged .github/agents/code-searcher.agent.md
gemini  unchanged GEMINI.md
gemini  unchanged .gemini/agents/code-searcher.md
cursor  deleted .cursor/rules/git-socraticode.mdc
cursor  deleted .cursor/agents/code-searcher.md
`,
  );
  assert.equal(read('CLAUDE.md'), '# Rules\n\nBe brief.\n');
  assert.equal(read('.claude/settings.json'), '{}');
  assert.equal(existsSync(join(repo.dir, 'AGENTS.md')), false);
  assert.equal(
    await text('agents uninstall'),
    `
agents  unchanged AGENTS.md
agents  unchanged .agents/skills/git-socraticode/SKILL.md
claude  unchanged CLAUDE.md
claude  unchanged .claude/skills/git-socraticode/SKILL.md
claude  unchanged .claude/agents/code-searcher.md
claude  unchanged .claude/settings.json
copilot unchanged .github/skills/git-socraticode/SKILL.md
copilot unchanged .github/agents/code-searcher.agent.md
gemini  unchanged GEMINI.md
gemini  unchanged .gemini/agents/code-searcher.md
cursor  unchanged .cursor/rules/git-socraticode.mdc
cursor  unchanged .cursor/agents/code-searcher.md
`,
  );
  assert.equal(
    await refusal('agents install', { client: ['gemini'], hooks: true }),
    'BAD_ARGUMENT: none of these hosts takes hooks (Name one that does: claude.)',
  );
});
