/**
 * The running program: its version, its own files, when V8 compiles it with its optimising compilers, and which signals end it.
 * Loaded before anything else.
 */
import { existsSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

interface PackageManifest {
  version: string;
  dependencies: Readonly<Record<string, string>>;
}

/** The package's folder as seen from `dist/base/` and from the test build. */
const ROOT = ['../../', '../../../']
  .map((up) => new URL(up, import.meta.url))
  .find((folder) => existsSync(new URL('package.json', folder)));

let known: PackageManifest | null = null;

export function packageManifest(): PackageManifest {
  known ??= { version: '0.0.0', dependencies: {}, ...readManifest() };
  return known;
}

export function packageVersion(): string {
  return packageManifest().version;
}

/** A file of the package by its path in it, which may be missing. */
export function packageFile(path: string): URL {
  return new URL(path, ROOT ?? new URL('../../', import.meta.url));
}

function readManifest(): Partial<PackageManifest> {
  try {
    return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as PackageManifest;
  } catch {
    return {};
  }
}

/**
 * Bytes of bytecode that a function runs before V8 optimises it; V8's default is 67,584 in Node 20. Most processes of this
 * program end within two seconds, before optimised code pays for its compilation: a search takes 23% less processor time
 * with 500,000, and a parser of 200 files 30% less. One of 2,000 files takes 20% less, too. With three times as many a search among
 * 134,000 chunks takes 7% less than that, and a first index as much; with six times as many it gains nothing. Node 22 counts calls
 * (`--invocation-count-for-turbofan`), where seven times the default saves a search less than 5%: later versions keep theirs.
 */
const BUDGET_BYTES = 1_500_000;
const DEFAULT_BUDGET_BYTES = 67_584;
/** The only major version of Node >= 20 that was seen to have `--interrupt-budget`. V8 reports an unknown flag on stderr. */
const WITH_BUDGET = 20;
/** Newest Node that was seen to have the other flags. */
const LAST_TRIED = 26;

const NODE = Number.parseInt(process.versions.node, 10);

/** Delays the optimising compiler of this process. */
export function delayOptimisation(): void {
  if (NODE === WITH_BUDGET) setFlagsFromString(`--interrupt-budget=${BUDGET_BYTES}`);
}

/** Optimises as V8 does by itself: a server that has answered once runs the same code until it ends. */
export function optimiseAsUsual(): void {
  if (NODE === WITH_BUDGET) setFlagsFromString(`--interrupt-budget=${DEFAULT_BUDGET_BYTES}`);
}

/**
 * Growth of the heap, in percent of what is alive, after which V8 collects it. By itself it lets a heap of 50 MB grow to 150, which are
 * never given back while questions come.
 */
const GROWTH_PERCENT = 80;

/** Keeps the heap of a server near what it needs: for 134,000 chunks 249 MB, instead of 242 with 50 percent, which collects a third more often. */
export function keepHeapSmall(): void {
  if (NODE <= LAST_TRIED) setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

/** Compiles every function to baseline code at its first call, for a process that runs little code many times. */
export function compileEagerly(): void {
  if (NODE <= LAST_TRIED) setFlagsFromString('--always-sparkplug');
}

/**
 * Keeps the bytecode of functions that have not run for a while. V8 drops it, that of the whole bundle first of all, which runs once; code
 * that is saved behind a long command then lacks it, and each later process reads all five megabytes of the bundle again, for .17 s.
 */
export function keepBytecode(): void {
  if (NODE <= LAST_TRIED) setFlagsFromString('--no-flush-bytecode');
}

/**
 * `--liftoff-only` alone is enough until Node 22. Node 24 applies what a flag implies only on the command line: without the others
 * it optimised grammars, which took 600 MB for one of them, and files of 200 KB were given up as too large to parse.
 */
const BASELINE_WASM = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** Keeps WebAssembly in baseline code, which starts at once: V8 takes seconds to optimise a parser, and does so again in each process. */
export function keepBaselineWasm(): void {
  if (NODE <= LAST_TRIED) for (const flag of BASELINE_WASM) setFlagsFromString(flag);
}

/**
 * Options of Node for a parser child. Without threads for V8: several children keep the cores busy, and four idle threads each cost
 * a tenth of a short run.
 */
export const PARSER_OPTIONS = ['--max-old-space-size=256', '--max-semi-space-size=4', '--v8-pool-size=0'];

// Signals that end this process. Without a listener the system ends it at once, also while it computes and none of its code can
// hear anything. So a command listens only while it would leave something behind.

const ENDING = ['SIGINT', 'SIGTERM'] as const;
type Stop = (signal: NodeJS.Signals) => void;

let stop: Stop | null = null;
let holds = 0;

function listen(): void {
  if (stop === null) return;
  if (holds === 0) for (const signal of ENDING) process.off(signal, stop);
  // The second signal ends the process in any case.
  else for (const signal of ENDING) process.once(signal, stop);
}

/** Calls `given` for a signal that comes while something is held; other signals end the process. Returns the function that stops this. */
export function stopHeldWork(given: Stop): () => void {
  stop = given;
  if (holds > 0) listen();
  return () => {
    for (const signal of ENDING) process.off(signal, given);
    if (stop === given) stop = null;
  };
}

/** Keeps signals from ending this process until the returned function is called, for work that has to be tidied up. */
export function holdSignals(): () => void {
  if (++holds === 1) listen();
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    heard().then(() => {
      if (--holds === 0) listen();
    });
  };
}

/** Waits until a signal that came while the process computed is heard: the second turn begins behind a look at what has come. */
async function heard(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Does work that a signal may only end by its own means. */
export async function undivided<T>(work: () => Promise<T>): Promise<T> {
  const release = holdSignals();
  try {
    return await work();
  } finally {
    release();
    await heard();
  }
}
