/** A commit ends as it would without hooks, whatever becomes of the worker or its files. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capturedGit, pathWith } from '../../repositories/hooks.js';
import { createRepo, makeDirectory, type TestRepo } from '../../repositories/repo.js';
import { COMMIT, repoWithHooks } from './hook-events.js';

/** No machine is so slow that a commit takes this long, and the fake worker takes longer. */
const MAX_COMMIT_MS = 20_000;
const TOOL = 'git-socraticode';

type Prepared = { env?: NodeJS.ProcessEnv; after?: () => void } | undefined;
/** Makes something fail, and says with which variables git is run. */
type Fault = (repo: TestRepo) => Prepared;

const program =
  (script: string): Fault =>
  () => ({ env: { PATH: pathWith(TOOL, script) } });
const stateFile =
  (name: string, make: (path: string) => void): Fault =>
  (repo) => {
    mkdirSync(repo.state, { recursive: true });
    make(join(repo.state, name));
    return undefined;
  };
/** The program that the hook falls back to. */
const fallback =
  (replace: (text: string) => string): Fault =>
  (repo) => {
    const hook = join(repo.dir, '.git/hooks/post-commit');
    writeFileSync(hook, replace(readFileSync(hook, 'utf8')));
    return undefined;
  };

const broken = (text: string) => {
  const main = join(makeDirectory('broken'), 'main.js');
  writeFileSync(main, text);
  return main;
};

export const FAULTS: Readonly<Record<string, Fault>> = {
  'it fails': program('#!/bin/sh\necho out; echo err >&2; exit 3\n'),
  'it is killed': program('#!/bin/sh\nkill -9 $$\n'),
  'it is no program': program('\x7fELF nonsense'),
  'its interpreter is missing': program('#!/nonexistent/node\n'),
  'it prints without end': program('#!/bin/sh\nhead -c 30000000 /dev/zero; head -c 30000000 /dev/zero >&2\n'),
  'it takes long': () => {
    const pid = join(makeDirectory('slow'), 'pid');
    const env = { PATH: pathWith(TOOL, `#!/bin/sh\necho $$ >'${pid}'\nexec sleep 60\n`) };
    return { env, after: () => killLater(pid) };
  },
  'the program was removed': fallback((text) =>
    text.replace(/socraticode_program='.*'/, "socraticode_program='/nonexistent/main.js'"),
  ),
  'node was removed': fallback((text) => text.replace(/socraticode_node='.*'/, "socraticode_node='/nonexistent/node'")),
  'the installation is broken': fallback((text) =>
    text.replace(/socraticode_program='.*'/, `socraticode_program='${broken("import '../../missing.js';")}'`),
  ),
  'the state directory is a file': (repo) => {
    writeFileSync(repo.state, 'a file\n');
    return undefined;
  },
  'the queue is nonsense': stateFile('hook.queue', (path) => writeFileSync(path, '\xff\0post-commit\nx\0'.repeat(999))),
  'the queue is a directory': stateFile('hook.queue', (path) => mkdirSync(path)),
  'the queue is a pipe': stateFile('hook.queue', (path) => spawnSync('mkfifo', [path])),
  'what was taken is a directory': stateFile('hook.taken', (path) =>
    mkdirSync(join(path, 'full'), { recursive: true }),
  ),
  'the lock is a directory': stateFile('hook.lock', (path) => mkdirSync(path)),
  'the lock is a link to nothing': stateFile('hook.lock', (path) => symlinkSync('/nonexistent', path)),
  'somebody holds the lock': stateFile('hook.lock', (path) => writeFileSync(path, `{"pid":${process.pid}}`)),
  'a start that never ended': stateFile('hook.starting', (path) => mkdirSync(path)),
  'no home directory': () => ({ env: { HOME: '', XDG_STATE_HOME: '' } }),
};

/** The worker that was left sleeping. */
function killLater(file: string): void {
  spawnSync('sh', [
    '-c',
    `for i in 1 2 3 4 5 6 7 8 9; do [ -s '${file}' ] && break; sleep 0.2; done; kill "$(cat '${file}')"`,
  ]);
}

type Said = [number | null, string, string];

function said(result: { status: number | null; stdout: string; stderr: string }): Said {
  return [result.status, result.stdout.replace(/[0-9a-f]{7}\]/, ']'), result.stderr];
}

/** Commits under every fault, or under each n-th; returns how many there were and the slowest commit in ms. */
export async function commitsUnderFaults(every: number): Promise<{ faults: number; slowest: number }> {
  const faults = Object.entries(FAULTS).filter((_, i) => i % every === 0);
  const bare = createRepo();
  bare.commit({ 'a.ts': 'export const a = 1;\n' });
  const plain = said(capturedGit(bare.dir, COMMIT));
  let slowest = 0;
  for (const [name, prepare] of faults) {
    const repo = await repoWithHooks();
    const prepared = prepare(repo);
    const result = capturedGit(repo.dir, COMMIT, prepared?.env);
    prepared?.after?.();
    assert.deepEqual(said(result), plain, name);
    assert.ok(result.ms < MAX_COMMIT_MS, `${name}: ${result.ms} ms`);
    slowest = Math.max(slowest, Math.round(result.ms));
  }
  return { faults: faults.length, slowest };
}
