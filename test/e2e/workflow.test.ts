/** The workflow for continuous integration that docs/sharing.md gives to copy: its commands do what it promises. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { IndexReport } from '../../src/questions/index/question.js';
import { ROOT } from '../house/root.js';
import { CLI, cliJson } from '../support/processes/cli.js';
import { pathWith } from '../support/repositories/hooks.js';
import { cloneRepo, createRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const PAGE = readFileSync(new URL('docs/sharing.md', ROOT), 'utf8');
const WORKFLOW = PAGE.slice(PAGE.indexOf('```yaml')).split('```')[1];
const STEPS = [...WORKFLOW.matchAll(/^ {6}- run: (.*)$/gm)].map(([, command]) => command);

test('the steps index what was pushed, in a checkout of depth one, and share it with every clone', async () => {
  const [install, ...steps] = STEPS;
  assert.match(install, /^npm install .*--ignore-scripts git-socraticode$/);
  const remote = createRepo({ bare: true });
  const author = cloneRepo(remote);
  // As after the step that installs it.
  const PATH = pathWith('git-socraticode', `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  for (const round of [1, 2]) {
    author.commit({ ...PROJECT, [`src/round${round}.ts`]: `export const round${round} = ${round};\n` });
    author.git('push', '-q', 'origin', 'HEAD:main');
    const checkout = cloneRepo(remote, '--depth=1');
    for (const step of steps) {
      const { status, stderr } = spawnSync('sh', ['-e', '-c', step], {
        cwd: checkout.dir,
        encoding: 'utf8',
        env: { ...process.env, PATH },
      });
      assert.equal(status, 0, `${step}: ${stderr}`);
    }
    assert.equal(checkout.git('rev-parse', '--is-shallow-repository'), 'true');
    const clone = cloneRepo(remote);
    const report = await cliJson<IndexReport>(['index'], { cwd: clone.dir });
    assert.deepEqual([report.new, report.files], [0, Object.keys(PROJECT).length + round]);
  }
});
