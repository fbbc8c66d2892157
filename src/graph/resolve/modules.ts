/** Languages whose modules have names of their own, wherever their files are: Elixir, Haskell, Swift. */
import type { Resolution } from '../types.js';
import { type Ecosystem, type EcosystemKind, external, type Specified } from './ecosystem.js';
import { Namespaces } from './namespaces.js';
import { directoryOf, join } from './paths.js';
import { append, getOrMake, type Project } from './project.js';

/** Modules are symbols: the file that defines one of that name. */
export const ELIXIR: EcosystemKind = {
  languages: ['elixir'],
  readsNames: true,
  create: (project) => new Elixir(project),
};

class Elixir implements Ecosystem {
  private definers: Map<string, number[]> | null = null;

  constructor(private readonly project: Project) {}

  resolve(file: number, { specifier }: Specified): Resolution {
    const name = specifier.startsWith('Elixir.') ? specifier.slice('Elixir.'.length) : specifier;
    const found = this.modules().get(name);
    if (found === undefined) return external(name.split('.', 1)[0]);
    return this.project.toFiles(this.project.nearest(this.project.path(file), found), 'path');
  }

  private modules(): Map<string, number[]> {
    if (this.definers !== null) return this.definers;
    this.definers = new Map();
    for (const file of this.project.filesOfLanguages(['elixir'])) {
      for (const name of new Set(this.project.input.topLevelNames(file))) append(this.definers, name, file);
    }
    return this.definers;
  }
}

/** A file says which module it is; without a header, where it stands does. */
export const HASKELL: EcosystemKind = {
  languages: ['haskell'],
  readsNames: true,
  create: (project) => new Haskell(project),
};

/** Files of one name that are looked at. */
const MAX_CANDIDATES = 500;
const HASKELL_ENDINGS = ['.hs', '.lhs', '.hsc'];

class Haskell implements Ecosystem {
  private readonly modules: Namespaces;

  constructor(private readonly project: Project) {
    this.modules = new Namespaces(project, ['haskell'], null);
  }

  resolve(file: number, { specifier }: Specified): Resolution {
    const declared = this.modules.files(specifier);
    const path = specifier.replaceAll('.', '/');
    const found = declared.length > 0 ? declared : HASKELL_ENDINGS.flatMap((ending) => this.placed(path + ending));
    if (found.length === 0) return external(specifier);
    return this.project.toFiles(this.project.nearest(this.project.path(file), found), 'path');
  }

  private placed(path: string): number[] {
    const named = this.project.named(path.slice(path.lastIndexOf('/') + 1));
    return named
      .slice(0, MAX_CANDIDATES)
      .filter((file) => this.project.path(file) === path || this.project.path(file).endsWith(`/${path}`));
  }
}

/** A module is a directory of files: `Sources/Name`, or what Package.swift says. */
export const SWIFT: EcosystemKind = {
  languages: ['swift'],
  readsNames: false,
  create: (project) => new Swift(project),
};

const SWIFT_SOURCES = /^(.*?\/|)(?:Sources|Source|Tests|src|Plugins)\/([^/]+)\//;
/** Where a target begins in Package.swift; what follows up to the next one is its own. */
const SWIFT_TARGET = /\.(?:target|executableTarget|testTarget|macro|plugin)\(/;
const TARGET_NAME = /\bname:\s*"([^"\n]{1,200})"/;
const TARGET_PATH = /\bpath:\s*"([^"\n]{1,400})"/;
const MAX_TARGETS = 500;

class Swift implements Ecosystem {
  private files: Map<string, number[]> | null = null;
  private readonly modules = new Map<number, string>();
  private readonly known = new Map<string, Resolution>();
  /** Directories that manifests name, longest first. */
  private places: { directory: string; name: string }[] | null = null;

  constructor(private readonly project: Project) {}

  resolve(_file: number, { specifier }: Specified): Resolution {
    const name = specifier.split('.', 1)[0];
    return getOrMake(this.known, name, () => {
      const found = this.byModule().get(name);
      return found === undefined ? external(name) : this.project.toFiles(found, 'package');
    });
  }

  neighbours(file: number): readonly number[] {
    return this.byModule().get(this.modules.get(file) ?? '') ?? [];
  }

  isPeer(file: number, other: number): boolean {
    this.byModule();
    return this.modules.get(file) === this.modules.get(other);
  }

  /** Files of no target are one module together: an app's. */
  private byModule(): Map<string, number[]> {
    if (this.files !== null) return this.files;
    this.files = new Map();
    for (const file of this.project.filesOfLanguages(['swift'])) {
      const path = this.project.path(file);
      if (path === 'Package.swift' || path.endsWith('/Package.swift')) continue;
      const name = this.targets().find(({ directory }) => path.startsWith(`${directory}/`))?.name;
      const module = name ?? SWIFT_SOURCES.exec(path)?.[2] ?? '';
      this.modules.set(file, module);
      append(this.files, module, file);
    }
    return this.files;
  }

  private targets(): { directory: string; name: string }[] {
    if (this.places !== null) return this.places;
    const found = this.project.manifestsNamed('Package.swift').flatMap((path) => {
      const targets: { directory: string; name: string }[] = [];
      for (const text of (this.project.manifest(path) ?? '').split(SWIFT_TARGET, MAX_TARGETS).slice(1)) {
        const name = TARGET_NAME.exec(text)?.[1];
        const written = TARGET_PATH.exec(text)?.[1];
        const directory = written === undefined ? null : join(directoryOf(path), written);
        if (name !== undefined && directory !== null && directory !== '') targets.push({ directory, name });
      }
      return targets;
    });
    this.places = found.sort((a, b) => b.directory.length - a.directory.length);
    return this.places;
  }
}
