/** The tree of a `use` declaration of Rust, as flat imports. */
import type { ImportedName } from '../roles/relation-facts.js';

interface Used {
  specifier: string;
  names: ImportedName[];
}

/** Longer ones are generated. */
const LONGEST = 20_000;
const MAX_NAMES = 2_000;

/** `use a::{b::C, d as e, self};` -> `a::b` {C}, `a` {d as e}, `a` as a whole. One entry for each path, in order. */
export function useTree(text: string): Used[] {
  const body = text
    .slice(0, LONGEST)
    .replace(/\/\/[^\n]*|\/\*[^*]*\*\//g, '')
    .replace(/^[\s\S]*?\buse\s+/, '')
    .replace(/;\s*$/, '');
  const found = new Map<string, ImportedName[]>();
  const prefixes: string[] = [];
  let path = '';
  const add = (): void => {
    const leaf = leafOf(prefixes.join('') + path.trim());
    path = '';
    if (leaf === null || found.size > MAX_NAMES) return;
    const names = found.get(leaf.specifier);
    if (names === undefined) found.set(leaf.specifier, [leaf.name]);
    else names.push(leaf.name);
  };
  for (const token of body.matchAll(/[{},]|[^{},]+/g)) {
    if (token[0] === '{') {
      prefixes.push(path.trim());
      path = '';
    } else if (token[0] === ',') add();
    else if (token[0] === '}') {
      add();
      prefixes.pop();
    } else path += token[0];
  }
  add();
  return [...found].map(([specifier, names]) => ({ specifier, names }));
}

function leafOf(written: string): { specifier: string; name: ImportedName } | null {
  const match = /^(?:::)?((?:[\w#$]+\s*::\s*)*)([\w#$]+|\*)(?:\s+as\s+(\w+))?$/.exec(written);
  if (match === null) return null;
  const path = match[1].replace(/\s/g, '').replace(/::$/, '');
  const last = match[2];
  const alias = match[3];
  if (alias === '_') return null;
  if (last === '*') return { specifier: path, name: { name: '*', alias: '' } };
  if (last === 'self')
    return { specifier: path, name: { name: '*', alias: alias ?? path.slice(path.lastIndexOf(':') + 1) } };
  // `use serde;`, `use crate as shop;`
  if (path === '') return { specifier: last, name: { name: '*', alias: alias ?? last } };
  return { specifier: path, name: { name: last, alias: alias ?? last } };
}
