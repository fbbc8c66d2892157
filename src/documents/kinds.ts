/** Kinds of documents by their path. */

const RECORD =
  /(?:^|[/_.-])(?:change-?(?:s|log)|history|news|releases?(?:[-_ ]?notes)?|migrat\w*|upgrad\w*|what-?s-?new|adr|rfcs?|sep|blog)(?:$|[/_.\d-])/i;

/** Does it tell what changed, as changelogs and guides to a new version do? It may name what is gone, and comes last in lists. */
export const isRecordOfChanges = (path: string): boolean => RECORD.test(path);
