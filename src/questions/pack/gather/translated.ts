/** Documents in many languages say the same: one of them is enough. */
import type { Graph } from '../../../graph/graph.js';
import { classOf } from '../../../graph/query/place.js';

const ORIGINAL = 'en';
/** `de`, `pt-BR`, `zh-hant`: a folder, or before the extension (`README.fr.md`, `README_ZH.md`). */
const LANGUAGE = /(?<=^|\/)[a-z]{2}(?:-[a-z]{2,4})?(?=\/)|(?<=[._-])[a-z]{2}(?:-[a-z]{2,4})?(?=\.[a-z]+$)/gi;

/** Does the repository have this document in English, too? */
export function isTranslated(graph: Graph, path: string): boolean {
  const file = graph.findFile(path);
  if (file < 0 || classOf(graph, file) !== 'document') return false;
  for (const match of path.matchAll(LANGUAGE)) {
    const { index } = match;
    if (match[0].toLowerCase() === ORIGINAL) continue;
    const before = path.slice(0, index);
    const after = path.slice(index + match[0].length);
    // `README.fr.md` beside `README.md`.
    const bare = `${before.replace(/[._-]$/, '')}${after}`;
    if (graph.findFile(`${before}${ORIGINAL}${after}`) >= 0 || graph.findFile(bare) >= 0) return true;
  }
  return false;
}
