/** What nobody calls by name and yet runs, as data: hooks of language runtimes, tests, what decorators register. */
import type { Graph } from '../graph.js';
import { isRunnableTest } from './place.js';
import { outgoing } from './uses.js';

const ECMASCRIPT = ['toString', 'valueOf', 'toJSON', 'then'];
const JVM = [
  ...['toString', 'equals', 'hashCode', 'finalize', 'clone', 'compareTo'],
  // Serialization finds these by name, private as they are.
  ...['readObject', 'writeObject', 'readResolve', 'writeReplace', 'readObjectNoData'],
];

/** Names that a language's runtime calls by itself, by language. */
const RUNTIME_NAMES: Readonly<Record<string, ReadonlySet<string>>> = {
  javascript: new Set(ECMASCRIPT),
  jsx: new Set(ECMASCRIPT),
  typescript: new Set(ECMASCRIPT),
  tsx: new Set(ECMASCRIPT),
  java: new Set(JVM),
  kotlin: new Set([...JVM, 'invoke', 'getValue', 'setValue', 'provideDelegate', 'iterator']),
  scala: new Set([...JVM, 'apply', 'unapply', 'unapplySeq', 'update']),
  csharp: new Set(['ToString', 'Equals', 'GetHashCode', 'Dispose', 'Finalize', 'GetEnumerator', 'Deconstruct']),
  ruby: new Set([
    ...['initialize', 'initialize_copy', 'method_missing', 'respond_to_missing?', 'const_missing'],
    ...['inherited', 'included', 'extended', 'prepended', 'method_added'],
    ...[
      'to_s',
      'to_str',
      'to_a',
      'to_ary',
      'to_h',
      'to_hash',
      'to_proc',
      'inspect',
      'each',
      'hash',
      'coerce',
      '<=>',
      '==',
    ],
  ]),
  swift: new Set(['deinit']),
};

/** Languages in which names of this form are the runtime's. */
const RUNTIME_FORMS: Readonly<Record<string, RegExp>> = {
  python: /^__\w+__$/,
  php: /^__\w+$/,
  lua: /^__\w+$/,
  // `[Symbol.iterator]`
  javascript: /^\[/,
  jsx: /^\[/,
  typescript: /^\[/,
  tsx: /^\[/,
};

/** Does the language itself call members of that name? */
export function isRuntimeHook(graph: Graph, node: number): boolean {
  const { language } = graph.tables.files[graph.fileOf(node)];
  const name = graph.name(node);
  if (graph.isFile(graph.container(node))) return false;
  return (RUNTIME_NAMES[language]?.has(name) ?? false) || (RUNTIME_FORMS[language]?.test(name) ?? false);
}

/** Top-level functions that run when their package or module is loaded. */
export function isInitializer(graph: Graph, node: number): boolean {
  const { language } = graph.tables.files[graph.fileOf(node)];
  return language === 'go' && graph.name(node) === 'init' && graph.isFile(graph.container(node));
}

/** Names by which runners find tests in files of tests, by language; elsewhere decorators and attributes tell. */
const TEST_NAMES: Readonly<Record<string, RegExp>> = {
  go: /^(?:Test|Benchmark|Fuzz|Example)/,
  python: /^(?:test|Test|setup|teardown|setUp|tearDown)/,
  ruby: /^(?:test_|setup$|teardown$)/,
  php: /^(?:test|setUp|tearDown)/,
  swift: /^(?:test|setUp|tearDown)/,
  java: /^(?:test|setUp$|tearDown$)/,
  lua: /^test/,
  bash: /^test/,
};

/** Does a runner of tests find it by its name? */
export function isFoundByRunner(graph: Graph, node: number): boolean {
  const file = graph.fileOf(node);
  const names = TEST_NAMES[graph.tables.files[file].language];
  return names?.test(graph.name(node)) === true && isRunnableTest(graph, file);
}

/** Decorators and annotations that say something of a function and hand it to nobody. */
const INERT_DECORATORS: ReadonlySet<string> = new Set([
  ...['Override', 'Deprecated', 'SuppressWarnings', 'SafeVarargs', 'Nullable', 'NonNull', 'Nonnull', 'NotNull'],
  ...[
    'CanIgnoreReturnValue',
    'InlineMe',
    'VisibleForTesting',
    'CheckReturnValue',
    'JvmStatic',
    'JvmOverloads',
    'Throws',
  ],
  ...['staticmethod', 'classmethod', 'abstractmethod', 'override', 'final', 'overload', 'deprecated', 'wraps'],
  ...['lru_cache', 'cache', 'contextmanager', 'asynccontextmanager', 'tailrec', 'inline', 'Suppress'],
]);

/** A decorator that may call what it decorates, or hand it on to who does; null if there is none. */
export function registrar(graph: Graph, node: number): string | null {
  for (const edge of outgoing(graph, node)) {
    if (graph.edgeKind(edge) !== 'decorator') continue;
    const { name, receiver } = graph.edge(edge);
    if (!INERT_DECORATORS.has(name)) return receiver === '' ? name : `${receiver}.${name}`;
  }
  return null;
}
