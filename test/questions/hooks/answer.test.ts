/** Hooks: what is written, what a status says of each, and what is taken away. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
repo.commit({ 'a.ts': '1\n' }, 'begin');
const { text } = await openTold(repo);
const masked = (told: string) => told.replaceAll(repo.dir, 'REPO').replace(/^program .*$/m, 'program');
const hooks = async (name: string, given = {}) => masked(await text(`hooks ${name}`, given));
const hook = (name: string) => join(repo.dir, '.git/hooks', name);

test('a status before and after, the parts that are printed, and a second install', async () => {
  assert.equal(
    await hooks('status'),
    `
run by          REPO/.git/hooks
post-commit     absent
post-merge      absent
post-checkout   absent
post-rewrite    absent
post-applypatch absent
pre-push        absent
program
worker          not running
queue           0 events
log             REPO/.git/socraticode/log.jsonl
exit 1
`,
  );
  assert.match(await hooks('install', { print: true }), /post-commit/);
  assert.equal(existsSync(hook('post-commit')), false);
  assert.equal(
    await hooks('install'),
    `
post-commit     created (REPO/.git/hooks/post-commit)
post-merge      created (REPO/.git/hooks/post-merge)
post-checkout   created (REPO/.git/hooks/post-checkout)
post-rewrite    created (REPO/.git/hooks/post-rewrite)
post-applypatch created (REPO/.git/hooks/post-applypatch)
`,
  );
  assert.equal(
    await hooks('install'),
    `
post-commit     unchanged (REPO/.git/hooks/post-commit)
post-merge      unchanged (REPO/.git/hooks/post-merge)
post-checkout   unchanged (REPO/.git/hooks/post-checkout)
post-rewrite    unchanged (REPO/.git/hooks/post-rewrite)
post-applypatch unchanged (REPO/.git/hooks/post-applypatch)
`,
  );
  assert.equal(
    await hooks('install', { share: true }),
    `
post-commit     unchanged (REPO/.git/hooks/post-commit)
post-merge      unchanged (REPO/.git/hooks/post-merge)
post-checkout   unchanged (REPO/.git/hooks/post-checkout)
post-rewrite    unchanged (REPO/.git/hooks/post-rewrite)
post-applypatch unchanged (REPO/.git/hooks/post-applypatch)
pre-push        created (REPO/.git/hooks/pre-push)
`,
  );
  assert.equal(
    await hooks('status'),
    `
run by          REPO/.git/hooks
post-commit     installed (REPO/.git/hooks/post-commit)
post-merge      installed (REPO/.git/hooks/post-merge)
post-checkout   installed (REPO/.git/hooks/post-checkout)
post-rewrite    installed (REPO/.git/hooks/post-rewrite)
post-applypatch installed (REPO/.git/hooks/post-applypatch)
pre-push        installed (REPO/.git/hooks/pre-push)
program
worker          not running
queue           0 events
log             REPO/.git/socraticode/log.jsonl
`,
  );
});

test('what somebody else wrote stays, and exactly the added part is taken away', async () => {
  repo.write({
    '.git/hooks/post-merge': `#!/bin/sh\necho mine\n${readFileSync(hook('post-merge'), 'utf8').replace('#!/bin/sh\n', '')}`,
  });
  assert.match(await hooks('uninstall', { print: true }), /post-merge/);
  assert.equal(
    await hooks('uninstall'),
    `
post-commit     deleted (REPO/.git/hooks/post-commit)
post-merge      removed (REPO/.git/hooks/post-merge)
post-checkout   deleted (REPO/.git/hooks/post-checkout)
post-rewrite    deleted (REPO/.git/hooks/post-rewrite)
post-applypatch deleted (REPO/.git/hooks/post-applypatch)
pre-push        deleted (REPO/.git/hooks/pre-push)
`,
  );
  assert.equal(readFileSync(hook('post-merge'), 'utf8'), '#!/bin/sh\necho mine\n');
  assert.equal(existsSync(hook('post-commit')), false);
  assert.equal(
    await hooks('uninstall'),
    `
no hooks of git-socraticode are installed here
`,
  );
});
