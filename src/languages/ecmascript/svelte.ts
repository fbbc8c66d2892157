/** Svelte: what its markup uses of its script. */
import type { TemplateRules } from '../roles/relations.js';
import { MARKUP } from './markup.js';

export const svelte: TemplateRules = { ...MARKUP, expressions: /\{([^{}]{1,500})\}/g, dashed: false };
