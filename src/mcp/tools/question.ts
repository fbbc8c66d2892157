/** What tools about the graph have in common: a question to the open repository, and text where a name means several things. */
import type { GraphCandidates } from '../../questions/graph/candidates/output.js';
import { renderCandidates } from '../../questions/graph/candidates/text.js';
import { type Pen, plainPen } from '../../questions/writing/pen.js';
import { TOOL_WORDS } from '../../questions/writing/words.js';
import type { ToolCall } from '../tool.js';

/** As many as the engine lists. */
const MAX_LISTED = 10_000;

export const PEN: Pen = plainPen(TOOL_WORDS);

/** Entries of each list, those before the cursor included. */
export const listed = (call: ToolCall, limit: number, most = MAX_LISTED): number => Math.min(most, call.skip + limit);

export async function questionOf(call: ToolCall, { ref, limit }: { ref: string | undefined; limit: number }) {
  const project = await call.project();
  const asked = { ref, limit: listed(call, limit), directory: project.root, signal: call.signal };
  return { session: project.session, graphs: await project.graphs(), asked };
}

/** Text of an answer, or of what an ambiguous name may mean. */
export function answerText<T extends object>(
  document: T | GraphCandidates,
  render: (answer: T, pen: Pen) => string,
  skip = 0,
): string {
  const pen = penAt(skip);
  return 'candidates' in document ? renderCandidates(document, pen) : render(document, pen);
}

/** For the page that begins after so many entries of each list. */
export const penAt = (skip: number): Pen => (skip === 0 ? PEN : { ...PEN, skipped: skip });
