/** Names of the classes of files (data). Their rules are in `path-classes.ts`, which loads every language. */

/** The order gives the codes in cached views. */
export const PATH_CLASSES = [
  'source',
  'test',
  'example',
  'legacy',
  'generated',
  'vendored',
  'declaration',
  'forwarding',
  'document',
  'data',
] as const;
export type PathClass = (typeof PATH_CLASSES)[number];
