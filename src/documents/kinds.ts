/** Kinds of documents by their path. */

const RECORD =
  /(?:^|[/_.-])(?:change-?(?:s|log)|history|news|releases?(?:[-_ ]?notes)?|migrat\w*|upgrad\w*|deprecat\w*|what-?s-?new|adr|rfcs?|sep|blog|versioned[_-]docs|docs?-v\d+|version-\d+|archived?)(?:$|[/_.\d-])/i;

/**
 * Does it tell what changed, or what an older version was like, as changelogs, guides to a new version and kept guides of an old one do? It
 * may name what is gone, and comes last in lists.
 */
export const isRecordOfChanges = (path: string): boolean => RECORD.test(path);
