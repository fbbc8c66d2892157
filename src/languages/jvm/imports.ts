/** Java, Kotlin and Scala: packages across all three, classes by the name that their files define. */
import {
  external,
  type ImportResolver,
  type ImportRules,
  type Resolution,
  type Specified,
  UNRESOLVED,
} from '../roles/imports.js';
import { Namespaces } from '../roles/namespaces.js';
import { directoryOf } from '../roles/paths.js';
import { getOrMake, type Project } from '../roles/project.js';

const LANGUAGES = ['java', 'kotlin', 'scala'];
/** `module/src/test/kotlin/…`: the module, and its set of sources. */
const SOURCE_SET = /^(.*?\/|)src\/([^/]+)\//;
/** `module/jvm/src/…`, `module/common/test/…`: sets of sources by the platform they are for, which make one module. */
const PLATFORM_SET =
  /^(.*?\/|)(?:common|jvm|js|native|posix|nix|web|wasm\w*|darwin|apple|ios\w*|macos\w*|watchos\w*|tvos\w*|linux\w*|mingw\w*|windows|desktop|android\w*|nonJvm|jvmAnd[A-Z]\w*)\/(src|test)\//;
/** Platform of `jvm/src/…`. */
const PLATFORM_OF =
  /(?:^|\/)(common|jvm|js|native|posix|web|wasm\w*|darwin|apple|ios|macos|linux|mingw|android|nonJvm)\/(?:src|test)\//;
const TEST_SET = /test|spec|fixture|benchmark|jmh|it$/i;
/** Deeper names are no classes. */
const MAX_DEPTH = 40;
/** Files of one name that are looked at. */
const MAX_CANDIDATES = 500;

export const JVM: ImportRules = {
  readsNames: true,
  create: (project) => new Jvm(project),
};

/** Without classes, whose names begin with a capital by everyone's convention. */
function packagePart(names: readonly string[]): string {
  const end = names.findIndex((name, i) => i > 0 && /^[A-Z]/.test(name));
  return (end < 0 ? names : names.slice(0, end)).join('.');
}

interface SourceSet {
  /** The directory that holds `src/`. */
  module: string;
  isTest: boolean;
  /** `jvm` of `src/jvmMain`; '' where sources are for one platform. */
  platform: string;
}

class Jvm implements ImportResolver {
  private readonly packages: Namespaces;
  private readonly sourceSets = new Map<number, SourceSet>();

  constructor(private readonly project: Project) {
    this.packages = new Namespaces(project, LANGUAGES, '');
  }

  resolve(file: number, { specifier, names }: Specified): Resolution {
    const isRooted = specifier.startsWith('_root_.');
    const written = (isRooted ? specifier.slice('_root_.'.length) : specifier).split('.');
    if (written.length > MAX_DEPTH) return UNRESOLVED;
    const found = this.find(file, written, names);
    if (found !== null) return found;
    const isScala = this.project.language(file) === 'scala';
    for (const prefix of isScala && !isRooted ? this.enclosing(file) : []) {
      const relative = this.find(file, [...prefix, ...written], names);
      if (relative !== null && relative.kind === 'files') return relative;
    }
    return external(packagePart(written));
  }

  neighbours(file: number): readonly number[] {
    return this.packages.neighbours(file);
  }

  /** True for files of one package in one module. Tests see the code that they test, which does not see them. */
  isPeer(file: number, other: number): boolean {
    const own = this.sourceSet(file);
    const theirs = this.sourceSet(other);
    return own.module === theirs.module && (own.isTest || !theirs.isTest) && this.packages.share(file, other);
  }

  /** `expect class A` and each `actual class A` are one. A platform's own counts there, and the common one everywhere else. */
  variant(file: number, one: number, other: number): number | null {
    const [a, b] = [this.sourceSet(one), this.sourceSet(other)];
    if (a.module !== b.module || a.platform === '' || b.platform === '' || a.platform === b.platform) return null;
    if (!this.packages.share(one, other)) return null;
    const { platform } = this.sourceSet(file);
    const distance = (set: SourceSet) => (set.platform === platform ? 0 : set.platform === 'common' ? 1 : 2);
    return distance(b) < distance(a) ? other : one;
  }

  /** Null if no package of the repository has that name. */
  private find(file: number, written: readonly string[], names: Specified['names']): Resolution | null {
    let packageName = written.join('.');
    for (let used = written.length; used > 0; used--) {
      if (this.packages.has(packageName)) return this.inPackage(file, packageName, written.slice(used), names);
      packageName = packageName.slice(0, Math.max(0, packageName.lastIndexOf('.')));
    }
    // A package that only has packages in it, or a class of the package without a name.
    return this.packages.has('') ? this.ofClass(file, '', written[0]) : null;
  }

  private inPackage(
    file: number,
    packageName: string,
    classes: readonly string[],
    names: Specified['names'],
  ): Resolution | null {
    if (classes.length > 0) return this.ofClass(file, packageName, classes[0]);
    const isWhole = names.length === 0 || names.some(({ name }) => name === '*');
    if (isWhole) return this.packages.resolution(packageName);
    const found = new Set(names.flatMap(({ name }) => this.defining(file, packageName, name)));
    // Packages are imported by name too (Scala), and classes are generated by builds.
    for (const { name } of found.size === 0 ? names : []) {
      const inner = `${packageName}.${name}`;
      if (this.packages.has(inner)) return this.packages.resolution(inner);
    }
    if (found.size === 0) for (const member of this.packageObject(packageName)) found.add(member);
    if (found.size === 0) return packageName === '' ? null : UNRESOLVED;
    const ordered = [...found].sort((a, b) => a - b);
    return this.project.toFiles(ordered, 'path');
  }

  /** Scala: `package object data` of the package `cats` stands in `cats/data/package.scala`. */
  private packageObject(packageName: string): readonly number[] {
    const path = `/${packageName.replaceAll('.', '/')}/package.scala`;
    const named = this.project.named('package.scala').slice(0, MAX_CANDIDATES);
    return named.filter((member) => `/${this.project.path(member)}`.endsWith(path));
  }

  private ofClass(file: number, packageName: string, name: string): Resolution | null {
    const found = this.defining(file, packageName, name);
    return found.length === 0 ? null : this.project.toFiles(found, 'path');
  }

  /** Files that define the name; a file of that name where facts don't tell. One module's, the nearest, if several do. */
  private defining(file: number, packageName: string, name: string): readonly number[] {
    let found = this.packages.defining(packageName, name);
    if (found.length === 0) {
      const facade = name.endsWith('Kt') ? name.slice(0, -2) : name;
      found = this.packages.stems(packageName, facade);
    }
    if (found.length < 2) return found;
    const nearest = this.project.nearest(this.project.path(file), found);
    const homes = new Set(nearest.map((member) => directoryOf(this.project.path(member))));
    return homes.size > 1 ? found : nearest;
  }

  /** The names of the packages around a file's package, itself first. */
  private enclosing(file: number): string[][] {
    const names = this.packages.of(file)[0]?.split('.', MAX_DEPTH) ?? [];
    return names.map((_, i) => names.slice(0, names.length - i));
  }

  private sourceSet(file: number): SourceSet {
    return getOrMake(this.sourceSets, file, () => {
      const path = this.project.path(file);
      const match = PLATFORM_SET.exec(path) ?? SOURCE_SET.exec(path);
      if (match === null) return { module: '', isTest: false, platform: '' };
      const platform = /^(\w+?)(?:Main|Test)$/.exec(match[2])?.[1] ?? PLATFORM_OF.exec(path)?.[1] ?? '';
      return { module: match[1], isTest: TEST_SET.test(match[2]), platform };
    });
  }
}
