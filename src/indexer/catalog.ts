/** Decides which files of a snapshot are indexed and in which language, and records why the others are not. */
import { log } from '../base/log.js';
import { visibleLine } from '../base/printable.js';
import { createAttributes } from '../git/attributes.js';
import { isUnsafePath, type ObjectReader, type TreeEntry } from '../git/objects.js';
import { detectLanguage, isBinaryPath, needsContent } from '../languages/detect.js';
import { PLAIN_TEXT } from '../languages/registry.js';
import type { CatalogFile } from '../shard/live-set.js';

/** Reasons for leaving a file out that its path or tree entry alone decides. */
const PATH_SKIP_REASONS = [
  'submodule',
  'symlink',
  'unsafe-path',
  'secret',
  'ignored',
  'excluded',
  'builtin',
  'binary',
] as const;
type PathSkipReason = (typeof PATH_SKIP_REASONS)[number];

export interface Catalog {
  files: CatalogFile[];
  /** Number of files left out, by reason. */
  skipped: Partial<Record<PathSkipReason, number>>;
  /** Number of distinct blobs among `files`. */
  blobs: number;
}

export interface CatalogOptions {
  select: (path: string) => 'excluded' | 'ignored' | 'builtin' | 'secret' | null;
  /** Configured language ids by extension, such as ".inc". */
  languages: Readonly<Record<string, string>>;
  /** `.gitattributes` files that differ from the tree; `text` is null for a deleted one. */
  attributes?: readonly AttributesFile[];
}

export interface AttributesFile {
  path: string;
  text: string | null;
}

/** Builds the catalog of a snapshot. `objects` is only used to read `.gitattributes`. */
export async function buildCatalog(
  entries: readonly TreeEntry[],
  objects: ObjectReader,
  options: CatalogOptions,
): Promise<Catalog> {
  const attributes = createAttributes(await readAttributeFiles(entries, objects, options.attributes));
  const catalog: Catalog = { files: [], skipped: {}, blobs: 0 };
  const blobs = new Set<string>();
  for (const entry of entries) {
    const reason = skipReason(entry, options);
    if (reason !== null) {
      catalog.skipped[reason] = (catalog.skipped[reason] ?? 0) + 1;
      continue;
    }
    const language = languageOfPath(entry.path, options.languages);
    const { generated, vendored } = attributes(entry.path);
    catalog.files.push({ path: entry.path, oid: entry.oid, language, generated, vendored });
    blobs.add(entry.oid);
  }
  catalog.blobs = blobs.size;
  return catalog;
}

/** Language id of a path; null if only the content can show it. */
export function languageOfPath(path: string, overrides: CatalogOptions['languages']): string | null {
  const language = detectLanguage(path, undefined, overrides);
  return language === null && !needsContent(path) ? PLAIN_TEXT : language;
}

/** Reason for leaving an entry out, from its path and type alone; null if it stays. */
export function skipReason(
  entry: Omit<TreeEntry, 'oid'>,
  options: Pick<CatalogOptions, 'select'>,
): PathSkipReason | null {
  if (entry.type === 'submodule' || entry.type === 'symlink') return entry.type;
  if (isUnsafePath(entry.path)) return 'unsafe-path';
  return options.select(entry.path) ?? (isBinaryPath(entry.path) ? 'binary' : null);
}

const MAX_ATTRIBUTE_BYTES = 256 * 1024;

export async function readAttributeFiles(
  entries: readonly TreeEntry[],
  objects: ObjectReader,
  changed: readonly AttributesFile[] = [],
): Promise<{ path: string; text: string }[]> {
  const files = changed.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
  const isChanged = new Set(changed.map(({ path }) => path));
  for (const { path, oid, type } of entries) {
    if (type === 'symlink' || isChanged.has(path) || !(path === '.gitattributes' || path.endsWith('/.gitattributes')))
      continue;
    const info = await objects.info(oid);
    if (info === null) continue;
    if (info.size > MAX_ATTRIBUTE_BYTES) {
      log.printOnce(
        'warn',
        `${visibleLine(path)} is too large and ignored; files it marks as generated are not treated so`,
      );
      continue;
    }
    const object = await objects.read(oid);
    if (object !== null) files.push({ path, text: object.content.toString('utf8') });
  }
  return files;
}
