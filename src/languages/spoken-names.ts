/** The languages that people mean by a word: `py`, `golang`, `c++`. */
import { nearest } from '../base/nearest.js';
import { detectLanguage } from './detect.js';
import type { LanguageId } from './ids.js';
import { allLanguages, languageOf } from './registry.js';

/** Names that are neither an id nor an extension, and one extension that stands for two languages (data). */
const SPOKEN: ReadonlyMap<string, readonly LanguageId[]> = new Map(
  Object.entries({
    ts: ['typescript', 'tsx'],
    node: ['javascript'],
    python3: ['python'],
    golang: ['go'],
    'c++': ['cpp'],
    'c#': ['csharp'],
    'f#': ['fsharp'],
    'objective-c': ['objectivec'],
    objc: ['objectivec'],
    shell: ['bash'],
    docker: ['dockerfile'],
    make: ['makefile'],
    vb: ['visualbasic'],
  } satisfies Record<string, LanguageId[]>),
);

/** Ids by an id, a name that people use, or an extension, in any case; empty where no language goes by that word. */
export function languagesMeant(word: string): readonly string[] {
  const wanted = word.toLowerCase().replace(/^\./, '');
  if (languageOf(wanted) !== undefined) return [wanted];
  const byExtension = /^\w+$/.test(wanted) ? detectLanguage(`file.${wanted}`) : null;
  return SPOKEN.get(wanted) ?? (byExtension === null ? [] : [byExtension]);
}

/** The name nearest to a word that names no language, or null: `pyhton` -> `python`. */
export function nearestLanguage(word: string): string | null {
  return nearest(word, [...[...allLanguages()].map(({ id }) => id), ...SPOKEN.keys()]);
}
