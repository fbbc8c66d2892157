/** Filters among the words of a query: `author:ann since:2w is:test lang:go parse cart`. */
import { isFileClass } from '../base/glob.js';

/** Conditions on files, as typed. All must hold. */
export interface FileFilters {
  /** Part of the name or address of somebody who changed the file. */
  author?: string;
  /** Date of the last change, or of the author's last one: not before. `until`: not after. */
  since?: string;
  until?: string;
  /** Classes of paths, such as `test`. "!" excludes one. */
  is?: readonly string[];
  /** Symbol that the code uses. */
  uses?: string;
  /** Tags of the code. "!" excludes one. */
  tag?: readonly string[];
}

/** Options of a search for code that a query may have as words, too. As typed: `!` excludes a path. */
export interface TypedOptions {
  lang?: readonly string[];
  path?: readonly string[];
  kind?: readonly string[];
}

/** Words that other searches of code have for the same. */
const OPTIONS: Readonly<Record<string, keyof TypedOptions>> = {
  lang: 'lang',
  language: 'lang',
  path: 'path',
  file: 'path',
  kind: 'kind',
};

const OPTION =
  /(?<=^|\s)(?<not>-?)(?<key>lang|language|path|file|kind):(?:"(?<quoted>[^"]+)"|(?<plain>[^\s":]+))(?=\s|$)/g;

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Takes options out of a query. `isName`: whether a language or kind has the name; another word, such as `kind:regards` or `file:line`, stays. */
export function splitOptions(
  text: string,
  isName: (option: 'lang' | 'kind', word: string) => boolean,
): { query: string; options: TypedOptions } {
  const options: { [K in keyof TypedOptions]: string[] } = {};
  const query = text.replace(OPTION, (word, ...rest) => {
    const { not, key, quoted, plain } = rest.at(-1) as Record<string, string | undefined>;
    const value = quoted ?? plain ?? '';
    const option = OPTIONS[key ?? ''];
    const isOption = option === 'path' ? key === 'path' || /[./*]/.test(value) : not === '' && isName(option, value);
    if (!isOption) return word;
    options[option] = [...(options[option] ?? []), not === '-' ? `!${value}` : value];
    return '';
  });
  return { query: Object.keys(options).length > 0 ? collapsed(query) : text, options };
}

/** Returns whether `splitOptions` may find something: it needs the names of languages, which most queries do without. */
export const mayHaveOptions = (text: string): boolean => /(?:^|\s)-?(?:lang|language|path|file|kind):/.test(text);

const WORD =
  /(?<=^|\s)(?<not>-?)(?<key>author|since|until|is|uses|tag):(?:"(?<quoted>[^"]+)"|(?<plain>[^\s"]+))(?=\s|$)/g;

/** Takes filters out of a query. A word that only looks like one, such as `is:` with another word, stays. */
export function splitFilters(text: string): { query: string; filters: FileFilters } {
  const filters: { -readonly [K in keyof FileFilters]: FileFilters[K] } = {};
  const query = text.replace(WORD, (word, ...rest) => {
    const { not, key, quoted, plain } = rest.at(-1) as Record<string, string | undefined>;
    const value = quoted ?? plain ?? '';
    if (key === 'is') {
      if (!isFileClass(value)) return word;
      filters.is = [...(filters.is ?? []), not === '-' ? `!${value}` : value];
    } else if (key === 'tag') filters.tag = [...(filters.tag ?? []), not === '-' ? `!${value}` : value];
    else if (not === '-') return word;
    else filters[key as 'author' | 'since' | 'until' | 'uses'] = value;
    return '';
  });
  const isFiltered = Object.keys(filters).length > 0;
  return { query: isFiltered ? collapsed(query) : text, filters };
}

export const hasFilters = ({ author, since, until, is, uses, tag }: FileFilters): boolean =>
  [author, since, until, uses].some((value) => value !== undefined) ||
  [is, tag].some((list) => (list?.length ?? 0) > 0);
