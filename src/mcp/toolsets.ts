/** Which tools there are, by toolset (data); a toolset is loaded when it is asked for. */
import type { AnyQuestion } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import { TOOL_NAMES } from '../questions/tool-names.js';
import type { AnyTool, Toolset } from './tool.js';

async function loadDeclared(toolsets: readonly Toolset[]): Promise<AnyTool[]> {
  const [questions, { toolOf }] = await Promise.all([loadQuestions(), import('./question-tool.js')]);
  const isWanted = ({ tool }: AnyQuestion) => tool !== undefined && toolsets.includes(tool.toolset);
  return questions.filter(isWanted).map(toolOf);
}

/** `readOnly` leaves out tools that write. */
export async function loadTools(toolsets: readonly Toolset[], readOnly: boolean): Promise<Map<string, AnyTool>> {
  const declared = await loadDeclared(toolsets);
  const order = Object.values(TOOL_NAMES).flat();
  const tools = declared.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return new Map(tools.filter(({ effect }) => !readOnly || effect === 'reads').map((tool) => [tool.name, tool]));
}
