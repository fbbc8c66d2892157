/**
 * Calls in samples whose name nothing in the document imports. A sample is an excerpt: what it calls may be of this repository, or of the
 * reader's own code. So these are no links, and only a claim that has further proof is made of them.
 */
import { sameFamily } from '../languages/registry.js';
import type { Mention } from './facts.js';
import { only } from './lookup.js';
import { isDistinctive, partsOf } from './names.js';
import type { Documented, Resolver } from './resolve.js';

/** The one definition of a name that hardly any other code has, or that samples of other documents import; -1 for none. */
export function unboundCallee(resolver: Resolver, { facts }: Documented, { text, language = '' }: Mention): number {
  const { graph, lookup, importedNames } = resolver;
  const words = partsOf(text);
  const name = words[words.length - 1];
  if (facts.defined.includes(name) || (!isDistinctive(name) && (words.length > 1 || !importedNames.has(name))))
    return -1;
  const node = only(words.length > 1 ? lookup.named(name) : lookup.topLevel(name));
  if (node < 0 || (words.length > 1 && graph.isFile(graph.container(node)) && !isModule(resolver, node, words)))
    return -1;
  return sameFamily(graph.tables.files[graph.fileOf(node)].language, language) ? node : -1;
}

/** Does the word before a function at top level name its package or its module? */
function isModule({ graph }: Resolver, node: number, words: readonly string[]): boolean {
  const [module] = words.slice(-2);
  return graph.path(node).split(/[/.]/).includes(module);
}
