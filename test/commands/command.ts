/** Frame of the tests in this folder: one end-to-end test of a command, run by the built program in a process of its own. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type CliOptions, type CliResult, cli } from '../support/processes/cli.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

/** Runs the command under test with more arguments; fails unless it ends with `code` (0 where left out). */
export type RunCommand = (repo: TestRepo, args?: readonly string[], options?: RunOptions) => Promise<CliResult>;
export interface RunOptions extends CliOptions {
  code?: number;
}

/** The test of the command `name`; `test/house/commands.test.ts` looks for one call per command of the program. */
export function command(name: string, does: string, body: (run: RunCommand, t: TestContext) => Promise<void>): void {
  const run: RunCommand = async (repo, args = [], { code = 0, ...options } = {}) => {
    const result = await cli([...name.split(' '), ...args], { cwd: repo.dir, ...options });
    assert.equal(result.code, code, `${name} ${args.join(' ')}: ${result.stderr || result.stdout}`);
    return result;
  };
  test(`${name}: ${does}`, (t) => body(run, t));
}

const CALLERS = {
  'src/login.ts':
    "import { SessionStore } from './session';\n\nexport function login(user: string): void {\n  new SessionStore().rememberToken(user, 'x');\n}\n",
  'src/main.ts': "import { login } from './login';\n\nlogin('ann');\n",
};

/** Brings about what the command under test needs: any order of tests, and one of them alone, give the same result. */
export async function given(repo: TestRepo, ...args: string[]): Promise<void> {
  const { code, stderr } = await cli(args, { cwd: repo.dir });
  assert.equal(code, 0, stderr);
}

/** A repository of two commits: a small project, and callers of what it defines. */
export function smallRepo(): TestRepo {
  const repo = createRepo();
  repo.commit(PROJECT, 'a project');
  repo.commit(CALLERS, 'a login');
  return repo;
}
