/** The documents of all questions: the JSON Schemas that `schemas/` publishes. */
import { commandText } from '../params/command-line.js';
import type { DocumentSchema } from './question.js';
import { loadQuestions } from './table.js';

/** By the name of the file, with a title each. */
export async function loadDocuments(): Promise<Map<string, Required<Pick<DocumentSchema, 'schema' | 'title'>>>> {
  const questions = await loadQuestions();
  const each = await Promise.all(
    questions.map(async ({ name, tool, command, documents }) => {
      const entries = Object.entries(await documents());
      const usual = command === undefined ? `MCP: ${tool?.name}` : commandText(name, { json: true });
      return entries.map(([file, { schema, title = usual }]) => [file, { schema, title }] as const);
    }),
  );
  return new Map(each.flat());
}
