/** Module specifiers to files, by the rules of each language's ecosystem. Nothing is read: paths and manifests decide. */
import { createHash } from 'node:crypto';
import { languageOf } from './registry.js';
import {
  external,
  type ImportResolver,
  type ImportRules,
  Project,
  type Resolution,
  type ResolveInput,
  type Specified,
  UNRESOLVED,
} from './roles/project.js';
import type { ReadType } from './roles/type-expressions.js';

export type { ResolveInput, Specified } from './roles/project.js';

/**
 * `resolve`: `files` holds what the import can mean, with the tier `path` for the files named, with `package` for all
 * files of a package or namespace. A name that is a module itself (`from package import module`, `use crate::module`)
 * gives that module's file, another name the file of the package or module that should define it; so a resolution of
 * several names can have several files, and the base name of a path tells which one is which name.
 */
export interface Resolver {
  resolve(file: number, specified: Specified): Resolution;
  /** Files whose names can be used without any import: those of the same package, namespace or module; itself left out. */
  peers(file: number): readonly number[];
  /** Is `other` one of them? Costs next to nothing, where `peers` makes a list as long as the package. */
  isPeer(file: number, other: number): boolean;
  /** Of two files that define one name for different platforms, the one that `file` means; else null. */
  variant(file: number, one: number, other: number): number | null;
  /** Equal for two inputs only if every resolution is equal. Asks for `declared` and `topLevelNames` where they count. */
  fingerprint(): string;
}

/** Rules of a language that are needed to link its files. */
interface Loaded {
  imports?: ImportRules;
  readType?: ReadType;
}

const LOADED = new Map<string, Loaded>();
const NO_FILES: readonly number[] = [];

/** Specifiers are cut at 200 units in records; nothing longer names a file. */
const MAX_SPECIFIER = 4096;

/** Loads how imports in files of these languages are resolved, and types read. Has to be awaited before linking. */
export async function loadImports(languages: Iterable<string>): Promise<void> {
  const missing = [...new Set(languages)].filter((id) => !LOADED.has(id));
  await Promise.all(
    missing.map(async (id) => {
      const language = languageOf(id);
      const [imports, readType] = await Promise.all([language?.imports?.(), language?.semantics?.types?.()]);
      LOADED.set(id, { imports, readType });
    }),
  );
}

/** Reads types as they are written in the language; undefined where names, arguments, collections and functions are all there is. */
export function typeReaderOf(id: string): ReadType | undefined {
  const loaded = LOADED.get(id);
  if (loaded === undefined && languageOf(id)?.semantics?.types !== undefined)
    throw new Error(`types of ${id} are not loaded`);
  return loaded?.readType;
}

function importRulesOf(id: string): ImportRules | undefined {
  const rules = LOADED.get(id)?.imports;
  if (rules === undefined && languageOf(id)?.imports !== undefined) throw new Error(`imports of ${id} are not loaded`);
  return rules;
}

/** Cheap: an index by path; everything else is made when a language asks for it. */
export function createResolver(input: ResolveInput): Resolver {
  const project = new Project(input);
  const made = new Map<ImportRules, ImportResolver>();
  const ecosystem = (file: number): ImportResolver | undefined => {
    const kind = importRulesOf(input.files[file].language);
    if (kind === undefined) return undefined;
    let found = made.get(kind);
    if (found === undefined) {
      found = kind.create(project);
      made.set(kind, found);
    }
    return found;
  };
  const isPeer = (file: number, other: number): boolean => {
    const own = file === other ? undefined : ecosystem(file);
    return own !== undefined && own === ecosystem(other) && own.isPeer?.(file, other) === true;
  };
  return {
    resolve(file, specified) {
      if (specified.kind === 'declare' || specified.specifier.length > MAX_SPECIFIER) return UNRESOLVED;
      const found = ecosystem(file)?.resolve(file, specified) ?? UNRESOLVED;
      if (found.kind !== 'external' || found.package !== '') return found;
      // `use DateTime;`, `import sys`: names of no package.
      const name = specified.names.find((imported) => imported.name !== '' && imported.name !== '*')?.name;
      return name === undefined ? UNRESOLVED : external(name);
    },
    variant: (file, one, other) => {
      const own = ecosystem(file);
      return own === undefined || own !== ecosystem(one) || own !== ecosystem(other)
        ? null
        : (own.variant?.(file, one, other) ?? null);
    },
    peers: (file) =>
      ecosystem(file)
        ?.neighbours?.(file)
        .filter((other) => isPeer(file, other)) ?? NO_FILES,
    isPeer,
    fingerprint: () => fingerprintOf(input),
  };
}

function fingerprintOf(input: ResolveInput): string {
  const hash = createHash('sha256');
  const list = (words: readonly string[]): void => {
    hash.update(JSON.stringify(words));
  };
  list(input.files.flatMap(({ path, language }) => [path, language]));
  list([...input.others].sort());
  list([...input.manifests].sort(([a], [b]) => (a < b ? -1 : 1)).flat());
  for (let file = 0; file < input.files.length; file++) {
    if (importRulesOf(input.files[file].language)?.readsNames !== true) continue;
    list([String(file), ...input.declared(file)]);
    list(input.topLevelNames(file));
  }
  return hash.digest('hex');
}
