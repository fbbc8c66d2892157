/** Which artifact a path belongs to. Loaded with every search: what reads files is elsewhere. */
import type { Artifact } from '../../config/context-artifacts.js';

/** Is a path the artifact's file, or in its folder? */
export function liesIn(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && path[folder.length] === '/');
}

/** The name of the artifact that a path of the repository belongs to, the innermost of several. */
export function artifactOf(path: string, artifacts: readonly Artifact[]): string | undefined {
  let found: Artifact | undefined;
  for (const artifact of artifacts) {
    const { inside } = artifact;
    if (inside !== null && liesIn(path, inside) && inside.length > (found?.inside?.length ?? -1)) found = artifact;
  }
  return found?.name;
}

/** Results with the artifact each belongs to, where it belongs to one. */
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
