/** Maps paths to context artifacts. Imported by every search, so it reads no files. */
import type { Artifact } from '../../config/context-artifacts.js';

/** Returns whether a path is the artifact's file or lies in its folder. */
export function liesIn(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && path[folder.length] === '/');
}

/** Returns the name of the innermost artifact that contains a path. */
function artifactOf(path: string, artifacts: readonly Artifact[]): string | undefined {
  let found: Artifact | undefined;
  for (const artifact of artifacts) {
    const { inside } = artifact;
    if (inside !== null && liesIn(path, inside) && inside.length > (found?.inside?.length ?? -1)) found = artifact;
  }
  return found?.name;
}

/** Adds to each result the artifact that contains it, if any. */
export function withArtifacts<T extends { path: string }>(
  results: readonly T[],
  artifacts: readonly Artifact[] = [],
): (T & { artifact?: string })[] {
  if (artifacts.length === 0) return [...results];
  return results.map((result) => {
    const artifact = artifactOf(result.path, artifacts);
    return artifact === undefined ? result : { ...result, artifact };
  });
}
