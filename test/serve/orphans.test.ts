/** Nothing that a server started outlives it, however it ends: git, parsers and jobs that are busy and hear nothing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRepo } from '../support/repositories/repo.js';

const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** Starts what a server starts: git and a parser that hear nothing, as if they computed, a git that writes, and a job in a loop. */
const BUSY = `
const { openRepository } = await import(${source('git/repository.js')});
const { Parser } = await import(${source('indexer/parser-pool.js')});
const { JobProcess } = await import(${source('serve/job.js')});
const { git } = await openRepository(process.argv[1]);
const gits = [['cat-file', '--batch'], ['rev-list', '--stdin'], ['diff-tree', '--stdin']].map((args) => git.spawn(args));
const writer = git.spawn(['fast-import', '--quiet', '--done']);
const parser = Parser.fork();
await new Promise((resolve) => parser.once('message', resolve));
for (const { pid } of [...gits, parser]) process.kill(pid, 'SIGSTOP');
process.env.NODE_OPTIONS = "--import=data:text/javascript,process.once('message',()=>setTimeout(()=>{for(;;);},500))";
const job = new JobProcess();
job.run({}, () => {});
await new Promise((resolve) => setTimeout(resolve, 1_500));
process.on('SIGTERM', () => process.exit(0));
console.log(JSON.stringify([...gits, writer, parser, job].map(({ pid }) => pid)));
setInterval(() => {}, 1_000);
`;

/** A process that has ended and that nobody has waited for is gone. */
function isThere(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

test('git, parsers and jobs end with their server, even where it is killed and they are busy', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  await Promise.all(
    (['SIGTERM', 'SIGKILL'] as const).map(async (signal) => {
      const server = spawn(process.execPath, ['--input-type=module', '-e', BUSY, repo.dir], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      t.after(() => server.kill('SIGKILL'));
      const pids = JSON.parse(String(await once(server.stdout, 'data'))) as number[];
      assert.deepEqual([pids.length, pids.every(isThere)], [6, true]);
      server.kill(signal);
      for (let waited = 0; waited < 20_000 && pids.some(isThere); waited += 100) await sleep(100);
      const left = pids.filter(isThere);
      for (const pid of left) process.kill(pid, 'SIGKILL');
      assert.deepEqual(left, [], signal);
    }),
  );
});
