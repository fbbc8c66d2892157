/** Packs drawings into the compact form that a page holds. */
import { visibleLine } from '../../base/hygiene.js';
import { classByName } from '../../search/path-classes.js';
import { maskOf } from './folders.js';
import type { Drawing, PackedDrawing } from './types.js';

/** Packs a drawing, with invisible and reordering characters of its texts made visible. */
export function packDrawing({ nodes, edges }: Drawing): PackedDrawing {
  const words: string[] = [];
  const known = new Map<string, number>();
  const word = (text: string): number => {
    const found = known.get(text) ?? words.push(visibleLine(text)) - 1;
    known.set(text, found);
    return found;
  };
  return {
    nodes: nodes.map(({ label, folder, language, kind, startLine, endLine }) => [
      visibleLine(label),
      word(folder),
      word(language),
      word(kind),
      startLine,
      endLine,
    ]),
    edges: edges.map(({ from, to, kinds, count, inCycle, lines }) => [
      from,
      to,
      maskOf(kinds),
      count,
      inCycle ? 1 : 0,
      ...lines,
    ]),
    aside: nodes.flatMap(({ path }, i) => (isAside(path) ? [i] : [])),
    words,
  };
}

/** Everything but the code that people read for its own sake: tests, fixtures, examples, generated and vendored files. */
export const isAside = (path: string): boolean => !['source', 'legacy'].includes(classByName(path) ?? 'source');
