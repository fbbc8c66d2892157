/** Asks a process of its own many command lines at once, which costs less than a process each. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer } from '../in-process/answer.js';
import '../repositories/repo.js';
import { outputOf } from './output.js';

const ASKER = fileURLToPath(new URL('./asker.js', import.meta.url));

/** Rejects if the process crashed, or did not answer. */
export async function ask(cwd: string, questions: readonly string[][], env: NodeJS.ProcessEnv = {}): Promise<Answer[]> {
  const child = spawn(process.execPath, [ASKER], { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
  const { code, signal, stdout, stderr } = await outputOf(child, JSON.stringify(questions));
  if (code !== 0) throw new Error(`the asker ended with ${signal ?? code}: ${stderr}`);
  return JSON.parse(stdout) as Answer[];
}
