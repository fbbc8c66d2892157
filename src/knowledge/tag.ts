/** Tags by hand: somebody says that a piece of code has a tag, or does not have one. */
import type { CborValue } from '../record/cbor.js';
import { corrupt } from '../record/checks.js';
import { type Anchor, readAnchor, writeAnchor } from './anchor.js';
import type { Claim, Entry, EntryKind } from './entry.js';
import { textField } from './fields.js';
import { TAGS_KIND } from './kinds.js';
import { inTime, toldBy } from './note.js';

const MAX_TAG = 64;

export interface TagBody {
  tag: string;
  anchor: Anchor;
  /** The code does not have the tag, whatever rules or earlier entries say. */
  isOff: boolean;
}

export const TAGS: EntryKind<TagBody> = {
  name: TAGS_KIND,
  fields: ['tag', 'about', 'off'],
  write: ({ tag, anchor, isOff }): { readonly [field: string]: CborValue } => ({
    ...{ tag, about: writeAnchor(anchor) },
    ...(isOff && { off: true }),
  }),
  read({ tag, about, off }) {
    if (off !== undefined && off !== true) corrupt('off is neither true nor missing');
    return { tag: textField(tag, MAX_TAG, 'the tag'), anchor: readAnchor(about), isOff: off === true };
  },
  tells: ({ anchor }) => toldBy(anchor),
};

/** A tag that somebody gave, or took away. */
export interface HandTag extends Claim, TagBody {
  id: string;
}

/** Of entries about one tag of the very same bytes the last one, oldest first. */
export function handTagsOf(entries: Iterable<Entry<TagBody>>): HandTag[] {
  const last = new Map<string, HandTag>();
  for (const { id, author, time, body } of [...entries].sort(inTime)) {
    const { tag, anchor } = body;
    const key = JSON.stringify([tag, anchor.path, anchor.symbol, anchor.lines, anchor.content]);
    last.delete(key);
    last.set(key, { id, author, time, ...body });
  }
  return [...last.values()];
}
