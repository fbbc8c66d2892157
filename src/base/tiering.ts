/** When V8 compiles with its optimising compiler: its default suits programs that run for minutes. */
import { setFlagsFromString } from 'node:v8';

/**
 * Bytes of bytecode that a function runs before V8 optimises it; V8's default is 67,584 in Node 20. Most processes of this
 * program end within two seconds, before optimised code pays for its compilation: a search takes 23% less processor time
 * with this number, and a parser of 200 files 30% less. One of 2,000 files takes 20% less, too.
 */
const BUDGET_BYTES = 500_000;
/** Newest Node whose V8 is known to have these flags: V8 reports an unknown one on stderr. */
const LAST_KNOWN = 24;

function setFlag(flag: string): void {
  if (Number.parseInt(process.versions.node, 10) <= LAST_KNOWN) setFlagsFromString(flag);
}

/** Delays the optimising compiler of this process. */
export function delayOptimisation(): void {
  setFlag(`--interrupt-budget=${BUDGET_BYTES}`);
}

/** Compiles every function to baseline code at its first call, for a process that runs little code many times. */
export function compileEagerly(): void {
  setFlag('--always-sparkplug');
}

/**
 * Newest Node on which the hints of `extract/compilation-hints.ts` were tried. V8 calls their flag experimental and reports an unknown one on
 * stderr, so later versions keep baseline code until somebody has tried them.
 */
const LAST_WITH_HINTS = 20;

/**
 * Optimises the functions of WebAssembly modules that their hints name, at the first call, and leaves the others in baseline code. V8's own
 * choice optimises lexers of 30 KB, too, anew in each process, which runs of a few hundred files do not pay back.
 */
export function followWasmHints(): void {
  if (Number.parseInt(process.versions.node, 10) > LAST_WITH_HINTS) {
    setFlag('--liftoff-only');
    return;
  }
  setFlag('--experimental-wasm-compilation-hints');
  setFlag('--no-wasm-tier-up');
  setFlag('--no-wasm-dynamic-tiering');
}
