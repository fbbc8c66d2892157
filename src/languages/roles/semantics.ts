/** What names mean in each language: the one table that the link step knows languages by. */

export interface Semantics {
  /** Languages of one family use each other's definitions. */
  family: string;
  /** Members can be used without a receiver inside of their type. */
  implicitThis: boolean;
  /** `marked`: other files see what is exported. `all`: everything at top level. */
  exports: 'marked' | 'all';
  /** What a file imports can be imported from it. */
  importsAreExports: boolean;
  /** What an included file includes is included too. */
  transitive: boolean;
  /** Names at top level are known in all files that are linked, loaded or autoloaded together: functions, types. */
  globalFunctions: boolean;
  globalTypes: boolean;
  /** Definitions in namespaces and modules count as top level for other files. */
  openNamespaces: boolean;
  /** Parts of one type can stand in several files. */
  parts: 'none' | 'package' | 'anywhere';
  /** A local is known from the line after it on: `let cart = cart::open()`. */
  localsFollow: boolean;
  /** Callbacks at top level declare names of their own, beside those of the file. */
  blocks: boolean;
  /** Names that nothing defines can begin a path of packages or modules, which this joins. */
  paths: string;
  /** Modules have dots in their names: `Shop.Cart` is one symbol. */
  dottedNames: boolean;
  /** A variable that holds a table is the type of what is made of it. */
  tables: boolean;
  /** Headers declare what another file defines. */
  headers: boolean;
  /** Functions that extend a type are used where they are imported, and in their own package. */
  importedExtensions: boolean;
  /** Methods that calling an object by its name calls, or an instance. */
  appliers: readonly string[];
  /** Calls of these on a type make an instance, where the type says nothing else. */
  makers: ReadonlySet<string>;
  /** Types that stand for their first argument: what they hold can be used as if it were at hand. */
  wrappers: ReadonlySet<string>;
  /** Types whose index or iteration gives their last argument. */
  collections: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));
const NONE: ReadonlySet<string> = new Set();

/** Methods that hand on what a wrapper holds: after them, too, it is at hand. */
export const HANDING_ON = words(
  `unwrap expect unwrap_or unwrap_or_default unwrap_or_else as_ref as_mut borrow borrow_mut lock read write clone cloned copied
   to_owned as_deref as_deref_mut into_inner deref await get orElse orElseThrow orElseGet getOrElse getOrThrow getOrNull value
   Value Result result join block copy also apply let takeIf unwrapOrThrow ok iter freeze dup tap itself self`,
);
/** Methods of collections that give one of their elements. */
export const ELEMENT_METHODS = words(
  `at get find pop shift first last head next peek poll remove removeFirst removeLast removeLastOrNull firstOrNull lastOrNull
   single singleOrNull findLast elementAt getOrNull getOrDefault First FirstOrDefault Last LastOrDefault Single SingleOrDefault
   ElementAt Peek Pop Dequeue front back top begin get_mut first_mut last_mut unwrap sample min max pop_front pop_back popleft
   getFirst getLast setdefault dequeue element current firstWhere lastWhere singleWhere min_by max_by detect nth`,
);
/** Methods of collections that give a collection of the same elements. */
export const SAME_METHODS = words(
  `filter slice concat reverse sort toSorted toReversed values iter iter_mut into_iter stream parallelStream toList toArray
   collect sorted distinct limit skip rev take skip_while take_while chain peekable drain asSequence asIterable list copy
   Where OrderBy OrderByDescending ToList ToArray Reverse Take Skip AsEnumerable all select reject sort_by reversed where
   filterNotNull shuffled splice Values lazy to_a each each_with_index toSet clone dup plus minus drop dropLast`,
);

/** Methods of collections that give a collection of something else. */
export const MAPPING_METHODS = words(
  'map flatMap flat_map mapNotNull filter_map Select SelectMany groupBy GroupBy zip',
);

const JS_WRAPPERS = words(
  'Promise PromiseLike Awaited Partial Required Readonly NonNullable Omit Pick Ref ShallowRef ComputedRef WeakRef DeepPartial Writable MaybeRef',
);
const JS_COLLECTIONS = words(
  'Array ReadonlyArray Set ReadonlySet Map ReadonlyMap WeakMap Record Iterable IterableIterator AsyncIterable Generator AsyncGenerator Iterator AsyncIterableIterator',
);
const JVM_WRAPPERS = words(
  'Optional CompletableFuture Future Mono Supplier Provider Lazy Deferred Option Try IO Task Callable AtomicReference ThreadLocal WeakReference',
);
const JVM_COLLECTIONS = words(
  `List ArrayList LinkedList Set HashSet LinkedHashSet TreeSet Collection Iterable Iterator Map HashMap LinkedHashMap TreeMap
   ConcurrentHashMap ConcurrentMap SortedMap Queue Deque ArrayDeque Stack Vector Stream Flux Flow Sequence MutableList MutableSet
   MutableMap MutableCollection Array Seq IndexedSeq LazyList Buffer ListBuffer ArrayBuffer EnumMap CopyOnWriteArrayList`,
);

const BASE: Semantics = {
  family: '',
  implicitThis: false,
  exports: 'all',
  importsAreExports: false,
  transitive: false,
  globalFunctions: false,
  globalTypes: false,
  openNamespaces: false,
  parts: 'none',
  localsFollow: false,
  blocks: false,
  paths: '',
  dottedNames: false,
  tables: false,
  headers: false,
  importedExtensions: false,
  appliers: [],
  makers: NONE,
  wrappers: NONE,
  collections: NONE,
};

const ECMASCRIPT: Semantics = {
  ...BASE,
  family: 'ecmascript',
  exports: 'marked',
  blocks: true,
  wrappers: JS_WRAPPERS,
  collections: JS_COLLECTIONS,
};
const JVM: Semantics = {
  ...BASE,
  family: 'jvm',
  paths: '.',
  implicitThis: true,
  wrappers: JVM_WRAPPERS,
  collections: JVM_COLLECTIONS,
};
const STYLE: Semantics = { ...BASE, family: 'style' };
const C: Semantics = {
  ...BASE,
  family: 'c',
  transitive: true,
  globalFunctions: true,
  headers: true,
};

export const SEMANTICS: ReadonlyMap<string, Semantics> = new Map(
  Object.entries({
    typescript: ECMASCRIPT,
    tsx: ECMASCRIPT,
    javascript: ECMASCRIPT,
    vue: ECMASCRIPT,
    svelte: ECMASCRIPT,
    html: ECMASCRIPT,
    python: {
      ...BASE,
      family: 'python',
      importsAreExports: true,
      appliers: ['__call__'],
      wrappers: words('Optional Awaitable Coroutine Type type Annotated Final ClassVar Required NotRequired Self'),
      collections: words(
        `List list Sequence Iterable Iterator Set set FrozenSet frozenset Tuple tuple Dict dict Mapping MutableMapping
         defaultdict DefaultDict OrderedDict Deque deque Generator AsyncIterator AsyncIterable AsyncGenerator Collection MutableSequence`,
      ),
    },
    java: JVM,
    kotlin: { ...JVM, parts: 'anywhere', importedExtensions: true, appliers: ['invoke'] },
    scala: { ...JVM, openNamespaces: true, appliers: ['apply'] },
    csharp: {
      ...BASE,
      family: 'csharp',
      implicitThis: true,
      openNamespaces: true,
      parts: 'package',
      wrappers: words('Task ValueTask Nullable Lazy Func IOptions WeakReference'),
      collections: words(
        `List IList IEnumerable ICollection IReadOnlyList IReadOnlyCollection HashSet ISet Queue Stack LinkedList Dictionary
         IDictionary IReadOnlyDictionary ConcurrentDictionary ConcurrentBag SortedDictionary IQueryable Span ReadOnlySpan
         IAsyncEnumerable ImmutableArray ImmutableList ImmutableDictionary IEnumerator Collection ObservableCollection`,
      ),
    },
    go: { ...BASE, family: 'go', parts: 'package' },
    rust: {
      ...BASE,
      family: 'rust',
      localsFollow: true,
      paths: '::',
      importsAreExports: true,
      parts: 'anywhere',
      wrappers: words(
        'Box Rc Arc RefCell Cell Mutex RwLock Option Result Cow Pin Weak Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard OnceCell OnceLock LazyLock NonNull ManuallyDrop',
      ),
      collections: words(
        'Vec VecDeque HashMap BTreeMap HashSet BTreeSet LinkedList BinaryHeap IndexMap IndexSet Iterator IntoIterator SmallVec',
      ),
    },
    c: C,
    cpp: {
      ...C,
      implicitThis: true,
      openNamespaces: true,
      parts: 'anywhere',
      globalFunctions: true,
      wrappers: words(
        'unique_ptr shared_ptr weak_ptr optional reference_wrapper future atomic scoped_ptr Ptr function',
      ),
      collections: words(
        'vector array deque list forward_list set unordered_set multiset map unordered_map multimap span stack queue priority_queue initializer_list',
      ),
    },
    ruby: {
      ...BASE,
      family: 'ruby',
      implicitThis: true,
      transitive: true,
      globalTypes: true,
      parts: 'anywhere',
      makers: words('new'),
    },
    php: {
      ...BASE,
      family: 'php',
      paths: '\\',
      transitive: true,
      globalFunctions: true,
      openNamespaces: true,
      collections: words('array iterable Generator Collection'),
    },
    swift: {
      ...BASE,
      family: 'swift',
      implicitThis: true,
      parts: 'anywhere',
      makers: words('init'),
      wrappers: words('Optional Result Published Binding State Weak'),
      collections: words('Array Set Dictionary Sequence Collection AsyncStream ArraySlice'),
    },
    bash: { ...BASE, family: 'bash', transitive: true },
    lua: { ...BASE, family: 'lua', tables: true, globalFunctions: true, makers: words('new') },
    elixir: {
      ...BASE,
      family: 'elixir',
      implicitThis: true,
      globalTypes: true,
      openNamespaces: true,
      dottedNames: true,
    },
    dart: {
      ...BASE,
      family: 'dart',
      implicitThis: true,
      transitive: false,
      parts: 'anywhere',
      wrappers: words('Future FutureOr ValueNotifier Completer'),
      collections: words('List Set Map Iterable Stream Queue Iterator LinkedHashMap HashMap'),
    },
    haskell: { ...BASE, family: 'haskell' },
    css: STYLE,
    scss: STYLE,
    less: STYLE,
  } satisfies Record<string, Semantics>),
);

/** Languages that the table doesn't name: what their facts say is linked within files. */
export function semanticsOf(language: string): Semantics {
  return SEMANTICS.get(language) ?? { ...BASE, family: language };
}
