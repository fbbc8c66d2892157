/** Facts of one document: its sections, and what it mentions. They depend on its bytes and its language alone. */

export interface Section {
  /** Line of its heading. */
  line: number;
  level: number;
  title: string;
}

/**
 * `name`: words set as code that look like a name. `reference`: a cross-reference, which says itself that it names code. `path`:
 * words set as code that look like a path. `link`: a relative link. `import`: a name that a sample imports. `use`: a member of such a
 * name, or a call of it, in a sample.
 */
export const MENTION_KINDS = ['name', 'reference', 'path', 'link', 'import', 'use'] as const;
export type MentionKind = (typeof MENTION_KINDS)[number];

export interface Mention {
  kind: MentionKind;
  /** `Cart.total`, `src/cart.ts`: without brackets, arguments and other decoration. */
  text: string;
  line: number;
  /** Index into `sections`, -1 before the first heading. */
  section: number;
  /** It is written with the brackets of a call, or the mark of a decorator. */
  isCall?: boolean;
  /** Number of arguments that a call in a sample gives by position; absent where that is not plain to see. */
  args?: number;
  /** Number of arguments that it gives by name. */
  named?: number;
  /** Of calls whose arguments are counted: language of the sample. */
  language?: string;
  /** Of names in samples: where the name is imported from, as written. Of links to a forge: owner and name of the repository. */
  from?: string;
  /** Of links to a forge: they name a version or a commit. */
  isPinned?: boolean;
  /** A name on whose line a link leads to a page of that name on a site. */
  isOutside?: boolean;
  /** Last line that a link points to; `line` is where the link stands. */
  to?: number;
}

export interface DocumentFacts {
  sections: Section[];
  mentions: Mention[];
  /** Names that its samples define: a reader who sees them elsewhere in the document takes them for those. */
  defined: string[];
  /** Names that the document describes by a directive of its own: code need not declare them. */
  described: string[];
}

/** Mentions beyond this many in one document are left out: a hostile one could have millions. */
export const MAX_MENTIONS = 20_000;
const MAX_SECTIONS = 5_000;
/** Characters of a document that are read. */
export const MAX_DOCUMENT = 2 << 20;

export { MAX_SECTIONS };

/** Titles from the outermost section to this one. */
export function headingPath(sections: readonly Section[], section: number): string[] {
  const titles: string[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (let at = section; at >= 0 && level > 1; at--) {
    if (sections[at].level >= level) continue;
    titles.push(sections[at].title);
    level = sections[at].level;
  }
  return titles.reverse();
}
