/** Tools by toolset, in the order of the table of questions. */
import type { AnyQuestion } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import { TOOLSETS, type Tool, type Toolset } from './tool.js';

/** Tools by what was asked for: a client of 2026 gets a server object with each request, and tools never change. */
const LOADED = new Map<string, Promise<Map<string, Tool>>>();

/** `readOnly` leaves out tools that write. Made once in a process. */
export function loadTools(toolsets: readonly Toolset[], readOnly: boolean): Promise<ReadonlyMap<string, Tool>> {
  const key = `${toolsets.join()} ${readOnly}`;
  const loaded = LOADED.get(key) ?? makeTools(toolsets, readOnly);
  LOADED.set(key, loaded);
  return loaded;
}

async function makeTools(toolsets: readonly Toolset[], readOnly: boolean): Promise<Map<string, Tool>> {
  const [questions, { toolOf }] = await Promise.all([loadQuestions(), import('./question-tool.js')]);
  const isIn =
    (toolset: Toolset) =>
    ({ tool, effect }: AnyQuestion) =>
      tool?.toolset === toolset && (!readOnly || effect === 'reads');
  const tools = toolsets.flatMap((toolset) => questions.filter(isIn(toolset)).map(toolOf));
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** The toolset of every tool, those included that a server was not asked for. */
export async function loadToolNames(): Promise<Map<string, Toolset>> {
  const questions = await loadQuestions();
  const named = questions.flatMap(({ tool }) => (tool === undefined ? [] : [[tool.name, tool.toolset] as const]));
  return new Map(TOOLSETS.flatMap((toolset) => named.filter(([, own]) => own === toolset)));
}
