/** Swift: a module is a directory of files. */
import { external, type ImportResolver, type ImportRules, type Resolution, type Specified } from '../roles/imports.js';
import { directoryOf, join } from '../roles/paths.js';
import { append, getOrMake, type Project } from '../roles/project.js';

/** A module is a directory of files: `Sources/Name`, or what Package.swift says. */
export const SWIFT: ImportRules = {
  readsNames: false,
  create: (project) => new Swift(project),
};

const SWIFT_SOURCES = /^(.*?\/|)(?:Sources|Source|Tests|src|Plugins)\/([^/]+)\//;
/** Beginning of a target in Package.swift, which goes up to the next one. */
const SWIFT_TARGET = /\.(?:target|executableTarget|testTarget|macro|plugin)\(/;
const TARGET_NAME = /\bname:\s*"([^"\n]{1,200})"/;
const TARGET_PATH = /\bpath:\s*"([^"\n]{1,400})"/;
const MAX_TARGETS = 500;

class Swift implements ImportResolver {
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
