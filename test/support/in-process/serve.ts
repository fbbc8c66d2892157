/** A server's repositories inside the test process, with what its background does in processes of their own. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { makeDirectory as makeLevels } from '../../../src/base/atomic.js';
import { acquireLock } from '../../../src/base/lock.js';
import type { Project } from '../../../src/serve/project.js';
import { Projects, type ProjectsOptions } from '../../../src/serve/projects.js';
import type { TestRepo } from '../repositories/repo.js';

/** Closed after the test. */
export function serve(t: TestContext, repo: TestRepo, options: Partial<ProjectsOptions> = {}): Projects {
  const projects = new Projects({ directory: repo.dir, ...options });
  t.after(() => projects.close());
  return projects;
}

/** Holds the writer lock, as another process that writes would; returns what lets it go. */
export async function holdWriterLock(repo: TestRepo): Promise<() => void> {
  makeLevels(repo.state);
  return acquireLock(join(repo.state, 'writer.lock'));
}

/** Resolves when it is so; the test's own time limit ends a wait in vain. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Resolves when nothing is left to do in the background. */
export async function untilIdle({ background }: Project): Promise<void> {
  await until(() => !background.isBusy);
}
