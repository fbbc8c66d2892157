/** The hook that checks messages of this repository's own commits, run by real git. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { capturedGit } from '../support/repositories/hooks.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { ROOT } from './root.js';

const HOOKS = makeDirectory('hooks');
const HOOK = fileURLToPath(new URL('hooks/commit-msg', ROOT));
// As husky runs it: a command that fails ends it.
writeFileSync(join(HOOKS, 'commit-msg'), `#!/bin/sh\nexec sh -e '${HOOK}' "$@"\n`, { mode: 0o755 });

/** A repository with a commit, whose hook is on from now on. */
function hooked(): TestRepo {
  const repo = createRepo();
  repo.commit(
    { 'src/a.ts': 'export const a = 1;\n', 'docs/a.md': 'a\n' },
    'old subjects, which are long and say; as these did, two things at once, and so on.',
  );
  repo.git('config', 'core.hooksPath', HOOKS);
  return repo;
}

function tryCommit(repo: TestRepo, message: string, ...options: string[]): string {
  const { status, stderr } = capturedGit(
    repo.dir,
    ['commit', '-q', '--allow-empty', '-a', ...options, '-m', message],
    {},
  );
  assert.equal(status === 0, stderr === '', stderr);
  return stderr;
}

test('a subject is one thing of one area, in the imperative, and at most 72 characters long', () => {
  const repo = hooked();
  const longest = `docs: ${'ü'.repeat(66)}`;
  for (const good of ['git: read tags', 'test/house: keep a file.ts together', longest, 'why: address every note'])
    assert.equal(tryCommit(repo, good), '', good);
  const refused: [message: string, why: RegExp][] = [
    ['read tags', /area: imperative/],
    ['Git: read tags', /area: imperative/],
    ['git, serve: read tags', /one area/],
    ['git: the tags are read', /"the" is no imperative/],
    ['git: adds tags', /"adds" is no imperative/],
    ['git: read tags; serve: list them', /make two commits/],
    ['git: read tags.', /full stop/],
    [`${longest}x`, /has 73 characters; at most 72/],
    ['git: read tags\nand branches', /second line should be empty/],
  ];
  for (const [message, why] of refused) {
    const said = tryCommit(repo, message);
    assert.match(said, why, message);
    assert.match(said, /git commit -e -F ".*COMMIT_EDITMSG"/, 'the message is not lost');
    assert.equal(said.match(/^ {2}- /gm)?.length, 1, said);
  }
});

test('a body is wanted where code of src changes, not for comments, documents and tests', () => {
  const repo = hooked();
  repo.write({
    'src/a.ts': '/**\n * The first.\n */\n// No more.\nexport const a = 1;\n',
    'docs/a.md': 'b\n',
    'src/README.md': 'c\n',
  });
  repo.git('add', '.');
  assert.equal(tryCommit(repo, 'base: describe a'), '');
  repo.write({ 'src/a.ts': 'export const a = 2;\n' });
  assert.match(tryCommit(repo, 'base: count two'), /a body should say why/);
  assert.match(tryCommit(repo, 'base: count two\n\nSigned-off-by: A <a@example.com>'), /a body should say why/);
  assert.equal(tryCommit(repo, 'base: count two\n\nOne was too few: it answered 1 before, and 2 now.'), '');
  // What `-v` shows below the scissors is no body.
  repo.write({ 'src/a.ts': 'export const a = 3;\n' });
  const { status, stderr } = capturedGit(repo.dir, ['commit', '-a', '-v', '-e', '-m', 'base: count three'], {
    GIT_EDITOR: 'true',
  });
  assert.notEqual(status, 0);
  assert.match(stderr, /a body should say why/);
});

test('messages that git makes or takes over pass: merges, reverts, picks, rebases, fixups', () => {
  const repo = hooked();
  const run = (...args: string[]) => {
    const { status, stderr } = capturedGit(repo.dir, args, { GIT_EDITOR: 'true' });
    assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  };
  const old = repo.git('rev-parse', 'HEAD');
  const side = (content: string, base: string) => {
    run('checkout', '-q', '--detach', base);
    repo.write({ 'src/a.ts': content });
    run(
      'commit',
      '-q',
      '-a',
      '--no-verify',
      '-m',
      'Side; a long subject of other days, with two things in it and a full stop at the end.',
    );
    return repo.git('rev-parse', 'HEAD');
  };
  const one = side('export const a = 10;\n', old);
  const two = side('export const a = 20;\n', old);
  for (const [command, end] of [
    ['merge', ['commit', '-q', '--no-edit']],
    ['cherry-pick', ['cherry-pick', '--continue']],
    ['rebase', ['rebase', '--continue']],
  ] as const) {
    run('checkout', '-q', '--detach', two);
    assert.notEqual(capturedGit(repo.dir, [command, one], {}).status, 0, 'a conflict');
    repo.write({ 'src/a.ts': 'export const a = 30;\n' });
    run('add', '.');
    run(...end);
  }
  run('checkout', '-q', '--detach', two);
  run('revert', '--no-edit', 'HEAD');
  run('checkout', '-q', '--detach', two);
  repo.write({ 'src/a.ts': 'export const a = 40;\n' });
  run('commit', '-q', '-a', '--fixup', two);
  run('rebase', '-q', '-i', '--autosquash', `${two}^`);
  run('merge', '--no-ff', '-m', 'Merge a side', '-s', 'ours', one);
});
