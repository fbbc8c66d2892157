/** `model/corpus.json`: the packages the model is trained on, each at one version. */
import { readFileSync } from 'node:fs';
import { excludedBy } from './excluded.js';

export type Registry = 'debian' | 'debian-source' | 'npm';

export interface Package {
  registry: Registry;
  name: string;
  /** Exact version that was fetched. */
  version: string;
  /** SPDX, or `LicenseRef-public-domain`. */
  licence: string;
  /** Language ids that hold at least a tenth of its code bytes, largest first. */
  languages: string[];
}

const REGISTRIES: readonly string[] = ['debian', 'debian-source', 'npm'] satisfies Registry[];
const NAME = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.+-]*$/;
/** Maximum width of a row, with the comma after it. */
const LINE = 120;
const VERSION = /^[0-9][\w.+:~-]*$/;

/** Name of its folder under `DIR/packages`: `debian-jq`, `npm-tanstack-query-core`. */
export function folderOf(one: Package): string {
  return `${one.registry}-${one.name.replace('@', '').replaceAll('/', '-')}`;
}

/** All packages in the file's order. Throws for a malformed or excluded row, as both are mistakes to correct. */
export function readCorpus(path: string): Package[] {
  const rows: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(rows)) throw new Error(`${path}: not an array`);
  return rows.map((row: Package) => {
    // The name and version become arguments of other programs and parts of paths.
    if (!REGISTRIES.includes(row.registry) || !NAME.test(row.name) || !VERSION.test(row.version)) {
      throw new Error(`${path}: malformed row ${JSON.stringify(row)}`);
    }
    const excluded = excludedBy(row.name);
    if (excluded !== null) throw new Error(`${path}: ${row.name} is excluded (${excluded})`);
    return row;
  });
}

/** Text of the file, sorted and formatted as the formatter does, with one package per line where it fits. */
export function corpusText(packages: readonly Package[]): string {
  const key = (one: Package) => `${one.registry} ${one.name}`;
  const sorted = [...packages].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return `[\n${sorted.map(rowText).join(',\n')}\n]\n`;
}

function rowText({ registry, name, version, licence, languages }: Package): string {
  const list = `[${languages.map((id) => JSON.stringify(id)).join(', ')}]`;
  const fields = Object.entries({ registry, name, version, licence }).map(
    ([field, value]) => `"${field}": ${JSON.stringify(value)}`,
  );
  fields.push(`"languages": ${list}`);
  const line = `  { ${fields.join(', ')} }`;
  return line.length < LINE ? line : `  {\n    ${fields.join(',\n    ')}\n  }`;
}
