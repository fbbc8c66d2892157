/** The documents of all questions: the JSON Schemas that `schemas/` publishes. */
import { commandText } from '../params/command-line.js';
import type { Params } from '../params/param.js';
import type { DocumentSchema, Question } from './question.js';
import { loadQuestions } from './table.js';

/** By the name of the file, with a title each. */
export async function loadDocuments(): Promise<Map<string, Required<Pick<DocumentSchema, 'schema' | 'title'>>>> {
  const questions = await loadQuestions();
  const each = questions.flatMap(({ name, tool, command, documents }) => {
    const byName = command === undefined ? `MCP: ${tool?.name}` : commandText(name, { json: true });
    return Object.entries(documents as Question<Params, object>['documents']).map(
      ([file, { schema, title = byName }]) => [file, { schema, title }] as const,
    );
  });
  return new Map(each);
}
