// A checkout whose compiled files may be changed; everything else is that of this one.
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** It would run modules as they were. */
const BUNDLE = /[\\/]src[\\/]bundle\.js$/;

/** Written to by tests: `build` has the mistakes, and some tests add files to `src`. */
const COPIED = new Set(['build', 'src']);

export class Copy {
  root;

  constructor() {
    // V8 reports real paths.
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'mutate-')));
    process.on('exit', () => rmSync(this.root, { recursive: true, force: true }));
    for (const name of readdirSync(ROOT)) {
      if (COPIED.has(name))
        cpSync(join(ROOT, name), join(this.root, name), { recursive: true, filter: (path) => !BUNDLE.test(path) });
      else if (name !== '.git') symlinkSync(join(ROOT, name), join(this.root, name));
    }
  }

  pathOf(name) {
    return join(this.root, name);
  }

  nameOf(path) {
    return relative(this.root, path);
  }

  /** Runs something while some mistakes are planted, of which none lies in another. */
  async with(mutations, run) {
    const sources = new Map();
    for (const { file, source, start, end, text } of [...mutations].sort((a, b) => b.start - a.start)) {
      const now = sources.get(file)?.now ?? source;
      sources.set(file, { source, now: now.slice(0, start) + text + now.slice(end) });
    }
    for (const [file, { now }] of sources) writeFileSync(this.pathOf(file), now);
    try {
      return await run();
    } finally {
      for (const [file, { source }] of sources) writeFileSync(this.pathOf(file), source);
    }
  }
}
