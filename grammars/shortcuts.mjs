// Puts functions of ours in the place of some of tree-sitter's that take most of a parse. Each file of src/shortcuts has the name of
// such a function and defines it anew; tree-sitter's own stays, as NAME_of_tree_sitter, for the cases that ours leaves to it.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHORTCUTS = fileURLToPath(new URL('src/shortcuts/', import.meta.url));

/** Copies `library`, the folder `lib` of tree-sitter, to `copy`, and puts the shortcuts into the copy. Throws if a function is not there once. */
export function withShortcuts(library, copy) {
  cpSync(library, copy, { recursive: true });
  const sources = readdirSync(join(copy, 'src')).filter((file) => /\.[ch]$/.test(file));
  for (const file of readdirSync(SHORTCUTS)) {
    const name = basename(file, '.h');
    // A definition begins a line and goes on with a body, a declaration does not.
    const definition = new RegExp(`^(\\w[^\\n;]*\\b)${name}(?=\\([^;{]*\\{)`, 'm');
    const holders = sources.filter((source) => definition.test(readFileSync(join(copy, 'src', source), 'utf8')));
    if (holders.length !== 1) throw new Error(`${name} is defined in ${holders.length} files of tree-sitter`);
    const path = join(copy, 'src', holders[0]);
    const renamed = `#include "${join(SHORTCUTS, file)}"\n$1${name}_of_tree_sitter`;
    writeFileSync(path, readFileSync(path, 'utf8').replace(definition, renamed));
  }
  return copy;
}
