/** Asks a process of its own many command lines at once, which costs less than a process each. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer } from '../in-process/answer.js';
import '../repositories/repo.js';

const ASKER = fileURLToPath(new URL('./asker.js', import.meta.url));

/** Rejects if the process crashed, or did not answer. */
export function ask(cwd: string, questions: readonly string[][], env: NodeJS.ProcessEnv = {}): Promise<Answer[]> {
  const child = spawn(process.execPath, [ASKER], { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(questions));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(JSON.parse(stdout) as Answer[]);
      else reject(new Error(`the asker ended with ${signal ?? code}: ${stderr}`));
    });
  });
}
