/** SCSS and LESS, which have no grammar here: what a statement of theirs imports. */
import type { ImportedName, StatedImport } from '../roles/relation-facts.js';

/** An import statement that is longer isn't read to its end. UTF-16 units. */
const MAX_STATEMENT_LENGTH = 5_000;
/** Files in one statement. */
const MAX_FILES = 200;
const STATEMENT = /^@(use|forward|import|plugin)\b\s*(?:\([\w\s,-]*\)\s*)?/;
const FILE = /\s*(?:url\(\s*)?(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s"',;()]{1,200}))\s*\)?/y;

/** Imports of the statement `text`, which starts at `at`. */
export function styleImports(text: string, at: number): StatedImport[] {
  const statement = STATEMENT.exec(text);
  if (statement === null) return [];
  const imports: StatedImport[] = [];
  const head = text.slice(0, MAX_STATEMENT_LENGTH);
  FILE.lastIndex = statement[0].length;
  for (let match = FILE.exec(head); match !== null && imports.length < MAX_FILES; match = FILE.exec(head)) {
    const specifier = match[1] ?? match[2] ?? match[3];
    const end = FILE.lastIndex;
    const kind = statement[1] === 'forward' ? 'reexport' : 'import';
    imports.push({
      at,
      end: at + text.length,
      kind,
      specifier,
      names: namesOf(statement[1], specifier, head.slice(end)),
    });
    const next = /\s*,/y;
    next.lastIndex = end;
    if (statement[1] !== 'import' || !next.test(head)) break;
    FILE.lastIndex = next.lastIndex;
  }
  return imports;
}

/** `@use` puts the names of a file behind its own; the other ways make them usable as they are. */
function namesOf(word: string, specifier: string, rest: string): ImportedName[] {
  if (word === 'plugin') return [];
  if (word !== 'use') return [{ name: '*', alias: '' }];
  const written = /^\s*as\s+(\*|[\w-]+)/.exec(rest)?.[1];
  const last = specifier.split(/[/:]/).pop() ?? '';
  return [{ name: '*', alias: written === '*' ? '' : (written ?? last.replace(/^_|\.\w+$/g, '')) }];
}
