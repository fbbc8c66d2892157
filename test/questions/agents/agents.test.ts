import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { hasSection, withoutSection, withSection } from '../../../src/questions/agents/files/section.js';
import { SECTION } from '../../../src/questions/agents/guide.js';
import { cli, cliJson } from '../../support/processes/cli.js';
import { createRepo } from '../../support/repositories/repo.js';

test('the section costs at most 350 tokens, and names commands that exist', async () => {
  const tokens = countTokens(SECTION);
  assert.ok(tokens <= 350, `${tokens} tokens`);
  const commands = [...SECTION.matchAll(/`git socraticode ([a-z]+(?: (?:references|impact))?)/g)].map(
    ([, name]) => name,
  );
  assert.ok(commands.length >= 8);
  for (const name of commands) assert.equal((await cli([...name.split(' '), '--help'])).code, 0, name);
});

test('adding and removing the section gives every text back, byte by byte', () => {
  const line = fc.oneof(fc.constantFrom('', '# Title', 'text', '<!-- note -->', '  '), fc.string());
  const text = fc
    .tuple(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n', '\r\n', '\n\n'))
    .map(([lines, eol, end]) => lines.map((each) => each.replace(/[\r\n]/g, '')).join(eol) + end);
  fc.assert(
    fc.property(text, (before) => {
      const added = withSection(before, SECTION);
      assert.ok(hasSection(added) && added.startsWith(before));
      assert.equal(withoutSection(added), before);
      assert.equal(withSection(added, SECTION), added, 'a second time changes nothing');
    }),
  );
  assert.equal(withoutSection(withSection(null, SECTION)), null);
});

test('text that comes after the section stays, and edited marks are refused', () => {
  const added = withSection('# Mine\n', SECTION);
  assert.equal(withoutSection(`${added}\n# More\n`), '# Mine\n\n# More\n');
  assert.equal(withoutSection(withSection(added.replace('grep', 'grepping'), 'short')), '# Mine\n');
  for (const bad of [added.replace('<!-- git-socraticode: end -->', ''), added + added])
    assert.throws(() => withoutSection(bad), /marks were edited/);
});

test('install writes for the hosts of the project, and uninstall leaves no trace', async () => {
  const repo = createRepo();
  const claude = '\ufeff# Rules\r\n\r\nBe kind.';
  repo.commit({ 'CLAUDE.md': claude, '.cursor/rules/own.mdc': 'own\n' });
  const run = (...args: string[]) => cli(['agents', ...args], { cwd: repo.dir });
  const planned = await run('install', '--dry-run');
  assert.match(
    planned.stdout,
    /^claude {2}would add a section to CLAUDE\.md\nclaude {2}would create \.claude\/skills\//,
  );
  assert.equal(readFileSync(join(repo.dir, 'CLAUDE.md'), 'utf8'), claude);
  assert.equal((await run('status')).code, 1);
  assert.equal((await run('install')).code, 0);
  const written = readFileSync(join(repo.dir, 'CLAUDE.md'), 'utf8');
  assert.ok(written.startsWith(`${claude}\r\n\r\n`) && !/[^\r]\n/.test(written), 'endings of lines are kept');
  assert.ok(!existsSync(join(repo.dir, 'AGENTS.md')));
  assert.match(readFileSync(join(repo.dir, '.cursor/rules/git-socraticode.mdc'), 'utf8'), /^---\ndescription: .*\n/);
  assert.match((await run('install')).stdout, /^claude {2}unchanged CLAUDE\.md$/m);
  assert.match((await run('status')).stdout, /^claude {2}installed CLAUDE\.md$/m);
  assert.equal((await run('uninstall')).code, 0);
  assert.equal(readFileSync(join(repo.dir, 'CLAUDE.md'), 'utf8'), claude);
  assert.equal(repo.git('status', '--porcelain'), '');
});

test('links are not followed, files of others are kept, and a project without a host gets AGENTS.md', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a' });
  const outside = join(createRepo().dir, 'victim.md');
  writeFileSync(outside, 'victim\n');
  const run = (...args: string[]) =>
    cliJson<{ files: { path: string; change: string }[] }>(['agents', ...args], { cwd: repo.dir });
  assert.deepEqual(
    (await run('install')).files.map(({ path, change }) => [path, change]),
    [['AGENTS.md', 'create']],
  );
  symlinkSync(outside, join(repo.dir, 'CLAUDE.md'));
  mkdirSync(join(repo.dir, '.claude/skills/git-socraticode'), { recursive: true });
  writeFileSync(join(repo.dir, '.claude/skills/git-socraticode/SKILL.md'), 'mine\n');
  const { stdout, code } = await cli(['agents', 'install', '--client', 'claude', '--json'], { cwd: repo.dir });
  assert.equal(code, 1);
  const { files } = JSON.parse(stdout) as Awaited<ReturnType<typeof run>>;
  assert.deepEqual(
    files.map(({ change }) => change),
    ['refuse', 'keep'],
  );
  assert.equal(readFileSync(outside, 'utf8'), 'victim\n');
  assert.ok(lstatSync(join(repo.dir, 'CLAUDE.md')).isSymbolicLink());
  await cli(['agents', 'uninstall'], { cwd: repo.dir });
  assert.equal(readFileSync(join(repo.dir, '.claude/skills/git-socraticode/SKILL.md'), 'utf8'), 'mine\n');
  assert.ok(!existsSync(join(repo.dir, 'AGENTS.md')));
});
