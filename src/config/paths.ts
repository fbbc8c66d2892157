/** Checks of paths in settings. */

/** Tells whether a path is relative on every system. `..` may still lead out of its base. */
export function isRelativePath(path: string): boolean {
  return !/^(?:[/\\~]|[A-Za-z]:)/.test(path);
}
