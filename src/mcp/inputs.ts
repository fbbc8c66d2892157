/** Parameters that tools share. Descriptions are read by models in every session: each word of them costs. */
import { z } from 'zod';

export const MIN_TOKENS = 200;
export const MAX_TOKENS = 50_000;

/** A path or a name of the repository: long enough for any of them. */
export const text = z.string().min(1).max(4_096);

export const projectPath = text.optional().describe('Repository directory; default: the one served.');
export const ref = z.string().min(1).max(1_024).optional().describe('Branch, tag or commit; default: work tree.');
export const maxTokens = z.int().min(MIN_TOKENS).max(MAX_TOKENS).optional().describe('Budget of the reply.');
export const cursor = z.string().max(512).optional().describe('From the reply before, to go on.');

/** What every tool about a snapshot takes; those without lists need no cursor. */
export const reading = { ref, maxTokens, cursor, projectPath };
