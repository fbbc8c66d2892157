/** Real commits done again one by one, as somebody at work would: commits, amends, branch switches, rebases, gc. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pick, type Random } from '../../generated/random.js';
import { outputOf } from '../../processes/output.js';
import { cleanPath } from '../../repositories/hooks.js';

export const WORK_BRANCH = 'replay';

export interface GitRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs git beside whatever else this process does; hooks find the program where it was installed from. */
export async function gitBeside(cwd: string, args: readonly string[], input = ''): Promise<GitRun> {
  const child = spawn('git', args, { cwd, env: { ...process.env, PATH: cleanPath() }, stdio: 'pipe' });
  const { code, stdout, stderr } = await outputOf(child, input);
  return { code, stdout: stdout.trim(), stderr: stderr.trim() };
}

/** What happened beside the commits themselves, by name. */
export type Counts = Record<string, number>;

type Step = (replay: Replay) => Promise<void>;

/** With their weights: of a hundred commits, so many are followed by it. */
const STEPS: readonly [name: string, percent: number, step: Step][] = [
  ['amends', 8, (replay) => replay.amend()],
  ['branch switches', 8, (replay) => replay.switchBranch()],
  ['rebases', 4, (replay) => replay.rebase()],
  ['merges', 3, (replay) => replay.merge()],
  ['stashes', 3, (replay) => replay.stash()],
  ['resets', 3, (replay) => replay.reset()],
  ['gc', 1, (replay) => replay.collect()],
];

export class Replay {
  readonly counts: Counts = {};
  private branches = 0;

  constructor(
    readonly dir: string,
    private readonly random: Random,
  ) {}

  /** Throws what git said. */
  async git(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await gitBeside(this.dir, args);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Makes a commit with the tree and the message of another one, as an editor and `git commit` would. */
  async commit(original: string): Promise<void> {
    await this.git('read-tree', '-u', '-m', 'HEAD', original);
    await this.git('commit', '-q', '--allow-empty', '-C', original);
  }

  /** Some of the steps, as chance has it. */
  async steps(): Promise<void> {
    for (const [name, percent, step] of STEPS) {
      if (this.random(100) >= percent) continue;
      await step(this);
      this.counts[name] = (this.counts[name] ?? 0) + 1;
    }
  }

  /** Changes a file that is there, so that work trees are dirty in between and blobs are new. */
  private async edit(): Promise<void> {
    const files = (await this.git('ls-files', '-z', '--', '*.js', '*.ts', '*.md')).split('\0').filter(Boolean);
    if (files.length === 0) return;
    writeFileSync(join(this.dir, pick(this.random, files)), `// edited ${this.random(1e9)}\nexport const x = 1;\n`);
  }

  async amend(): Promise<void> {
    await this.edit();
    await this.git('commit', '-q', '--allow-empty', '-a', '--amend', '-m', `amended ${this.random(1e9)}`);
  }

  private async back(): Promise<string> {
    const depth = Number(await this.git('rev-list', '--count', '--first-parent', 'HEAD'));
    return `HEAD~${Math.min(depth - 1, 1 + this.random(20))}`;
  }

  async switchBranch(): Promise<void> {
    await this.git('checkout', '-q', '--detach', await this.back());
    await this.git('checkout', '-q', WORK_BRANCH);
  }

  /** A branch of three commits that begins some commits ago. */
  private async topic(): Promise<string> {
    const name = `topic${this.branches++}`;
    await this.git('checkout', '-q', '-b', name, await this.back());
    for (let i = 0; i < 3; i++) {
      writeFileSync(join(this.dir, `${name}-${i}.ts`), `export const ${name}of${i} = ${this.random(1e9)};\n`);
      await this.git('add', '-A');
      await this.git('commit', '-q', '-m', `${name} ${i}`);
    }
    return name;
  }

  async rebase(): Promise<void> {
    const name = await this.topic();
    await this.git('rebase', '-q', WORK_BRANCH);
    await this.git('checkout', '-q', WORK_BRANCH);
    await this.git('branch', '-q', '-D', name);
  }

  async merge(): Promise<void> {
    const name = await this.topic();
    await this.git('checkout', '-q', WORK_BRANCH);
    await this.git('merge', '-q', '--no-ff', '-m', `merge ${name}`, name);
    await this.git('branch', '-q', '-D', name);
  }

  async stash(): Promise<void> {
    await this.edit();
    await this.git('stash', 'push', '-q');
    await this.git('stash', 'drop', '-q').catch(() => {}); // Nothing was stashed where there is no file to edit.
  }

  async reset(): Promise<void> {
    const head = await this.git('rev-parse', 'HEAD');
    await this.git('reset', '-q', '--hard', await this.back());
    await this.git('reset', '-q', '--hard', head);
  }

  async collect(): Promise<void> {
    await this.git('gc', '-q', ...(this.random(2) === 0 ? ['--prune=now'] : []));
  }
}
