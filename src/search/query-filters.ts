/** Filters among the words of a query: `author:ann since:2w is:test parse cart`. */
import { isFileClass } from '../base/glob.js';

/** Conditions on files, as typed; several of them all hold. */
export interface FileFilters {
  /** Part of a name or address: someone who changed the file. */
  author?: string;
  /** Date of the last change (of the author's last one): not before, not after. */
  since?: string;
  until?: string;
  /** Classes of paths, such as `test`; "!" excludes one. */
  is?: readonly string[];
  /** Symbol that is used there. */
  uses?: string;
  /** Tags of the code; "!" excludes one. */
  tag?: readonly string[];
}

const WORD =
  /(?<=^|\s)(?<not>-?)(?<key>author|since|until|is|uses|tag):(?:"(?<quoted>[^"]+)"|(?<plain>[^\s"]+))(?=\s|$)/g;

/** The query without its filters. A word that only looks like a filter, such as `is:` with another word, stays. */
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

/** True if one of the filters is given. */
export const hasFilters = ({ author, since, until, is, uses, tag }: FileFilters): boolean =>
  [author, since, until, uses].some((value) => value !== undefined) ||
  [is, tag].some((list) => (list?.length ?? 0) > 0);
