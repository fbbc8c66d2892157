/** Rust. */
import { type Language, semantics, wordSet, words } from '../language.js';

export const rust: Language = {
  id: 'rust',
  plain: 'code',
  extensions: words('rs'),
  grammar: {
    name: 'rust',
    around: [
      ['fn f() { ', '; }'],
      ['', ''],
    ],
  },
  relations: true,
  rules: async () => (await import('./rules.js')).rust,
  manifests: words('Cargo.toml'),
  imports: async () => (await import('./imports.js')).RUST,
  packages: {
    ecosystem: 'cargo',
    manifests: words('Cargo.toml'),
    load: async () => (await import('./imports.js')).CARGO,
  },
  semantics: semantics({
    family: 'rust',
    localsFollow: true,
    paths: '::',
    globalMacros: true,
    // `Args::parse()` is what clap's derive writes.
    constructorNames: wordSet(
      'default new from from_str try_from clone with_capacity parse parse_from try_parse try_parse_from',
    ),
    importsAreExports: true,
    traitMethods: true,
    plainTypes: wordSet('u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char'),
    nestedTypes: false,
    parts: 'types',
    nexts: ['next'],
    iterators: ['into_iter', 'iter', 'iter_mut'],
    indexers: ['index', 'index_mut'],
    wrappers: wordSet(
      'Box Rc Arc RefCell Cell Mutex RwLock Option Result Cow Pin Weak Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard OnceCell OnceLock LazyLock NonNull ManuallyDrop',
    ),
    handing: wordSet(
      `map_err ok_or ok_or_else or or_else context with_context wrap_err inspect inspect_err get_or_insert get_or_insert_with get_or_init
       filter replace try_lock try_read try_write try_borrow try_borrow_mut get_mut upgrade downgrade deref_mut take as_slice as_mut_slice`,
    ),
    collections: wordSet(
      'Vec VecDeque HashMap BTreeMap HashSet BTreeSet LinkedList BinaryHeap IndexMap IndexSet Iterator IntoIterator SmallVec ' +
        'DoubleEndedIterator ExactSizeIterator FusedIterator Stream IntoIter Iter IterMut Drain OccupiedEntry VacantEntry ArrayVec',
    ),
  }),
  conventions: {
    statesRoutes: true,
    variants: 'file',
    conditionalModules: true,
    fixedFields: true,
    closedTypes: true,
    keptName: /^_/,
    parameters: {
      name: /^(?:mut\s+)?(\w+)/,
      optional: /^(?!)/,
      rest: /^(?!)/,
      implicit: /^&?\s*(?:'\w+\s+)?(?:mut\s+)?self\b/,
    },
    mainNames: new Set(['main']),
    programPath: /(?:^|\/)src\/bin\/[^/]+\.rs$/,
    toolPath: /(?:^|\/)build\.rs$/i,
    // Attributes name the module of such functions: `#[serde(with = "as_hex")]`.
    runtimeNames: new Set(['serialize', 'deserialize']),
    testModules: /(?:^|_)tests?$|^tests?_(?!runner|harness|framework)/,
    testAttribute: /^(?:test|bench|rstest|test_case|quickcheck|wasm_bindgen_test)$/,
    innerDeclaration: /^pub\s*\(/,
    // A lifetime that the compiler fills in may be written or left out.
    synonyms: [
      ["<'_>", ''],
      ["'_,", ''],
      ["&'_", '&'],
    ],
    declarationNoise: /^pub\s+(?:fn\s+)?/,
  },
};
