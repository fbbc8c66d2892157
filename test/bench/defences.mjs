// What each defence of docs/security.md costs: `node test/bench/defences.mjs REPOSITORY` (a clone with an origin; build first).
// Milliseconds of processor time, of this process and of those that it started, with the defence minus without it; medians of 5.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repositoryPath = process.argv[2] ?? '.';
const load = (path) => import(new URL(`../../build/src/${path}.js`, import.meta.url));
const [lock, process_, repository, crash, compact, printable, workFile, content, http, cache] = await Promise.all(
  [
    'base/lock',
    'git/process',
    'git/repository',
    'git/crash-recovery',
    'share/compact',
    'base/printable',
    'overlay/worktree-file',
    'extract/content',
    'mcp/http',
    'base/cache',
  ].map(load),
);

const TICK_MS = 10;
const childrenMs = () => {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
};
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
};
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];

/** Milliseconds of one call: median of 5 rounds of `times` calls, less as many of `without` in the same round. */
async function cost(what, times, work, without = () => {}) {
  const rounds = [];
  for (let round = 0; round < 6; round++) {
    const spent = [];
    for (const each of [work, without]) {
      const from = cpuMs();
      for (let i = 0; i < times; i++) await each(i);
      spent.push((cpuMs() - from) / times);
    }
    // The first round compiles.
    if (round > 0) rounds.push(spent[0] - spent[1]);
  }
  console.log(`${what.padEnd(62)} ${median(rounds).toFixed(4)} ms`);
}

const scratch = mkdtempSync(join(tmpdir(), 'defences-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));
const opened = await repository.openRepository(repositoryPath);
const { git } = opened;
const bare = (args) => spawnSync('git', args, { cwd: git.directory, stdio: 'ignore' });

await cost(
  'git/process: settings and variables, a git process',
  40,
  () => {
    const settings = process_.SAFE_SETTINGS.flatMap((setting) => ['-c', setting]);
    spawnSync('git', [...settings, 'rev-parse', 'HEAD'], {
      cwd: git.directory,
      stdio: 'ignore',
      env: process_.gitEnvironment(),
    });
  },
  () => bare(['rev-parse', 'HEAD']),
);
await cost(
  'git/process: the shell that sets the bounds, a git process',
  40,
  () => {
    const [file, args] = process_.withLimit('rev-parse', ['rev-parse', 'HEAD']);
    spawnSync(file, args, { cwd: git.directory, stdio: 'ignore' });
  },
  () => bare(['rev-parse', 'HEAD']),
);
await cost('git/process: files of git, opening a repository', 200, () => process_.checkSpecialFiles(repositoryPath));
await cost('base/lock: taken and released', 500, async () => (await lock.acquireLock(join(scratch, 'a.lock')))());
await cost('git/crash-recovery: watch for a gc around a write', 500, async () =>
  (await crash.GcWatch.start(opened)).isDisturbed(),
);
await cost('git/crash-recovery: look for files of killed imports', 5, () => crash.removeStaleImportDebris(opened));
const tips = [await git.text(['rev-parse', 'HEAD'])];
const blobs = (await git.text(['ls-tree', '-r', '--format=%(objectname)', 'HEAD'])).split('\n');
await cost(`share/compact: a push of ${blobs.length} records of the tip`, 2, () =>
  compact.reachableBlobs(git, tips, blobs),
);
const lost = `${blobs[0].slice(0, -4)}0000`;
await cost('share/compact: a push with one private record', 1, () =>
  compact.reachableBlobs(git, tips, [...blobs, lost]),
);
const files = readdirSync(repositoryPath, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git'))
  .slice(0, 500)
  .map((entry) => join(entry.parentPath, entry.name));
await cost(
  'overlay/worktree-file: reading a file safely',
  files.length,
  (i) => workFile.readWorkFile(Buffer.from(files[i]), 1 << 24),
  (i) => {
    const fd = openSync(files[i]);
    const bytes = Buffer.alloc(fstatSync(fd).size);
    readSync(fd, bytes);
    closeSync(fd);
  },
);
const texts = files.map((file) => readFileSync(file));
await cost('extract/content: looking for secrets, a file', files.length, (i) => content.skipReason(texts[i]));
const lines = texts.flatMap((bytes) => bytes.toString('utf8').split('\n')).slice(0, 20_000);
await cost('base/printable: a line of text', lines.length, (i) => printable.visibleLine(lines[i]));
const megabyte = Buffer.alloc(1 << 20, 7);
const kind = { name: 'bench', version: 1 };
const state = new cache.StateFiles(join(scratch, 'state'));
const plain = join(scratch, 'plain');
await cost(
  'base/cache: sealing and opening 1 MB',
  20,
  () => {
    state.write(kind, '', megabyte);
    state.read(kind, '', ({ content: found }) => found);
  },
  () => {
    writeFileSync(plain, megabyte);
    readFileSync(plain);
  },
);
const headersDistinct = { host: ['127.0.0.1:9'], authorization: ['Bearer t'] };
const request = {
  headers: { host: '127.0.0.1:9', authorization: 'Bearer t' },
  headersDistinct,
  url: '/mcp',
  method: 'POST',
};
if (http.refusal(request, { port: 9, token: 't' }) !== null) throw new Error('the request is refused');
await cost('mcp/http: a request', 5_000, () => http.refusal(request, { port: 9, token: 't' }));
await cost('indexer/parser-pool: starting a process of Node', 5, () =>
  spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' }),
);
