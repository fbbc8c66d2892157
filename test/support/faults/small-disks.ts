/** Real limits of disks and processes, for long campaigns: file systems that fill up or take nothing, `ulimit`. */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CLI, type CliResult } from '../processes/cli.js';
import { makeDirectory, TestRepo } from '../repositories/repo.js';

/** May this process mount file systems that nobody else sees? */
export function canMount(): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;
}

/** `run N ARGS…` keeps what a command said as `$OUT/N.*`. */
const RUN =
  'run() { n=$1; shift; set +e; "$NODE" "$CLI" "$@" >"$OUT/$n.out" 2>"$OUT/$n.err"; echo $? >"$OUT/$n.code"; set -e; }';

function resultOf(out: string, name: string): CliResult {
  const text = (end: string) => readFileSync(join(out, `${name}.${end}`), 'utf8');
  return { code: Number(text('code')), signal: null, stdout: text('out'), stderr: text('err') };
}

function mounted(script: string, variables: NodeJS.ProcessEnv): void {
  const env = { ...process.env, ...variables, NODE: process.execPath, CLI };
  const { status, stderr } = spawnSync('unshare', ['-m', 'sh', '-ec', `${RUN}\n${script}`], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot mount: ${stderr}`);
}

/** What such disks give out at once, in bytes. */
export const PAGE = 4096;

/** Bytes that the folder of a repository takes on a disk in memory. */
export function sizeOnDisk({ dir }: TestRepo): number {
  const entries = readdirSync(dirname(dir), { recursive: true, withFileTypes: true });
  const pages = entries.map((entry) =>
    entry.isFile() ? Math.ceil(lstatSync(join(entry.parentPath ?? entry.path, entry.name)).size / PAGE) : 0,
  );
  return PAGE * pages.reduce((sum, n) => sum + n, 0);
}

export interface FullDisk {
  first: CliResult;
  /** On the disk as full as the first left it. */
  meanwhile: CliResult;
  /** On a larger one. */
  again: CliResult;
  after: TestRepo;
}

/** Runs a command on a disk of so many bytes, another one after it, and once more with more space. */
export function onFullDisk(
  repo: TestRepo,
  { bytes, args, meanwhile }: { bytes: number; args: readonly string[]; meanwhile: readonly string[] },
): FullDisk {
  const [out, mount] = [makeDirectory('out'), makeDirectory('disk')];
  mkdirSync(join(out, 'after'));
  const script = [
    `mount -t tmpfs -o size=${bytes} none "$MOUNT"`,
    'cp -a "$FROM/." "$MOUNT/"',
    'cd "$MOUNT/$WORK"',
    `run first ${quoted(args)}`,
    `run meanwhile ${quoted(meanwhile)}`,
    'mount -o remount,size=256m "$MOUNT"',
    'find "$MOUNT" \\( -name "*tmp*" -o -name "fast_import_crash*" -o -name "*.keep" -o -name "*.lock" \\) -exec touch -d "2 hours ago" {} +',
    `run again ${quoted(args)}`,
    'cp -a "$MOUNT/." "$OUT/after/"',
  ].join('\n');
  const work = basename(repo.dir);
  mounted(script, { OUT: out, MOUNT: mount, FROM: dirname(repo.dir), WORK: work });
  return {
    first: resultOf(out, 'first'),
    meanwhile: resultOf(out, 'meanwhile'),
    again: resultOf(out, 'again'),
    after: new TestRepo(join(out, 'after', work)),
  };
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

/** Runs commands whose place for temporary files takes nothing more. */
export function onFullTemporary({ dir }: TestRepo, commands: readonly (readonly string[])[]): CliResult[] {
  const [out, mount] = [makeDirectory('out'), makeDirectory('disk')];
  const script = [
    `mount -t tmpfs -o size=${16 * PAGE} none "$TMPDIR"`,
    'head -c 1m /dev/zero > "$TMPDIR/full" || true',
    'cd "$DIR"',
    ...commands.map((args, i) => `run ${i} ${quoted(args)}`),
  ].join('\n');
  mounted(script, { OUT: out, TMPDIR: mount, DIR: dir });
  return commands.map((_, i) => resultOf(out, String(i)));
}

/** Runs a command in a repository that nobody can write to. */
export function onReadOnlyDisk({ dir }: TestRepo, args: readonly string[]): CliResult {
  const out = makeDirectory('out');
  const script = `mount --bind "$DIR" "$DIR"\nmount -o remount,bind,ro "$DIR"\ncd "$DIR"\nrun only ${quoted(args)}`;
  mounted(script, { OUT: out, DIR: dir });
  return resultOf(out, 'only');
}

/** Runs a command that may have so many files open; null where the program itself is not loaded any more. */
export function withOpenFiles({ dir }: TestRepo, limit: number, args: readonly string[]): CliResult | null {
  const run = (words: readonly string[]) =>
    spawnSync('sh', ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, CLI, ...words], {
      cwd: dir,
      encoding: 'utf8',
    });
  if (run(['--help']).status !== 0) return null;
  const { status, signal, stdout, stderr } = run(args);
  return { code: status, signal, stdout, stderr };
}
