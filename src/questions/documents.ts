/** The documents of all questions: the JSON Schemas that `schemas/` publishes. */
import type { DocumentSchema } from './question.js';
import { loadQuestions } from './table.js';

/** By the name of the file, with a title each. Loads zod. */
export async function loadDocuments(): Promise<Map<string, Required<Pick<DocumentSchema, 'schema' | 'title'>>>> {
  const questions = await loadQuestions();
  const each = await Promise.all(
    questions.map(async ({ name, documents }) => {
      const entries = Object.entries(await documents());
      return entries.map(
        ([file, { schema, title = `git socraticode ${name} --json` }]) => [file, { schema, title }] as const,
      );
    }),
  );
  return new Map(each.flat());
}
