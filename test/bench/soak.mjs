// Does a server that works all day keep its memory and its files? `npm run bench -- soak [--files 16000] [--minutes 60]`. A made
// repository gets edits, commits and switches between two branches, and a server of agents is asked in between. Prints, for each tenth
// of the time, the memory of the server and of all its processes, the size of the local state and of git's objects, the median time of a
// search, and which of the server's memory is still in use after a garbage collection: V8's heap, and buffers outside of it. Linux.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeManyFiles, usage } from './many-files.mjs';
import { QUERIES } from './queries.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const { values } = parseArgs({
  args: process.argv.slice(process.argv[2] === 'soak' ? 3 : 2),
  options: { files: { type: 'string', default: '16000' }, minutes: { type: 'string', default: '60' } },
});
const work = mkdtempSync(join(tmpdir(), 'soak-'));
const dir = makeManyFiles(work, Number(values.files), 100);
const git = (...args) =>
  execFileSync('git', ['-C', dir, '-c', 'user.name=b', '-c', 'user.email=b', ...args], { encoding: 'utf8' }).trim();

function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0);
}

/** A module for the server, which writes its memory after a collection when it gets a signal. */
const REPORT = `import { writeFileSync } from 'node:fs';
process.on('SIGUSR2', () => { gc(); gc(); writeFileSync(${JSON.stringify(join(work, 'held'))}, JSON.stringify(process.memoryUsage())); });`;

/** Memory in use after a collection: V8's heap, and buffers outside of it. */
async function heldBytes(pid) {
  const report = join(work, 'held');
  rmSync(report, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let i = 0; i < 600 && !existsSync(report); i++) await sleep(100);
  await sleep(100);
  const { heapUsed, external } = JSON.parse(readFileSync(report, 'utf8'));
  return [heapUsed, external];
}

const residentBytes = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

async function soak(client, pid) {
  const ask = (name, args) => client.callTool({ name, arguments: args }, { timeout: 600_000 });
  const paths = git('ls-files', '*.ts').split('\n');
  git('branch', 'other', 'HEAD~20');
  const whole = Number(values.minutes) * 60_000;
  const from = performance.now();
  let round = 0;
  console.log(
    '| minutes | rounds | server MB | all MB | local state MB | objects MB | heap in use MB | buffers in use MB | search ms |\n|---|---|---|---|---|---|---|---|---|',
  );
  for (let tenth = 1; tenth <= 10; tenth++) {
    const times = [];
    while (performance.now() - from < (whole * tenth) / 10) {
      const path = paths[(round * 37) % paths.length];
      appendFileSync(join(dir, path), `\nexport const added${round} = ${round};\n`);
      const asked = performance.now();
      await ask('codebase_search', { query: `${QUERIES[round % QUERIES.length]} ${round}` });
      times.push(performance.now() - asked);
      await ask('codebase_symbol', { name: path.split('/').at(-1).slice(0, -3) });
      git('commit', '-q', '--no-verify', '-am', `round ${round}`);
      await ask('codebase_search', { query: QUERIES[(round + 1) % QUERIES.length] });
      if (round++ % 5 === 4) git('checkout', '-q', git('branch', '--show-current') === 'main' ? 'other' : 'main');
    }
    const minutes = ((performance.now() - from) / 60_000).toFixed(1);
    const sizes = [
      residentBytes(pid),
      usage(pid).bytes,
      bytesBelow(join(dir, '.git', 'socraticode')),
      bytesBelow(join(dir, '.git', 'objects')),
      ...(await heldBytes(pid)),
    ];
    console.log(
      `| ${minutes} | ${round} | ${sizes.map((size) => (size / 1e6).toFixed(1)).join(' | ')} | ${median(times).toFixed(0)} |`,
    );
  }
}

try {
  execFileSync(process.execPath, [CLI, 'index'], { cwd: dir, stdio: 'ignore' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      '--expose-gc',
      '--import',
      `data:text/javascript,${encodeURIComponent(REPORT)}`,
      CLI,
      '-C',
      dir,
      'mcp',
      '--toolsets',
      'all',
    ],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  await soak(client, transport.pid);
  await client.close();
} finally {
  rmSync(work, { recursive: true, force: true });
}
