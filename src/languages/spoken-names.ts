/** The languages that people mean by a word: `py`, `golang`, `c++`. */
import { nearest } from '../base/nearest.js';
import { LANGUAGE_IDS, type LanguageId } from './ids.js';

/** Names that are no id: extensions that people say, and other spellings (data). A word of its own loads no declarations. */
const SPOKEN: ReadonlyMap<string, readonly LanguageId[]> = new Map(
  Object.entries({
    ts: ['typescript', 'tsx'],
    js: ['javascript'],
    jsx: ['javascript'],
    node: ['javascript'],
    py: ['python'],
    python3: ['python'],
    kt: ['kotlin'],
    golang: ['go'],
    rs: ['rust'],
    rb: ['ruby'],
    cc: ['cpp'],
    'c++': ['cpp'],
    cs: ['csharp'],
    'c#': ['csharp'],
    fs: ['fsharp'],
    'f#': ['fsharp'],
    'objective-c': ['objectivec'],
    objc: ['objectivec'],
    sh: ['bash'],
    shell: ['bash'],
    zsh: ['bash'],
    ex: ['elixir'],
    hs: ['haskell'],
    pl: ['perl'],
    jl: ['julia'],
    ml: ['ocaml'],
    clj: ['clojure'],
    md: ['markdown'],
    yml: ['yaml'],
    docker: ['dockerfile'],
    make: ['makefile'],
    vb: ['visualbasic'],
  } satisfies Record<string, LanguageId[]>),
);

/** Ids by an id, or a name that people use, in any case; empty where no language goes by that word. */
export function languagesMeant(word: string): readonly string[] {
  const wanted = word.toLowerCase().replace(/^\./, '');
  return (LANGUAGE_IDS as readonly string[]).includes(wanted) ? [wanted] : (SPOKEN.get(wanted) ?? []);
}

/** The name nearest to a word that names no language, or null: `pyhton` -> `python`. */
export function nearestLanguage(word: string): string | null {
  return nearest(word, [...LANGUAGE_IDS, ...SPOKEN.keys()]);
}
