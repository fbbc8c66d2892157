/** Resolves module specifiers to files by the rules of each language's ecosystem. Reads no files: paths and manifests decide. */
import { createHash } from 'node:crypto';
import { languageOf } from './registry.js';
import {
  external,
  getOrMake,
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
 * `resolve`: `files` holds the files that the import can mean. Their tier is `path` for a file that is named, `package` for all files of a
 * package or namespace. A name that is a module itself (`from package import module`, `use crate::module`) gives that module's file. Any
 * other name gives the file of the package or module that should define it. So several names can have several files, which the base name of
 * the path tells apart.
 */
export interface Resolver {
  resolve(file: number, specified: Specified): Resolution;
  /** Files whose names can be used without an import: those of the same package, namespace or module, without the file itself. */
  peers(file: number): readonly number[];
  /** Is `other` one of these? Costs next to nothing, while `peers` makes a list as long as the package. */
  isPeer(file: number, other: number): boolean;
  /** Picks the definition that `file` uses of two files that define one name for different platforms; null for other files. */
  variant(file: number, one: number, other: number): number | null;
  /** Equal for two inputs only if every resolution is equal. Reads `declared` and `topLevelNames` where they count. */
  fingerprint(): string;
}

/** Rules of a language that are needed to link its files. */
interface Loaded {
  imports?: ImportRules;
  readType?: ReadType;
}

const LOADED = new Map<string, Loaded>();
const NO_FILES: readonly number[] = [];

/** Longest specifier that is resolved. Records cut them at 200 units; a longer one names no file. */
const MAX_SPECIFIER = 4096;

/** Loads the rules by which imports of these languages are resolved and types read. Must be awaited before linking. */
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

/** Reader of the language's written types; undefined if these are only names, arguments, collections and functions. */
export function typeReaderOf(id: string): ReadType | undefined {
  const loaded = LOADED.get(id);
  if (loaded === undefined && languageOf(id)?.semantics?.types !== undefined)
    throw new Error(`types of ${id} are not loaded`);
  return loaded?.readType;
}

/** Names of members that libraries of the language have. */
export function libraryNamesOf(id: string): ReadonlySet<string> {
  return importRulesOf(id)?.libraryNames ?? NO_NAMES;
}

/** Parents of types of a language's libraries. */
export function libraryParentsOf(id: string): ReadonlyMap<string, readonly string[]> {
  return importRulesOf(id)?.libraryParents ?? NO_PARENTS;
}

const NO_PARENTS: ReadonlyMap<string, readonly string[]> = new Map();

export type Framework = NonNullable<ImportRules['framework']>;

/** The framework whose names count where a repository uses it. */
export function frameworkOf(id: string): Framework | undefined {
  return importRulesOf(id)?.framework;
}

const NO_NAMES: ReadonlySet<string> = new Set();

function importRulesOf(id: string): ImportRules | undefined {
  const rules = LOADED.get(id)?.imports;
  if (rules === undefined && languageOf(id)?.imports !== undefined) throw new Error(`imports of ${id} are not loaded`);
  return rules;
}

/** Costs little: only an index by path is made, everything else on demand. */
export function createResolver(input: ResolveInput): Resolver {
  const project = new Project(input);
  const made = new Map<ImportRules, ImportResolver>();
  const byLanguage = new Map<string, ImportResolver | undefined>();
  const ecosystem = (file: number): ImportResolver | undefined =>
    getOrMake(byLanguage, input.files[file].language, () => {
      const kind = importRulesOf(input.files[file].language);
      return kind && getOrMake(made, kind, () => kind.create(project));
    });
  const isPeer = (file: number, other: number): boolean => {
    const own = file === other ? undefined : ecosystem(file);
    return own?.isPeer !== undefined && own === ecosystem(other) && own.isPeer(file, other);
  };
  return {
    resolve(file, specified) {
      if (specified.kind === 'declare' || specified.specifier.length > MAX_SPECIFIER) return UNRESOLVED;
      const found = ecosystem(file)?.resolve(file, specified) ?? UNRESOLVED;
      if (found.kind !== 'external' || found.package !== '') return found;
      // `use DateTime;`, `import sys`: names without a package.
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
