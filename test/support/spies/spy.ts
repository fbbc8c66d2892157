/** What the program starts and connects to: by a spy in every node process, and by what git says of its own children. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../../src/cli/program.js';
import { LIMITED } from '../../../src/git/process.js';
import { CLI, type CliResult } from '../processes/cli.js';
import { makeDirectory } from '../repositories/repo.js';

const SPY = fileURLToPath(new URL('../../../../test/support/spies/spy.cjs', import.meta.url));
/** Where our own scripts are: nothing else may be given to node. */
const PROGRAM = `${resolve(CLI, '..', '..')}${sep}`;

interface Seen {
  kind: 'exec' | 'connect' | 'lookup';
  file?: string;
  args?: string[];
  to?: string;
}

export interface Spy {
  /** For processes that are to be looked at. */
  env: NodeJS.ProcessEnv;
  /** What was started and connected to that is neither git, as we run it, nor a script of ours; and empties the log. */
  faults: () => string[];
  /** Processes started so far, git's own children included. */
  started: () => number;
  /** Connections and names looked up since the last `faults`. */
  connections: () => string[];
}

export function makeSpy(): Spy {
  const directory = makeDirectory('spy');
  const [log, trace] = [join(directory, 'log'), join(directory, 'trace')];
  const linesOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []);
  const seen = () => linesOf(log).map((line) => JSON.parse(line) as Seen);
  let started = 0;
  return {
    env: { NODE_OPTIONS: `--require=${SPY}`, SOCRATICODE_TEST_SPY: log, GIT_TRACE2_EVENT: trace },
    connections: () => seen().flatMap(({ kind, to }) => (kind === 'exec' ? [] : [`${kind} ${to}`])),
    started: () => started,
    faults() {
      const [ours, gits] = [seen(), linesOf(trace).filter((line) => line.includes('"child_start"'))];
      started += ours.filter(({ kind }) => kind === 'exec').length + gits.length;
      for (const path of [log, trace]) writeFileSync(path, '');
      return [...ours.flatMap(faultOf), ...gits.flatMap(faultOfGit)];
    },
  };
}

function faultOf({ kind, file = '', args = [], to }: Seen): string[] {
  if (kind !== 'exec') return [`${kind} ${to}`];
  const starts = file === 'git' || (file === '/bin/sh' && args[0] === '-c' && args[1] === LIMITED);
  const isGit = starts && args.includes('core.fsmonitor=false') && args.includes('core.hooksPath=/dev/null');
  // Our own programs, which the kernel ends with their parent.
  const [program, ...words] = file === '/usr/bin/setpriv' ? args.slice(2) : [file, ...args];
  const script = words.find((arg) => !arg.startsWith('-')) ?? '';
  // The probe whether the system can do that.
  const isProbe = file === '/usr/bin/setpriv' && program === 'true' && words.length === 0;
  const isOurs = isProbe || (program === process.execPath && resolve(script).startsWith(PROGRAM));
  return isGit || isOurs ? [] : [`exec ${file} ${args.join(' ')}`];
}

/** Git starts itself, and the two ends of its protocol. */
function faultOfGit(line: string): string[] {
  const { argv, child_class: role } = JSON.parse(line) as { argv: string[]; child_class: string };
  const isItself = argv[0] === 'git' || /^git-(?:upload|receive)-pack '[^']*'$/.test(argv[0]);
  return isItself && role !== 'hook' ? [] : [`git started ${argv.join(' ')} (${role})`];
}

let isInstalled = false;

/**
 * Runs a command in this process, which is a tenth of the work of a process of its own. With a spy it is looked at; the
 * environment is as given until it ends, so that one command runs at a time.
 */
export async function runHere(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CliResult> {
  if (!isInstalled) createRequire(import.meta.url)(SPY);
  isInstalled = true;
  const before = Object.fromEntries(Object.keys(env).map((key) => [key, process.env[key]]));
  const said = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof said) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        said[name] += String(chunk);
        done();
      },
    });
  Object.assign(process.env, env);
  try {
    const io = { stdout: stream('stdout'), stderr: stream('stderr'), stdin: Readable.from([]), env: process.env };
    const code = await runCli([process.execPath, CLI, ...args], io);
    return { code, signal: null, ...said };
  } finally {
    for (const [key, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
  }
}

/** A command may succeed, find nothing or be refused; it must not run into what nobody expected. */
export function assertCalm({ code, signal, stderr }: CliResult, what: string): void {
  assert.ok(signal === null && (code === 0 || code === 1 || code === 2), `${what}: ${code} ${signal} ${stderr}`);
  assert.doesNotMatch(stderr, /This is a bug|at .*\.js:\d+/, what);
}
