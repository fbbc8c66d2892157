/** Asks questions of the repository for an editor, about the work tree with its unsaved texts. */
import { isSocraticodeError } from '../base/errors.js';
import { askerOf, questionNamed } from '../questions/ask.js';
import type { GraphCandidates } from '../questions/graph/candidates/output.js';
import type { GraphDefinitionResponse } from '../questions/graph/definition/output.js';
import type { GraphOutlineResponse } from '../questions/graph/outline/output.js';
import type { Place as NodePlace } from '../questions/graph/output-parts.js';
import type { GraphReferencesResponse } from '../questions/graph/references/output.js';
import type { GraphSymbolResponse } from '../questions/graph/symbol/output.js';
import type { GraphSymbolsResponse } from '../questions/graph/symbols/output.js';
import type { HistoryResponse } from '../questions/history/output.js';
import type { SearchResponse } from '../questions/search/output.js';
import type { Project } from '../serve/project.js';
import type { Place, Workspace } from './workspace.js';

interface Documents {
  'graph definition': GraphDefinitionResponse;
  'graph references': GraphReferencesResponse | GraphCandidates;
  'graph symbol': GraphSymbolResponse | GraphCandidates;
  'graph symbols': GraphSymbolsResponse;
  'graph outline': GraphOutlineResponse | GraphCandidates;
  history: HistoryResponse;
  search: SearchResponse;
}

/** A position of the protocol, in a file. */
export interface Position extends Place {
  line: number;
  character: number;
}

/** Means of an answer to an editor. */
export interface Editor {
  workspace: Workspace;
  signal: AbortSignal;
}

/** The document of an answer; null where there is none: the file is not indexed, or the repository not yet. */
export async function ask<Name extends keyof Documents>(
  { project, signal }: { project: Project; signal: AbortSignal },
  name: Name,
  values: Record<string, unknown>,
): Promise<Documents[Name] | null> {
  const question = await questionNamed(name);
  if (question === undefined) return null;
  try {
    const answer = await question.answer();
    return (await answer(askerOf(project, signal), values)) as Documents[Name];
  } catch (error) {
    if (NO_ANSWER.some((code) => isSocraticodeError(error, code))) return null;
    throw error;
  }
}

const NO_ANSWER = ['NOT_READY', 'BAD_ARGUMENT', 'CANCELLED', 'UNBORN_HEAD'] as const;

/** Definitions that the name at a position means, those that it may mean where none is certain. */
export async function definitionsAt(position: Position, { signal }: Editor): Promise<NodePlace[]> {
  const { project, path, line, character } = position;
  const place = `:/${path}:${line + 1}:${character + 1}`;
  const found = await ask({ project, signal }, 'graph definition', { place });
  if (found === null) return [];
  return found.definitions.length > 0 ? found.definitions : found.possible;
}

/** How questions name a definition, or a file. */
export const targetOf = ({ path, symbol }: { path: string; symbol: string | null }): string =>
  symbol === null ? path : `${path}:${symbol}`;

/** Everything about one definition; null for a file, and for a name that means several things. */
export async function symbolOf(
  target: string,
  { project, signal, limit }: { project: Project; signal: AbortSignal; limit: number },
): Promise<GraphSymbolResponse | null> {
  const found = await ask({ project, signal }, 'graph symbol', { names: [target], limit });
  return found === null || 'candidates' in found ? null : found;
}
