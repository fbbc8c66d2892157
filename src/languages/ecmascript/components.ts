/** Vue and Svelte: markup whose scripts are TypeScript or JavaScript, and what it uses of them. */
import type { TemplateRules } from '../roles/relations.js';
import { loadedBy } from '../web/relations.js';
import { styleImports } from '../web/style-imports.js';
import { typescript } from './relations.js';

const TYPESCRIPT = /\blang\s*=\s*["']?tsx?\b/i;

const MARKUP: Pick<TemplateRules, 'scriptLanguage' | 'names' | 'loadedBy' | 'styleImports'> = {
  scriptLanguage: (attributes) => (TYPESCRIPT.test(attributes) ? 'typescript' : 'javascript'),
  names: typescript,
  loadedBy,
  styleImports,
};

export const vue: TemplateRules = {
  ...MARKUP,
  expressions: /\{\{([^{}]{1,500})\}\}|\s(?:[@:#]|v-)[\w.:\-[\]]{0,60}\s*=\s*(?:"([^"]{1,500})"|'([^']{1,500})')/g,
  dashed: true,
};

export const svelte: TemplateRules = { ...MARKUP, expressions: /\{([^{}]{1,500})\}/g, dashed: false };
