/** Hooks that people have: what installing and uninstalling do to them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HooksChange, hooksChangeSchema } from '../../../../src/questions/hooks/question.js';
import { ROOT } from '../../../house/root.js';
import { check } from '../../check.js';
import { CLI } from '../../processes/cli.js';
import { capturedGit, hooksCommand, logged, pathWith } from '../../repositories/hooks.js';
import { createRepo, makeDirectory, type TestRepo } from '../../repositories/repo.js';

const HUSKY = fileURLToPath(new URL('node_modules/husky/bin.js', ROOT));

export async function change(
  repo: TestRepo,
  action: 'install' | 'uninstall',
  ...flags: string[]
): Promise<HooksChange> {
  const { code, stdout, stderr } = await hooksCommand(repo, action, ...flags, '--json');
  assert.notEqual(code, 2, stderr);
  return check(hooksChangeSchema, JSON.parse(stdout));
}

/** Every file and link of some folders, with modes and bytes, and the configuration. */
export function everything(repo: TestRepo, ...folders: string[]): Record<string, string> {
  const files: Record<string, string> = { config: readFileSync(join(repo.commonDir, 'config'), 'latin1') };
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const text = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path, 'latin1') : '';
      files[path] = `${stat.mode.toString(8)} ${stat.mtimeMs > 0} ${text}`;
    }
  }
  return files;
}

/** Name -> text, mode, and whether our lines can stand in it. */
const TEXTS: Readonly<Record<string, readonly [text: string, mode: number, takes: boolean]>> = {
  plain: ['#!/bin/sh\necho theirs >>ran\n', 0o755, true],
  'CRLF after the first line': ['#!/bin/sh\necho theirs >>ran\r\n', 0o755, true],
  'it ends early': ['#!/bin/sh\necho theirs >>ran\nexit 0\n', 0o775, true],
  'CRLF throughout': ['#!/bin/sh\r\necho theirs\r\n', 0o755, true],
  'no newline at the end': ['#!/usr/bin/env bash\nset -euo pipefail\necho theirs >>ran', 0o755, true],
  'a first line alone': ['#!/bin/sh', 0o755, true],
  'bytes of another encoding': ['#!/bin/sh\n# caf\xe9 \xff\xfe\necho theirs >>ran\n', 0o711, true],
  'not executable': ['#!/bin/sh\necho theirs\n', 0o644, false],
  python: ['#!/usr/bin/env python3\nprint(1)\n', 0o755, false],
  node: ['#!/usr/bin/env node\nconsole.log(1)\n', 0o755, false],
  perl: ['#!/usr/bin/perl -w\nprint 1;\n', 0o755, false],
  'a program': ['\x7fELF\0\0\0', 0o755, false],
  'it reads itself': ['#!/bin/sh\ntail -n +3 "$0" | sh\n', 0o755, false],
  empty: ['', 0o755, false],
};

const COMMITTED = ['commit', '--allow-empty', '-q', '-m', 'x'];

/** Installs, installs again, commits, and uninstalls, in one repository for each hook of the table. Returns how many. */
export async function existingHooks(every: number): Promise<number> {
  const one = async ([name, [text, mode, takes]]: [string, (typeof TEXTS)[string]]) => {
    const repo = createRepo();
    const hook = join(repo.dir, '.git/hooks/post-commit');
    repo.write({ '.git/hooks/post-commit': Buffer.from(text, 'latin1') });
    chmodSync(hook, mode);
    const hooks = join(repo.dir, '.git/hooks');
    const before = everything(repo, hooks);
    const theirs = capturedGit(repo.dir, COMMITTED);
    const report = await change(repo, 'install', '--share');
    const installed = report.hooks.find(({ event }) => event === 'post-commit');
    assert.equal(installed?.change, takes ? 'add' : 'refuse', name);
    const after = everything(repo, hooks);
    await change(repo, 'install', '--share');
    assert.deepEqual(everything(repo, hooks), after, name);
    const ours = capturedGit(repo.dir, COMMITTED, { PATH: '/usr/bin:/bin' });
    assert.deepEqual([ours.status, ours.stdout, ours.stderr], [theirs.status, theirs.stdout, theirs.stderr], name);
    // Theirs ends before ours would begin, if ours were at the end.
    if (name === 'it ends early') await logged(repo, /indexed .*post-commit/);
    await change(repo, 'uninstall');
    assert.deepEqual(everything(repo, hooks), before, name);
  };
  const cases = Object.entries(TEXTS).filter((_, i) => i % every === 0);
  for (let i = 0; i < cases.length; i += 4) await Promise.all(cases.slice(i, i + 4).map(one));
  return cases.length;
}

/** A link, husky, and a directory that several repositories share. */
export async function managedHooks(): Promise<number> {
  const linked = createRepo();
  const target = join(makeDirectory('elsewhere'), 'hook');
  symlinkSync(target, join(linked.dir, '.git/hooks/post-commit'));
  const husky = createRepo();
  const { status, stderr } = spawnSync(process.execPath, [HUSKY], { cwd: husky.dir, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  husky.write({ '.husky/post-commit': 'echo theirs\n', 'a.ts': 'export const a = 1;\n' });
  const shared = makeDirectory('shared');
  const sharing = createRepo();
  sharing.git('config', 'core.hooksPath', shared);
  const own = createRepo();
  own.git('config', 'core.hooksPath', '.githooks');
  mkdirSync(join(own.dir, '.githooks'));
  const cases: [TestRepo, string[]][] = [
    [linked, [join(linked.dir, '.git/hooks'), join(target, '..')]],
    [husky, [join(husky.dir, '.husky'), join(husky.dir, '.husky/_')]],
    [sharing, [shared, join(sharing.dir, '.git/hooks')]],
    [own, [join(own.dir, '.githooks'), join(own.dir, '.git/hooks')]],
  ];
  for (const [repo, folders] of cases) {
    const before = everything(repo, ...folders);
    const report = await change(repo, 'install', '--share');
    if (repo === husky) await commitsWithHusky(repo, report);
    await change(repo, 'uninstall');
    assert.deepEqual(everything(repo, ...folders), before);
  }
  return cases.length;
}

/** Ours runs beside theirs, by `sh -e`, and what husky makes stays as it made it. */
async function commitsWithHusky(repo: TestRepo, { manager, committed, hooks }: HooksChange): Promise<void> {
  assert.deepEqual([manager, committed, hooks[0].event, hooks[0].change], ['husky', true, 'post-commit', 'add']);
  repo.git('add', '.');
  const path = pathWith('git-socraticode', `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  const { status, stderr } = capturedGit(repo.dir, ['commit', '-m', 'x'], { PATH: path });
  assert.deepEqual([status, stderr], [0, 'theirs\n']);
  await logged(repo, /indexed .*post-commit/);
}
