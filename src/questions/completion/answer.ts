/** The script of a shell, or the candidates for a word that the script asks for. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../base/atomic.js';
import type { Asker } from '../asker.js';
import type { CompletionValues } from './question.js';
import { SCRIPTS, type Shell } from './scripts.js';

/** `words`: the words of a command line, which a script passes to have its last one completed. */
export async function answerCompletion(
  at: Asker,
  { shell, words, install }: CompletionValues,
): Promise<{ text: string }> {
  if (words !== undefined) {
    const { candidatesFor } = await import('./candidates.js');
    const candidates = await candidatesFor(words, at);
    return { text: candidates.map(({ word, summary }) => `${word}\t${summary}\n`).join('') };
  }
  if (!install) return { text: SCRIPTS[shell] };
  const path = scriptPath(shell, at.command?.io.env ?? process.env);
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomic(path, SCRIPTS[shell]);
  const next =
    shell === 'zsh' ? `add ${dirname(path)} to fpath before compinit, and start a new shell` : 'start a new shell';
  return { text: `written: ${path}\n${next}\n` };
}

/** Directories that the shells search without configuration; zsh has none of this user's. */
function scriptPath(shell: Shell, env: NodeJS.ProcessEnv): string {
  const data = env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share');
  const config = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  if (shell === 'bash') return join(data, 'bash-completion', 'completions', 'git-socraticode');
  if (shell === 'zsh') return join(data, 'zsh', 'site-functions', '_git-socraticode');
  // fish reads `completions/NAME.fish` when `NAME` is typed, and never for `git socraticode`; it reads all of `conf.d`.
  return join(config, 'fish', 'conf.d', 'git-socraticode.fish');
}
