/** Context artifacts of a project: created for the first question about them, kept while the project is open. */

import type { Project } from '../../serve/project.js';
import type { ContextArtifacts } from './artifacts/context-artifacts.js';

export function artifactsOf(project: Project): Promise<ContextArtifacts> {
  return project.once(createArtifacts);
}

async function createArtifacts({ session, searcher }: Project): Promise<ContextArtifacts> {
  const { ContextArtifacts } = await import('./artifacts/context-artifacts.js');
  return new ContextArtifacts(session, searcher);
}
