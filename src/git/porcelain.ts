/**
 * Remotes through simple-git, which suits short text answers. All other commands need streams, paths as bytes and memory bounds, which it
 * does not offer (`process`).
 */
import { simpleGit } from 'simple-git';
import { gitEnvironment, SAFE_SETTINGS } from './process.js';
import { headBranch, type Repository } from './repository.js';

interface BranchAndRemotes {
  /** Null with a detached HEAD. */
  branch: string | null;
  remotes: string[];
}

/** Variables with the user's paths of configuration. simple-git accepts only those that are named. */
const CONFIG_PATHS = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];

export async function readBranchAndRemotes(repository: Repository): Promise<BranchAndRemotes> {
  const git = simpleGit({
    baseDir: repository.workTree ?? repository.gitDir,
    config: SAFE_SETTINGS,
    // simple-git calls these settings unsafe whatever their values; ours switch the features off.
    unsafe: {
      ...{ allowUnsafeFsMonitor: true, allowUnsafeHooksPath: true, allowUnsafeProtocolOverride: true },
      allowUnsafeConfigPaths: true,
    },
    allowEnvironment: [...CONFIG_PATHS, 'GIT_DIR'],
  }).env({ ...porcelainEnvironment(), GIT_DIR: repository.gitDir });
  const [branch, remotes] = await Promise.all([headBranch(repository), git.getRemotes()]);
  return { branch, remotes: remotes.map(({ name }) => name) };
}

/** Leaves out variables that name programs (editor, pager, ssh): simple-git refuses them, and none is needed here. */
function porcelainEnvironment(): Record<string, string> {
  const wanted = ['PATH', 'HOME', 'LC_ALL', 'SystemRoot', ...CONFIG_PATHS];
  const env = gitEnvironment();
  return Object.fromEntries(wanted.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
