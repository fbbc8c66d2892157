/** Linguist attributes, and the encoding of files in the work tree, from the `.gitattributes` files of a snapshot, which git 2.39 cannot read from a tree. */
import { posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';

export interface PathAttributes {
  generated: boolean;
  vendored: boolean;
  documentation: boolean;
  /** Encoding that the file has in the work tree; absent for UTF-8. */
  encoding?: string;
}

type Mark = Exclude<keyof PathAttributes, 'encoding'>;
type Attribute = keyof PathAttributes;
const NAMES: ReadonlyMap<string | undefined, Attribute> = new Map([
  ['linguist-generated', 'generated'],
  ['linguist-vendored', 'vendored'],
  ['linguist-documentation', 'documentation'],
  ['working-tree-encoding', 'encoding'],
]);

interface Rule {
  directory: string;
  matcher: Ignore;
  value: Partial<PathAttributes>;
}

/**
 * Returns a function that looks up the attributes of a path. `files` are the snapshot's `.gitattributes`. Later lines win over earlier
 * ones and deeper files over shallower ones, as in gitattributes(5). Macros and quoted patterns are ignored.
 */
export function createAttributes(files: readonly { path: string; text: string }[]): (path: string) => PathAttributes {
  const sorted = [...files].sort((a, b) => a.path.split('/').length - b.path.split('/').length);
  const rules = sorted.flatMap(({ path, text }) => parseRules(posix.dirname(path), text));
  return (path) => {
    const found: PathAttributes = { generated: false, vendored: false, documentation: false };
    for (const { directory, matcher, value } of rules) {
      if (directory !== '.' && !path.startsWith(`${directory}/`)) continue;
      const relative = directory === '.' ? path : path.slice(directory.length + 1);
      if (relative !== '' && !relative.startsWith('../') && matcher.ignores(relative)) Object.assign(found, value);
    }
    return found;
  };
}

function parseRules(directory: string, text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [pattern, ...attributes] = line.trim().split(/\s+/);
    if (pattern.startsWith('#') || pattern.startsWith('[attr]') || pattern.startsWith('"')) continue;
    for (const item of attributes) {
      const [, sign, name, set] = /^([-!]?)([\w.-]+)(?:=(.*))?$/.exec(item) ?? [];
      const attribute = NAMES.get(name);
      if (attribute === undefined) continue;
      const isSet = sign === '' && set !== 'false';
      const value = attribute === 'encoding' ? { encoding: isSet ? set : undefined } : mark(attribute, isSet);
      rules.push({ directory, matcher: ignore({ ignorecase: false }).add(pattern), value });
    }
  }
  return rules;
}

const mark = (name: Mark, value: boolean): Partial<PathAttributes> => ({ [name]: value });
