/** Imports and libraries of the JVM: packages of Java, Kotlin and Scala, and classes by the names that their files define. */
import { addTo } from '../../base/lists.js';
import { type Dependency, type PackageRules, type PublishedModule, type PublishedPackage, words } from '../language.js';
import {
  ancestors,
  directoryOf,
  external,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  Namespaces,
  type Project,
  type Resolution,
  type Specified,
  UNRESOLVED,
} from '../roles/project.js';

const LANGUAGES = ['java', 'kotlin', 'scala'];
/** `module/src/test/kotlin/…`, `module/src-gen/main/java/…`: the module, and its set of sources. */
const SOURCE_SET = /^(.*?\/|)src(?:-\w+)?\/([^/]+)\//;
/** `module/jvm/src/…`, `module/common/test/…`: sets of sources by platform, which together are one module. */
const PLATFORM_SET =
  /^(.*?\/|)(?:common|jvm|js|native|posix|nix|web|wasm\w*|darwin|apple|ios\w*|macos\w*|watchos\w*|tvos\w*|linux\w*|mingw\w*|windows|desktop|android\w*|nonJvm|jvmAnd[A-Z]\w*)\/(src|test)\//;
/** Platform of `jvm/src/…`. */
const PLATFORM_OF =
  /(?:^|\/)(common|jvm|js|native|posix|web|wasm\w*|darwin|apple|ios|macos|linux|mingw|android|nonJvm)\/(?:src|test)\//;
const TEST_SET = /test|spec|fixture|benchmark|jmh|it$/i;
/** Longest qualified name of a class. */
const MAX_DEPTH = 40;
/** Most files of one name that are looked at. */
const MAX_CANDIDATES = 500;

export const JVM: ImportRules = {
  readsNames: true,
  create: (project) => new Jvm(project),
};

/** Java and Kotlin: types of the JDK that parameters and arguments mostly have, as `Child:Parent,Parent`. */
export const JDK: ImportRules = {
  ...JVM,
  libraryParents: new Map(
    words(`
      Object Iterable Collection:Iterable MutableCollection:Collection List:Collection MutableList:List,MutableCollection Set:Collection
      MutableSet:Set,MutableCollection SortedSet:Set NavigableSet:SortedSet Queue:Collection Deque:Queue ArrayList:MutableList
      LinkedList:MutableList,Deque Vector:MutableList Stack:Vector CopyOnWriteArrayList:MutableList HashSet:MutableSet LinkedHashSet:HashSet
      TreeSet:NavigableSet EnumSet:MutableSet ArrayDeque:Deque PriorityQueue:Queue BlockingQueue:Queue Map MutableMap:Map
      SortedMap:Map NavigableMap:SortedMap ConcurrentMap:Map HashMap:MutableMap LinkedHashMap:HashMap TreeMap:NavigableMap EnumMap:Map
      ConcurrentHashMap:ConcurrentMap WeakHashMap:Map IdentityHashMap:Map Hashtable:Map Properties:Hashtable Entry Iterator
      ListIterator:Iterator Enumeration Spliterator Optional Stream IntStream LongStream DoubleStream Collector Comparator
      AutoCloseable Closeable:AutoCloseable Flushable Appendable Readable InputStream:Closeable FileInputStream:InputStream
      ByteArrayInputStream:InputStream BufferedInputStream:InputStream DataInputStream:InputStream ObjectInputStream:InputStream
      OutputStream:Closeable,Flushable FileOutputStream:OutputStream ByteArrayOutputStream:OutputStream BufferedOutputStream:OutputStream
      DataOutputStream:OutputStream ObjectOutputStream:OutputStream PrintStream:OutputStream,Appendable Reader:Readable,Closeable
      StringReader:Reader FileReader:Reader BufferedReader:Reader InputStreamReader:Reader Writer:Appendable,Closeable,Flushable
      StringWriter:Writer PrintWriter:Writer FileWriter:Writer BufferedWriter:Writer OutputStreamWriter:Writer File:Comparable,Serializable
      Path:Comparable,Iterable Charset URL URI RandomAccessFile:Closeable Buffer ByteBuffer:Buffer CharBuffer:Buffer,CharSequence
      Number:Serializable Integer:Number,Comparable Long:Number,Comparable Short:Number,Comparable Byte:Number,Comparable
      Double:Number,Comparable Float:Number,Comparable BigInteger:Number,Comparable BigDecimal:Number,Comparable AtomicInteger:Number
      AtomicLong:Number Boolean:Comparable,Serializable Character:Comparable,Serializable CharSequence String:CharSequence,Comparable,Serializable
      StringBuilder:CharSequence,Appendable StringBuffer:CharSequence,Appendable Class:Type Type Method Field Throwable:Serializable
      Exception:Throwable RuntimeException:Exception IllegalArgumentException:RuntimeException IllegalStateException:RuntimeException
      IOException:Exception Error:Throwable Thread:Runnable Runnable Callable Executor ExecutorService:Executor
      ScheduledExecutorService:ExecutorService Future CompletionStage CompletableFuture:Future,CompletionStage Locale Date:Comparable Calendar
      TimeZone Pattern Matcher Random UUID:Comparable Instant:Comparable,Temporal Duration:Comparable,TemporalAmount Period:TemporalAmount
      Temporal TemporalAmount LocalDate:Temporal LocalDateTime:Temporal LocalTime:Temporal ZonedDateTime:Temporal OffsetDateTime:Temporal
      ZoneId ZoneOffset:ZoneId TimeUnit ChronoUnit ClassLoader Comparable Serializable Cloneable Predicate Function BiFunction Supplier
      Consumer BiConsumer UnaryOperator:Function BinaryOperator:BiFunction
    `).map((entry) => {
      const [name, parents = ''] = entry.split(':');
      return [name, parents === '' ? [] : parents.split(',')] as const;
    }),
  ),
};

/** The names without those of classes, which begin with a capital by convention. */
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

  /** Are both files of one package in one module? Tests see the code that they test, but not the other way round. */
  isPeer(file: number, other: number): boolean {
    const own = this.sourceSet(file);
    const theirs = this.sourceSet(other);
    return own.module === theirs.module && (own.isTest || !theirs.isTest) && this.packages.share(file, other);
  }

  /** `expect class A` and each `actual class A` are one. On a platform its own class counts, elsewhere the common one. */
  variant(file: number, one: number, other: number): number | null {
    const [a, b] = [this.sourceSet(one), this.sourceSet(other)];
    if (a.module !== b.module || a.platform === '' || b.platform === '' || a.platform === b.platform) return null;
    if (!this.packages.share(one, other)) return null;
    const { platform } = this.sourceSet(file);
    const distance = (set: SourceSet) => (set.platform === platform ? 0 : set.platform === 'common' ? 1 : 2);
    return distance(b) < distance(a) ? other : one;
  }

  /** Resolves a qualified name; null if no package of the repository has that name. */
  private find(file: number, written: readonly string[], names: Specified['names']): Resolution | null {
    let packageName = written.join('.');
    for (let used = written.length; used > 0; used--) {
      if (this.packages.has(packageName)) return this.inPackage(file, packageName, written.slice(used), names);
      packageName = packageName.slice(0, Math.max(0, packageName.lastIndexOf('.')));
    }
    // The package only has packages in it, or it is a class of the package without a name.
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
    // Scala imports packages by name, too, and builds generate classes.
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

  /** Files that define the name, or files of that name if facts show none. If several modules have some, those of the nearest one. */
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

/** Manifests in their order of preference within one directory. */
const MANIFESTS = ['pom.xml', 'build.gradle', 'build.gradle.kts'];
const TEST_SOURCES = /(?:^|\/)(?:test|tests|testFixtures|androidTest|integrationTest|jmh)\//;
const DEPENDENCY = /<dependency>([\s\S]{0,2000}?)<\/dependency>/g;
const COORDINATES = /['"]([\w.-]+:[\w.-]+)(?::([^'"\s]*))?['"]/g;
const MAX_DEPENDENCIES = 5_000;

export const MAVEN: PackageRules = {
  published(project) {
    const homes = new Map<string, string>();
    for (const name of MANIFESTS)
      for (const manifest of project.manifestsNamed(name))
        if (!homes.has(directoryOf(manifest))) homes.set(directoryOf(manifest), manifest);
    const byHome = new Map<string, Map<string, number[]>>();
    for (const file of project.filesOfLanguages(['java', 'kotlin', 'scala'])) {
      const [declared] = project.input.declared(file);
      const home = [...ancestors(project.directory(file))].find((at) => homes.has(at));
      if (declared === undefined || home === undefined || TEST_SOURCES.test(project.path(file))) continue;
      const packages = byHome.get(home) ?? new Map<string, number[]>();
      byHome.set(home, packages);
      addTo(packages, declared, file);
    }
    return [...byHome].map(([home, packages]): PublishedPackage => {
      const manifest = homes.get(home) as string;
      const modules = [...packages].map(([specifier, files]): PublishedModule => ({ specifier, files }));
      return { name: artifactOf(project, manifest), manifest, modules };
    });
  },
  dependencies(manifest, content): Dependency[] {
    const pattern = manifest === 'pom.xml' ? DEPENDENCY : COORDINATES;
    const found: Dependency[] = [];
    for (const match of content.matchAll(pattern)) {
      if (found.length >= MAX_DEPENDENCIES) break;
      if (manifest === 'pom.xml') found.push(...coordinates(match[1]));
      else found.push({ name: match[1], version: match[2] ?? '' });
    }
    return found;
  },
};

function coordinates(written: string): Dependency[] {
  const [group, artifact, version] = ['groupId', 'artifactId', 'version'].map((name) => element(written, name));
  return group === undefined || artifact === undefined
    ? []
    : [{ name: `${group}:${artifact}`, version: version ?? '' }];
}

function element(written: string, name: string): string | undefined {
  return new RegExp(`<${name}>\\s*([^<\\s]{1,200})\\s*</${name}>`).exec(written)?.[1];
}

/** `group:artifact` of a pom; for a Gradle build, which need not have a name, the name of its folder. */
function artifactOf(project: Project, manifest: string): string {
  const content = project.manifest(manifest) ?? '';
  const folder = directoryOf(manifest).split('/').at(-1) ?? '';
  if (!manifest.endsWith('.xml')) return folder;
  const parent = /<parent>([\s\S]{0,1000}?)<\/parent>/.exec(content);
  const own = parent === null ? content : content.replace(parent[0], '');
  const head = own.split(/<(?:dependencies|build|dependencyManagement|profiles)>/, 1)[0];
  const group = element(head, 'groupId') ?? element(parent?.[1] ?? '', 'groupId');
  const artifact = element(head, 'artifactId') ?? folder;
  return group === undefined ? artifact : `${group}:${artifact}`;
}
