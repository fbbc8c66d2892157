/** Code that runs although no code calls it by name (data): hooks of language runtimes, tests, functions that decorators register. */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { isRunnableTest } from './place.js';
import { outgoing } from './uses.js';

/** Does the language itself call members of that name? */
export function isRuntimeHook(graph: Graph, node: number): boolean {
  const { runtimeNames, runtimeName } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  const name = graph.name(node);
  if (graph.isFile(graph.container(node))) return false;
  return runtimeNames?.has(name) === true || runtimeName?.test(name) === true;
}

/** Top-level functions that run when their package or module is loaded. */
export function isInitializer(graph: Graph, node: number): boolean {
  const { initializers } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  return initializers?.has(graph.name(node)) === true && graph.isFile(graph.container(node));
}

/** Does a runner of tests find it by its name? */
export function isFoundByRunner(graph: Graph, node: number): boolean {
  const file = graph.fileOf(node);
  const { testName } = conventionsOf(graph.tables.files[file].language);
  return testName?.test(graph.name(node)) === true && isRunnableTest(graph, file);
}

/** Decorators and annotations that describe a function and pass it to no other code. */
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

/** A decorator that may call the function it decorates, or pass it to code that does; null if there is none. */
export function registrar(graph: Graph, node: number): string | null {
  for (const edge of outgoing(graph, node)) {
    if (graph.edgeKind(edge) !== 'decorator') continue;
    const { name, receiver } = graph.edge(edge);
    if (!INERT_DECORATORS.has(name)) return receiver === '' ? name : `${receiver}.${name}`;
  }
  return null;
}
