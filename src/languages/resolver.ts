/** Module specifiers to files, by the rules of each language's ecosystem. Nothing is read: paths and manifests decide. */
import { createHash } from 'node:crypto';
import { INCLUDES } from './c/imports.js';
import { CSHARP } from './csharp/imports.js';
import { DART } from './dart/imports.js';
import { ECMASCRIPT } from './ecmascript/imports/imports.js';
import { ELIXIR } from './elixir/imports.js';
import { GO } from './go/imports.js';
import { HASKELL } from './haskell/imports.js';
import { JVM } from './jvm/imports.js';
import { LUA } from './lua/imports.js';
import { PHP } from './php/imports.js';
import { PYTHON } from './python/imports.js';
import {
  type Ecosystem,
  type EcosystemKind,
  external,
  type Resolution,
  type ResolveInput,
  type Specified,
  UNRESOLVED,
} from './roles/imports.js';
import { Project } from './roles/project.js';
import { RUBY } from './ruby/imports.js';
import { RUST } from './rust/imports.js';
import { SHELL } from './shell/imports.js';
import { SWIFT } from './swift/imports.js';
import { STYLES } from './web/imports.js';

export type { ResolveInput, Specified } from './roles/imports.js';

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
  /** Equal for two inputs only if every resolution is equal. Asks for `declared` and `topLevelNames` where they count. */
  fingerprint(): string;
}

const KINDS: readonly EcosystemKind[] = [
  ECMASCRIPT,
  PYTHON,
  GO,
  RUST,
  JVM,
  CSHARP,
  INCLUDES,
  PHP,
  RUBY,
  DART,
  LUA,
  ELIXIR,
  HASKELL,
  SWIFT,
  SHELL,
  STYLES,
];

const KIND_BY_LANGUAGE: ReadonlyMap<string, EcosystemKind> = new Map(
  KINDS.flatMap((kind) => kind.languages.map((language) => [language, kind] as const)),
);
const NO_FILES: readonly number[] = [];

/** Specifiers are cut at 200 units in records; nothing longer names a file. */
const MAX_SPECIFIER = 4096;

/** Do resolutions in files of that language depend on names that other files declare and define? */
export function readsNames(language: string): boolean {
  return KIND_BY_LANGUAGE.get(language)?.readsNames ?? false;
}

/** Cheap: an index by path; everything else is made when a language asks for it. */
export function createResolver(input: ResolveInput): Resolver {
  const project = new Project(input);
  const made = new Map<EcosystemKind, Ecosystem>();
  const ecosystem = (file: number): Ecosystem | undefined => {
    const kind = KIND_BY_LANGUAGE.get(input.files[file].language);
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
    if (!readsNames(input.files[file].language)) continue;
    list([String(file), ...input.declared(file)]);
    list(input.topLevelNames(file));
  }
  return hash.digest('hex');
}
