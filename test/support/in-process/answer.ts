/** Command lines answered by this process, whatever its environment is. */
import { Readable, Writable } from 'node:stream';
import { type Io, runCli } from '../../../src/cli/program.js';
import './kept-parsers.js';

export interface Answer {
  code: number;
  stdout: string;
  stderr: string;
  /** Of the process that answered and its threads, not of the git processes it starts. */
  cpuMs: number;
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}

/** Answers in this process. What is logged goes to its own stderr. `input` is what it reads. */
export async function answer(question: readonly string[], input = ''): Promise<Answer> {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const io: Io = { stdout, stderr, stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]), env: process.env };
  const before = process.cpuUsage();
  const code = await runCli(['node', 'git-socraticode', ...question], io);
  const { user, system } = process.cpuUsage(before);
  return { code, stdout: stdout.text, stderr: stderr.text, cpuMs: Math.round((user + system) / 1_000) };
}
