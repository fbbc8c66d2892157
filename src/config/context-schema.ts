/** Zod schema of `.socraticodecontextartifacts.json`: the source of its JSON Schema. The program parses with `context-artifacts`. */
import { z } from 'zod';
import {
  isArtifactDescription,
  isArtifactName,
  isArtifactPath,
  MAX_ARTIFACTS,
  MAX_DESCRIPTION,
  MAX_NAME,
  MAX_PATH,
} from './context-artifacts.js';

const artifact = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(MAX_NAME)
    .regex(/^[^/\p{Cc}]+$/u)
    .refine(isArtifactName, { error: 'no name' })
    .describe('What the artifact is called in searches; different for each.'),
  path: z
    .string()
    .min(1)
    .max(MAX_PATH)
    .regex(/^\P{Cc}+$/u)
    .refine(isArtifactPath, { error: 'no path' })
    .describe(
      'A file or folder, relative to the top of the repository, with "/" between folders. One outside of the repository is read only where the user allows it (context.allow).',
    ),
  description: z
    .string()
    .min(1)
    .max(MAX_DESCRIPTION)
    .refine(isArtifactDescription, { error: 'no description' })
    .describe('What it is and when to look there; for people and agents.'),
});

export function artifactsSchema() {
  return z
    .strictObject({
      $schema: z.string().optional().describe('Where editors find this schema; ignored otherwise.'),
      artifacts: z
        .array(artifact)
        .max(MAX_ARTIFACTS)
        .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, { error: 'a name twice' }),
    })
    .describe(
      'Named files and folders beside the code (API specifications, schemas, decisions) that can be searched alone.',
    );
}
