/** Filters among the words of a query: `author:ann since:2w is:test parse cart`. */
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
  return { query: isFiltered ? query.replace(/\s+/g, ' ').trim() : text, filters };
}

export const hasFilters = ({ author, since, until, is, uses, tag }: FileFilters): boolean =>
  [author, since, until, uses].some((value) => value !== undefined) ||
  [is, tag].some((list) => (list?.length ?? 0) > 0);
