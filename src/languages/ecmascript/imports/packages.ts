/** The packages of a repository: which directory a package name means, and which file a path inside of it. */

import type { Resolution } from '../../roles/imports.js';
import { entries, field, type Json, text, texts } from '../../roles/json.js';
import { ancestors, directoryOf, isWithin, join, under } from '../../roles/paths.js';
import type { Project } from '../../roles/project.js';
import { directoryMatcher } from '../../roles/readers.js';
import { yamlList } from '../../roles/yaml.js';
import { mappedTargets } from './exports.js';
import type { Probe } from './probe.js';
import { sourceOf } from './source-of.js';

interface Package {
  directory: string;
  manifest: Json;
}

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
/** Entry points of a package without `exports`. TypeScript wants declarations, a bundler code. */
const MAIN_FIELDS = {
  typescript: ['source', 'types', 'typings', 'module', 'main'],
  javascript: ['source', 'module', 'main', 'types', 'typings'],
};
/** Patterns that are held against directories: 10 patterns in a repository of 30,000 packages. */
const MAX_TESTS = 300_000;
/** Making a pattern ready takes as long as so many tests of it. */
const COMPILED_AS_TESTS = 20;
const LOCAL_DEPENDENCY = /^(?:file|link|portal):(.*)$/s;
/** `"cart": "workspace:@shop/cart@*"` is another name for `@shop/cart`. */
const ALIASED_DEPENDENCY = /^workspace:(@?[^@]+)@/;

export class Packages {
  private readonly nearestByDirectory = new Map<string, Package | null>();
  private workspaces: Map<string, Package> | null = null;

  constructor(private readonly project: Project) {}

  /** The package at exactly that directory. */
  at(directory: string): Package | null {
    const manifest = this.project.json(under(directory, 'package.json'));
    return manifest === undefined ? null : { directory, manifest };
  }

  /** The package that a directory belongs to. */
  nearest(directory: string): Package | null {
    const passed: string[] = [];
    let found: Package | null = null;
    for (const at of ancestors(directory)) {
      const known = this.nearestByDirectory.get(at);
      found = known ?? null;
      if (known !== undefined) break;
      passed.push(at);
      found = this.at(at);
      if (found !== null) break;
    }
    for (const at of passed) this.nearestByDirectory.set(at, found);
    return found;
  }

  /** The package of the repository that `name` means to a file of `directory`; null if it comes from outside. */
  find(name: string, directory: string): Package | null {
    const own = this.nearest(directory);
    if (own === null) return this.workspacePackages().get(name) ?? null;
    if (field(own.manifest, 'name') === name) return own;
    return this.localDependency(own, name) ?? this.workspacePackages().get(name) ?? null;
  }

  /** The file that `subpath` (`.` or `./x`) of a package means. */
  entry(found: Package, subpath: string, probe: Probe): Resolution | null {
    const exported = field(found.manifest, 'exports');
    const targets = exported === undefined ? null : mappedTargets(exported, subpath);
    if (targets !== null) {
      const target = this.locate(found.directory, targets, probe);
      if (target !== null) return target;
    }
    if (subpath === '.') return this.main(found, probe);
    return this.direct(join(found.directory, subpath), probe) ?? this.locate(found.directory, [subpath], probe);
  }

  /** Resolves a directory that is imported by its path. */
  directory(path: string, probe: Probe): Resolution | null {
    const found = this.at(path);
    return found === null ? probe.index(path) : (this.mainField(found, probe) ?? probe.index(path));
  }

  /** The first target that is there, else the first that is built from a file that is there. */
  locate(directory: string, targets: readonly string[], probe: Probe): Resolution | null {
    for (const target of targets) {
      const found = this.direct(join(directory, target), probe);
      if (found !== null) return found;
    }
    for (const target of targets) {
      const found = sourceOf(directory, target, probe);
      if (found !== null) return found;
    }
    return null;
  }

  private direct(path: string | null, probe: Probe): Resolution | null {
    return path === null ? null : (probe.file(path) ?? probe.index(path));
  }

  private main(found: Package, probe: Probe): Resolution | null {
    const { directory } = found;
    return this.mainField(found, probe) ?? probe.index(directory) ?? probe.index(under(directory, 'src'));
  }

  private mainField({ directory, manifest }: Package, probe: Probe): Resolution | null {
    const targets = MAIN_FIELDS[probe.flavour].flatMap((name) => text(field(manifest, name)) ?? []);
    return this.locate(directory, targets, probe);
  }

  /** A dependency that the manifest places inside of the repository, whether the workspace knows it or not. */
  private localDependency({ directory, manifest }: Package, name: string): Package | null {
    for (const fieldName of DEPENDENCY_FIELDS) {
      const version = text(field(field(manifest, fieldName), name));
      if (version === undefined) continue;
      const local = LOCAL_DEPENDENCY.exec(version);
      const path = local === null ? null : join(directory, local[1]);
      if (path !== null) return this.at(path);
      const alias = ALIASED_DEPENDENCY.exec(version);
      if (alias !== null) return this.workspacePackages().get(alias[1]) ?? null;
    }
    return null;
  }

  private workspacePackages(): Map<string, Package> {
    if (this.workspaces !== null) return this.workspaces;
    const found = new Map<string, Package>();
    const candidates = this.project.manifestsNamed('package.json').map(directoryOf);
    let tests = 0;
    for (const { directory, patterns } of this.workspaceGlobs()) {
      tests += patterns.length * COMPILED_AS_TESTS;
      if (tests > MAX_TESTS) break;
      const isMember = directoryMatcher(patterns);
      for (const candidate of candidates) {
        if (!isWithin(candidate, directory)) continue;
        tests += patterns.length;
        if (tests > MAX_TESTS) break;
        const below = directory === '' ? candidate : candidate.slice(directory.length + 1);
        if (candidate !== directory && !isMember(below)) continue;
        const member = this.at(candidate);
        const name = text(field(member?.manifest, 'name'));
        if (member !== null && name !== undefined && !found.has(name)) found.set(name, member);
      }
    }
    this.workspaces = found;
    return found;
  }

  private workspaceGlobs(): { directory: string; patterns: string[] }[] {
    const found: { directory: string; patterns: string[] }[] = [];
    const add = (path: string, patterns: string[]): void => {
      if (patterns.length > 0) found.push({ directory: directoryOf(path), patterns });
    };
    for (const path of this.project.manifestsNamed('package.json')) {
      if (this.project.manifest(path)?.includes('"workspaces"') !== true) continue;
      const workspaces = field(this.project.json(path), 'workspaces');
      add(path, [...texts(workspaces), ...texts(field(workspaces, 'packages'))]);
    }
    for (const path of this.project.manifestsNamed('pnpm-workspace.yaml')) {
      add(path, yamlList(this.project.manifest(path) ?? '', 'packages'));
    }
    for (const path of this.project.manifestsNamed('lerna.json')) {
      add(path, texts(field(this.project.json(path), 'packages')));
    }
    return found;
  }
}

/** Fields of `imports` begin with `#`. */
export function importTargets({ manifest }: Package, name: string): string[] | null {
  const map = field(manifest, 'imports');
  return map === undefined || entries(map).length === 0 ? null : mappedTargets(map, name);
}
