/** Reads the settings of the user's fleet. Repositories have no say: an address decides where code and a token go. */
import { resolveConfig } from '../../config/resolve.js';
import type { Config } from '../../config/types.js';
import { Git } from '../../git/process.js';
import { readGitConfig } from '../../git/worktree.js';
import { LANGUAGE_IDS } from '../../languages/ids.js';

/** Settings of the user and of the environment alone. Works outside of any repository. Throws BAD_CONFIG and GIT_MISSING. */
export async function userConfig(env: NodeJS.ProcessEnv, directory = '.'): Promise<Config> {
  const all = await readGitConfig(new Git(directory));
  const gitConfig = all.filter(({ scope }) => scope === 'system' || scope === 'global');
  return resolveConfig({ env, gitConfig, languageIds: LANGUAGE_IDS }).config;
}
