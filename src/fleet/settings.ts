/** Reads the address and the token of the user's fleet. Repositories have no say: an address decides where code and a token go. */
import { SocraticodeError } from '../base/errors.js';
import { resolveConfig } from '../config/resolve.js';
import type { Config } from '../config/types.js';
import { Git } from '../git/process.js';
import { readGitConfig } from '../git/worktree.js';
import { LANGUAGE_IDS } from '../languages/ids.js';

const TOKEN = 'SOCRATICODE_FLEET_TOKEN';

/** Settings of the user and of the environment alone. Works outside of any repository. Throws BAD_CONFIG and GIT_MISSING. */
export async function userConfig(env: NodeJS.ProcessEnv, directory = '.'): Promise<Config> {
  const all = await readGitConfig(new Git(directory));
  const gitConfig = all.filter(({ scope }) => scope === 'system' || scope === 'global');
  return resolveConfig({ env, gitConfig, languageIds: LANGUAGE_IDS }).config;
}

/** The token from the environment; null without one. Throws BAD_ARGUMENT for a text that no header can carry. */
export function fleetToken(env: NodeJS.ProcessEnv): string | null {
  const token = env[TOKEN];
  if (token === undefined || token === '') return null;
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new SocraticodeError('BAD_ARGUMENT', `${TOKEN} is no token`, {
    hint: 'A token is letters, digits and punctuation without spaces.',
  });
}
