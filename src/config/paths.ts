/** Paths as settings name them. */

/** Not absolute on any system. `..` may still lead out of where it starts. */
export function isRelativePath(path: string): boolean {
  return !/^(?:[/\\~]|[A-Za-z]:)/.test(path);
}
