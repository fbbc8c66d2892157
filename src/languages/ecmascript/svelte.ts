/** Svelte: what its markup uses of its script. */
import type { TemplateRules } from '../roles/relations.js';

export const svelte: TemplateRules = { expressions: /\{([^{}]{1,500})\}/g, dashed: false };
