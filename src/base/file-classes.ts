/** Classes of files for filters (data): ranking finds them by the path. */

/** Classes that the path of a file tells; `source` for the rest. */
export const FILE_CLASSES = [
  ...(['source', 'test', 'example', 'generated', 'vendored', 'legacy', 'declaration', 'document', 'data'] as const),
] as const;

/** True for a class, also with "!" before it. */
export const isFileClass = (text: string): boolean =>
  (FILE_CLASSES as readonly string[]).includes(text.replace(/^!/, ''));
