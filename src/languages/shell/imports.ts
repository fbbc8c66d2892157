/** Shell scripts: `source` with a path, of which the part that only the run knows is left out. */
import { type ImportRules, type Resolution, type Specified, UNRESOLVED } from '../roles/imports.js';
import { ancestors, join } from '../roles/paths.js';
import type { Project } from '../roles/project.js';

/** A command, a variable or a quote at the beginning, up to the `/` behind it. */
const OPENINGS = ['$(', '`', '${', '$', '"', "'"];
const NAME = /^\$\w*/;

export const SHELL: ImportRules = {
  readsNames: false,
  create: (project) => ({ resolve: (file, specified) => resolve(project, file, specified) ?? UNRESOLVED }),
};

/** From the script's directory and, as people run scripts from further up, from those above it. */
function resolve(project: Project, file: number, { specifier }: Specified): Resolution | null {
  const known = withoutVariables(specifier);
  if (known === '' || known.includes('$') || known.includes('`')) return null;
  for (const directory of ancestors(project.directory(file))) {
    const path = join(directory, known);
    const found = path === null || path === '' ? null : (project.at(path) ?? project.at(`${path}.sh`));
    if (found !== null) return found;
  }
  return null;
}

/** `"$(cd "$(dirname "$0")" && pwd)"/lib/x.sh` to `lib/x.sh`. */
function withoutVariables(specifier: string): string {
  let rest = specifier;
  for (let opening = openingOf(rest); opening !== ''; opening = openingOf(rest)) {
    rest = rest.slice(endOf(rest, opening));
  }
  return rest.replaceAll('"', '').replaceAll("'", '').replace(/^\/+/, '');
}

function openingOf(text: string): string {
  return OPENINGS.find((opening) => text.startsWith(opening)) ?? '';
}

function endOf(text: string, opening: string): number {
  if (opening === '$(') return closing(text, '(', ')');
  if (opening === '${') return closing(text, '{', '}');
  if (opening === '`') return text.indexOf('`', 1) + 1 || text.length;
  return opening === '$' ? (NAME.exec(text)?.[0].length ?? 1) : 1;
}

/** One past the bracket that closes the first one; everything if none does. */
function closing(text: string, open: string, close: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at + 1;
  }
  return text.length;
}
