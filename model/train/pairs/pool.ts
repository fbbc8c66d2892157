/** Pool of child processes that make pairs. A child that takes too long for a file is replaced. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChosenFile } from './files.js';
import { testedPairs } from './tests.js';
import type { FilePairs, Pair } from './types.js';
import type { PairJob } from './worker.js';

const CHILD = fileURLToPath(new URL('./worker.js', import.meta.url));
const FILE_LIMIT_MS = 10_000;
const PACKAGE_LIMIT_MS = 60_000;
/** Files after which a child is replaced: native syntax trees are freed late, so its memory grows. */
const FILES_PER_CHILD = 1_500;

export interface PackagePairs {
  pairs: Pair[];
  /** Number of files left out because a limit was reached or the child died. */
  lost: number;
}

export class PairMaker {
  private child: ChildProcess | null = null;
  private done = 0;

  /** Makes the pairs of the files, in their order. A file that exceeds the limit loses only its own pairs. */
  async make(root: string, files: readonly ChosenFile[]): Promise<PackagePairs> {
    const deadline = performance.now() + PACKAGE_LIMIT_MS;
    const all: FilePairs[] = [];
    let lost = 0;
    for (const { path, language } of files) {
      const left = Math.min(FILE_LIMIT_MS, deadline - performance.now());
      const made = left <= 0 ? null : await this.ask({ root, path, language }, left);
      if (made === null) lost++;
      else all.push(made);
    }
    return { pairs: [...all.flatMap(({ pairs }) => pairs), ...testedPairs(all)], lost };
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private async ask(job: PairJob, limit: number): Promise<FilePairs | null> {
    if (this.done++ % FILES_PER_CHILD === FILES_PER_CHILD - 1) this.stop();
    this.child ??= await start();
    const answer = this.answerOf(this.child, limit);
    this.child.send(job);
    const made = await answer;
    if (made === null) this.stop();
    return made;
  }

  private answerOf(child: ChildProcess, limit: number): Promise<FilePairs | null> {
    return new Promise((resolve) => {
      const settle = (made: FilePairs | null) => {
        clearTimeout(timer);
        child.off('message', settle);
        child.off('exit', gone);
        resolve(made);
      };
      const gone = () => settle(null);
      const timer = setTimeout(gone, limit);
      child.on('message', settle);
      child.on('exit', gone);
    });
  }
}

function start(): Promise<ChildProcess> {
  const child = fork(CHILD, [], { serialization: 'advanced' });
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child));
    child.once('exit', () => reject(new Error('the child that makes pairs does not start')));
  });
}
