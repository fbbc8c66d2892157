// How long a running server takes to answer about a commit that was just made: `node test/bench/commits.mjs DIR`, after `npm run build`.
// Works on a clone in a temporary directory; each commit adds a file of one function.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const COMMITS = 8;
/** Time between an answer and the next commit: enough to link a graph of some thousand files. */
const READS_MS = 5_000;

const work = mkdtempSync(join(tmpdir(), 'commits-'));
const dir = join(work, 'clone');
execFileSync('git', ['clone', '-q', resolve(process.argv[2] ?? '.'), dir]);
const git = (...args) => execFileSync('git', ['-C', dir, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
execFileSync(process.execPath, [CLI, '-C', dir, 'index'], { stdio: 'ignore' });

const client = new Client({ name: 'commits', version: '1' });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [CLI, '-C', dir, 'mcp'], stderr: 'ignore' }),
);
const search = async (query) => {
  const from = performance.now();
  const { content } = await client.callTool({ name: 'codebase_search', arguments: { query } });
  return { ms: Math.round(performance.now() - from), text: content[0].text };
};
await search('first');
await sleep(READS_MS);

const took = [];
for (let i = 0; i < COMMITS; i++) {
  const name = `freshly${String.fromCharCode(97 + i)}${Date.now()}`;
  writeFileSync(join(dir, `${name}.ts`), `export function ${name}(): number {\n  return ${i};\n}\n`);
  git('add', '.');
  git('commit', '-qm', name);
  const { ms, text } = await search(name);
  if (!text.includes(`${name}.ts`)) throw new Error(`the answer does not know ${name}: ${text}`);
  took.push(ms);
  await sleep(READS_MS);
}
await client.close();
rmSync(work, { recursive: true, force: true });
const median = [...took].sort((a, b) => a - b)[COMMITS >> 1];
console.log(`answers about ${COMMITS} commits: ${took.join(', ')} ms; median ${median}`);
