/** Java, Kotlin, Scala: languages of one virtual machine, which use each other's classes; and Groovy, whose rules are data (tagged/rules.ts). */
import { type Language, semantics, wordSet, words } from '../language.js';

const SEMANTICS = semantics({
  family: 'jvm',
  overridesAreMarked: true,
  paths: '.',
  implicitThis: true,
  // Of Kotlin and Scala. What is asked of an `Object` of Java is what every object has.
  anyTypes: wordSet('Any AnyRef dynamic'),
  wrappers: wordSet(
    'Optional CompletableFuture Future Mono Supplier Provider Lazy Deferred Option Try IO Task Callable AtomicReference ThreadLocal WeakReference',
  ),
  wrappersAreClosed: true,
  collections: wordSet(
    `List ArrayList LinkedList Set HashSet LinkedHashSet TreeSet Collection Iterable Iterator Map HashMap LinkedHashMap TreeMap
     ConcurrentHashMap ConcurrentMap SortedMap Queue Deque ArrayDeque Stack Vector Stream Flux Flow Sequence MutableList MutableSet
     MutableMap MutableCollection Array Seq IndexedSeq LazyList Buffer ListBuffer ArrayBuffer EnumMap CopyOnWriteArrayList`,
  ),
});

/** The last five are called by serialization, although they are private. */
const RUNTIME_NAMES = words(
  'toString equals hashCode finalize clone compareTo readObject writeObject readResolve writeReplace readObjectNoData',
);
const DECLARATION_NOISE = /^(?:(?:public|final|static final|override|fun)\s+)+/;

const imports = async () => (await import('./imports.js')).JVM;
const importsOfJdk = async () => (await import('./imports.js')).JDK;
const packages = {
  ecosystem: 'maven',
  manifests: words('pom.xml build.gradle build.gradle.kts'),
  load: async () => (await import('./imports.js')).MAVEN,
};

export const java: Language = {
  id: 'java',
  plain: 'code',
  extensions: words('java'),
  grammar: { name: 'java' },
  relations: true,
  rules: async () => (await import('./java-rules.js')).java,
  imports: importsOfJdk,
  packages,
  semantics: { ...SEMANTICS, pathsByName: true, membersOutside: false, functionsAreApart: true },
  conventions: {
    variants: 'type',
    overloadsAreTold: true,
    fixedFields: true,
    memberReceivers: 'outside',
    fileHead: /\bprivate\b/,
    typesNameFiles: true,
    parameters: { name: /(\w+)(?:\s*\[\])*$/, optional: /^(?!)/, rest: /\.\.\./ },
    mainNames: new Set(['main']),
    mainInTypes: true,
    runtimeNames: new Set(RUNTIME_NAMES),
    readAs: { prefix: /^(?:get|is|set)(?=\p{Lu})/u, path: /\.(?:jspx?|jspf|tagx?|xhtml|html|ftlh?|vm|kts?|groovy)$/ },
    // The mark of an override may be left out.
    libraryMembers: [
      'Runnable Thread: run',
      'Callable: call',
      'Iterable: iterator spliterator forEach',
      'Iterator ListIterator Enumeration: hasNext next remove forEachRemaining hasMoreElements nextElement',
      'Comparator: compare reversed',
      'Closeable AutoCloseable Flushable: close flush',
      'CharSequence: length charAt subSequence isEmpty chars codePoints',
      'Supplier Consumer BiConsumer Predicate Function BiFunction UnaryOperator BinaryOperator: get accept test apply andThen compose negate',
      'Exception RuntimeException Throwable Error: getMessage getLocalizedMessage getCause initCause getStackTrace fillInStackTrace',
    ],
    testName: /^(?:test|setUp$|tearDown$)/,
    declarationNoise: DECLARATION_NOISE,
    testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.java$/,
  },
};

export const kotlin: Language = {
  id: 'kotlin',
  plain: 'code',
  extensions: words('kt kts ktm'),
  grammar: { name: 'kotlin' },
  relations: true,
  rules: async () => (await import('./kotlin-rules.js')).kotlin,
  imports: importsOfJdk,
  packages,
  semantics: { ...SEMANTICS, pathsByName: true, parts: 'anywhere', importedExtensions: true, appliers: ['invoke'] },
  conventions: {
    quotedNames: true,
    variants: 'type',
    // Source sets of Kotlin Multiplatform, which hold `expect` and `actual` declarations.
    systemPath: /(?<=(?:^|\/)src\/)\w+(?=(?:Main|Test)\/)/,
    fileHead: /\bprivate\b/,
    overloadsAreTold: true,
    parameters: {
      name: /(?:^|\s)(\w+)\s*:/,
      optional: /=/,
      rest: /(?:^|\s)vararg\s/,
      keyword: /^(\w+)\s*=(?!=)/,
      unclear: /->/,
      // Defaults of a parent, or of the declaration for all platforms, stand elsewhere.
      unclearBefore: /\b(?:override|actual|expect|operator|infix|constructor)\b/,
      unclearArgument: /^\*/,
      trailingBlocks: true,
    },
    mainNames: new Set(['main']),
    mainInTypes: true,
    scriptPath: /\.kts$/,
    toolPath: /(?:^|\/)[^/]*\.gradle\.kts$/i,
    runtimeNames: new Set([...RUNTIME_NAMES, ...words('invoke getValue setValue provideDelegate iterator')]),
    routeNames: wordSet('get post put patch delete head options'),
    declarationNoise: DECLARATION_NOISE,
    testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.kts?$/,
  },
};

export const scala: Language = {
  id: 'scala',
  plain: 'code',
  extensions: words('scala sc sbt'),
  interpreters: words('scala amm'),
  grammar: { name: 'scala' },
  relations: true,
  rules: async () => (await import('./scala-rules.js')).scala,
  imports,
  packages,
  semantics: { ...SEMANTICS, openNamespaces: true, appliers: ['apply'] },
  conventions: {
    quotedNames: true,
    variants: 'type',
    overloadsAreTold: true,
    mainNames: new Set(['main']),
    mainInTypes: true,
    scriptPath: /\.sc$/,
    runtimeNames: new Set([...RUNTIME_NAMES, ...words('apply unapply unapplySeq update')]),
    declarationNoise: /^(?:(?:override|def)\s+)+/,
    testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.scala$/,
  },
};

export const groovy: Language = {
  id: 'groovy',
  plain: 'code',
  extensions: words('groovy gradle gvy'),
  names: words('jenkinsfile'),
  namePattern: /^jenkinsfile[.-]/,
  interpreters: words('groovy'),
  grammar: { name: 'groovy' },
  relations: true,
  rules: async () => (await import('../tagged/rules.js')).taggedRules('groovy'),
  imports,
  semantics: SEMANTICS,
  conventions: { testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.groovy$/ },
};
