/**
 * Preloaded into every process of the program (`NODE_OPTIONS=--import`, see `spied`): writes down what binary decoders,
 * usearch and FlexSearch are given, and what this program made itself, so that a test can compare the two. Graphs of
 * vectors are wanted for small shards, too.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { register } from 'node:module';

export const SPY_LOG = 'SPY_LOG';

/** `made` and `given` go by the digest of bytes; a `call` is what must not be there at all. */
export interface Seen {
  how: 'made' | 'given' | 'call';
  what: string;
  digest: string;
}

const path = process.env[SPY_LOG];
const note = (how: Seen['how'], what: string, digest: string) => {
  if (path !== undefined) appendFileSync(path, `${JSON.stringify({ how, what, digest } satisfies Seen)}\n`);
};
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Patched {
  prototype: Record<string, (...args: unknown[]) => unknown>;
}

/** What the code that `native-spy-hooks` adds to modules calls. */
const spy = {
  bytes: (how: 'made' | 'given', what: string, bytes: Uint8Array) => note(how, what, digestOf(bytes)),
  seal: (how: 'made' | 'given', what: string, seal: string | null) => note(how, what, seal ?? ''),
  file: (how: 'made' | 'given', what: string, file: string) => note(how, what, digestOf(readFileSync(file))),
  usearch<T extends { Index: Patched }>(module: T): T {
    const { prototype } = module.Index;
    for (const name of ['load', 'view', 'restore']) {
      const original = prototype[name];
      if (original === undefined || original.name === 'spied') continue;
      prototype[name] = function spied(this: unknown, ...args: unknown[]) {
        if (name === 'load') spy.file('given', 'usearch', String(args[0]));
        else note('call', `usearch.${name}`, String(args[0]));
        return original.apply(this, args);
      };
    }
    return module;
  },
  flexsearch<T extends { Index: Patched }>(module: T): T {
    for (const name of ['import']) {
      module.Index.prototype[name] = () => note('call', `flexsearch.${name}`, '');
    }
    return module;
  },
};
Object.assign(globalThis, { spy });

// Children that parse read source text alone, and there are many.
if (!process.argv[1]?.endsWith('parser-child.js')) register('./native-spy-hooks.js', import.meta.url);
