/** Who asks, and who is killed, while commits are made. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchResponse } from '../../../../src/questions/search/question.js';
import { pick, type Random } from '../../generated/random.js';
import { cli } from '../../processes/cli.js';
import type { TestRepo } from '../../repositories/repo.js';
import type { TestServer } from '../../servers/mcp.js';
import { gitBeside } from './history.js';

const QUESTIONS: string[][] = [
  ['search', 'export function', '--committed'],
  ['search', 'how are options parsed'],
  ['status'],
  ['graph', 'stats', '--committed'],
];

/** Commands and one server, asked without a break; what they answer must be true of the commit they name. */
export class Askers {
  asked = 0;
  slowest = 0;
  /** Commands that run now, for whoever wants to kill one. */
  readonly running = new Set<ChildProcess>();
  private readonly faults: string[] = [];
  private isOver = false;
  private loops: Promise<void>[] = [];

  constructor(
    private readonly repo: TestRepo,
    private readonly server: TestServer,
    private readonly count: number,
  ) {}

  start(): void {
    const commands = Array.from({ length: this.count }, (_, i) => this.loop(i, (turn) => this.askCommand(turn)));
    this.loops = [...commands, this.loop(0, () => this.askServer())];
  }

  /** Asks nothing more. */
  async cancel(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
  }

  /** The same; throws what was wrong. */
  async stop(): Promise<void> {
    await this.cancel();
    assert.deepEqual(this.faults.slice(0, 5), []);
  }

  private async loop(offset: number, ask: (turn: number) => Promise<string | null>): Promise<void> {
    for (let turn = offset; !this.isOver; turn++) {
      const started = performance.now();
      const fault = await ask(turn).catch((error: Error) => error.message);
      this.slowest = Math.max(this.slowest, Math.round(performance.now() - started));
      this.asked++;
      if (fault !== null) this.faults.push(`question ${turn}, ${this.asked} in all: ${fault}`);
      await sleep(100);
    }
  }

  private async askCommand(turn: number): Promise<string | null> {
    const args = QUESTIONS[turn % QUESTIONS.length];
    const onStart = (child: ChildProcess) => {
      this.running.add(child);
      child.once('close', () => this.running.delete(child));
    };
    const { code, signal, stdout, stderr } = await cli([...args, '--json'], { cwd: this.repo.dir, onStart });
    if (signal === 'SIGKILL') return null;
    if (code !== 0 && code !== 1) return `${args.join(' ')} ended with ${code}: ${stderr}`;
    return args[0] === 'search' ? this.check(JSON.parse(stdout) as SearchResponse) : null;
  }

  private async askServer(): Promise<string | null> {
    const { isError, text, structured } = await this.server.call('codebase_search', { query: 'parse', limit: 3 });
    return isError ? text : this.check(structured as SearchResponse);
  }

  /** Committed text must be what git has there. */
  private async check({ commit, results, coverage }: SearchResponse): Promise<string | null> {
    if (coverage.covered > coverage.total) return `${coverage.covered} of ${coverage.total} files`;
    const first = results.find(({ uncommitted }) => !uncommitted);
    if (first?.content === undefined || commit === null) return null;
    const { code, stdout } = await gitBeside(this.repo.dir, ['cat-file', 'blob', `${commit}:${first.path}`]);
    // Commits that were amended away may have been collected since.
    if (code !== 0) return null;
    return stdout.includes(first.content.trim()) ? null : `${first.path} of ${commit} has no such text`;
  }
}

/** SIGKILL for the worker of the hooks, or for a command that runs. */
export class Killer {
  killed = 0;
  private readonly counts: Record<string, number> = {};

  constructor(
    private readonly repo: TestRepo,
    private readonly random: Random,
  ) {}

  pause(ms: number): Promise<void> {
    return sleep(ms);
  }

  figures(): Record<string, number> {
    return { kills: this.killed, ...this.counts };
  }

  async killOne({ running }: Askers): Promise<void> {
    const worker = this.worker();
    const commands = [...running];
    if (worker !== null && (commands.length === 0 || this.random(2) === 0)) this.kill('workers killed', worker);
    else if (commands.length > 0) this.kill('commands killed', pick(this.random, commands).pid ?? 0);
  }

  private kill(what: string, pid: number): void {
    try {
      process.kill(pid, 'SIGKILL');
      this.counts[what] = (this.counts[what] ?? 0) + 1;
      this.killed++;
    } catch {
      // It has just ended.
    }
  }

  private worker(): number | null {
    try {
      const { pid } = JSON.parse(readFileSync(join(this.repo.state, 'hook.lock'), 'utf8')) as { pid: number };
      return pid;
    } catch {
      return null;
    }
  }
}
