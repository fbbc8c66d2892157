/** What a person would ask git in a terminal, through simple-git: branch and remotes. Never on the hot path. */
import { simpleGit } from 'simple-git';
import { gitEnvironment, SAFE_SETTINGS } from './process.js';
import type { Repository } from './repository.js';

export interface Surroundings {
  /** Null with a detached HEAD. */
  branch: string | null;
  remotes: string[];
}

/** Variables that say where configuration is: the user's own choice, which simple-git wants to see named. */
const CONFIG_PATHS = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];

export async function readSurroundings(repository: Repository): Promise<Surroundings> {
  const git = simpleGit({
    baseDir: repository.workTree ?? repository.gitDir,
    config: SAFE_SETTINGS,
    // Settings count as unsafe whatever their values are.
    unsafe: {
      ...{ allowUnsafeFsMonitor: true, allowUnsafeHooksPath: true, allowUnsafeProtocolOverride: true },
      allowUnsafeConfigPaths: true,
    },
    allowEnvironment: [...CONFIG_PATHS, 'GIT_DIR'],
  }).env({ ...porcelainEnvironment(), GIT_DIR: repository.gitDir });
  const [branch, remotes] = await Promise.all([
    git.raw(['symbolic-ref', '--quiet', '--short', 'HEAD']).catch(() => ''),
    git.getRemotes(),
  ]);
  return { branch: branch.trim() || null, remotes: remotes.map(({ name }) => name) };
}

/** simple-git refuses variables that name programs (editor, pager, ssh): the commands here need none of them. */
function porcelainEnvironment(): Record<string, string> {
  const wanted = ['PATH', 'HOME', 'LC_ALL', 'SystemRoot', ...CONFIG_PATHS];
  const env = gitEnvironment();
  return Object.fromEntries(wanted.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
