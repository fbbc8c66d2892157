/** Ctrl-C: git gets it as well as this program, and dies in the middle of an answer. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

/** A git that sends the signal of Ctrl-C to its whole process group when it is asked for `command`. */
function interruptingGit(command: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'interrupting-git-'));
  const script = `#!/bin/sh
case " $* " in *" ${command} "*) mkdir "$0.once" 2>/dev/null && kill -INT 0;; esac
PATH="$REAL_PATH" exec git "$@"
`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  return folder;
}

test('Ctrl-C of a search says that it was cancelled, whichever git it ends, and exits with 2', async () => {
  const { PATH = '' } = process.env;
  for (const command of ['rev-parse', 'cat-file', 'status', 'ls-tree']) {
    const repo = createRepo();
    repo.commit(PROJECT, 'a project');
    const { code, stdout, stderr } = await cli(['search', 'how are tokens remembered', '--json'], {
      cwd: repo.dir,
      detached: true,
      env: { PATH: [interruptingGit(command), PATH].join(delimiter), REAL_PATH: PATH },
    });
    assert.equal(code, 2, `${command}: ${stderr}`);
    assert.match(stderr, /^git-socraticode: cancelled\n {2}\S[^\n]*\n$/, command);
    assert.equal(JSON.parse(stdout).error.code, 'CANCELLED', command);
  }
});
