/**
 * Frame of the tests in this folder: one end-to-end test of a command. Its command line is parsed and answered by the test's own
 * process: a process for each costs 0.3 s to load the program, half of the fast loop.
 * `test/cli/processes.test.ts` asks the built program for what a process adds, and so does all of `test/e2e`.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Answer, answer } from '../support/in-process/answer.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

/** Runs the command under test with more arguments; fails unless it ends with `code` (0 where left out). */
export type RunCommand = (repo: TestRepo, args?: readonly string[], options?: RunOptions) => Promise<Answer>;
export interface RunOptions {
  code?: number;
  /** Its standard input. */
  input?: string;
}

/** Answers a command line as in the repository's directory. */
function answerIn(repo: TestRepo, args: readonly string[], input?: string): Promise<Answer> {
  process.chdir(repo.dir);
  return answer(args, input);
}

/** The test of the command `name`; `test/house/commands.test.ts` looks for one call per command of the program. */
export function command(name: string, does: string, body: (run: RunCommand, t: TestContext) => Promise<void>): void {
  const run: RunCommand = async (repo, args = [], { code = 0, input } = {}) => {
    const result = await answerIn(repo, [...name.split(' '), ...args], input);
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
  const { code, stderr } = await answerIn(repo, args);
  assert.equal(code, 0, stderr);
}

/** A repository of two commits: a small project, and callers of what it defines. */
export function smallRepo(): TestRepo {
  const repo = createRepo();
  repo.commit(PROJECT, 'a project');
  repo.commit(CALLERS, 'a login');
  return repo;
}
