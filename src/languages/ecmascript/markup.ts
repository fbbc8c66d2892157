/** Rules that all components of markup and scripts share. */
import type { TemplateRules } from '../roles/relations.js';
import { loadedBy } from '../web/relations.js';
import { styleImports } from '../web/style-imports.js';
import { typescript } from './relations.js';

const TYPESCRIPT = /\blang\s*=\s*["']?tsx?\b/i;

export const MARKUP: Pick<TemplateRules, 'scriptLanguage' | 'names' | 'loadedBy' | 'styleImports'> = {
  scriptLanguage: (attributes) => (TYPESCRIPT.test(attributes) ? 'typescript' : 'javascript'),
  names: typescript,
  loadedBy,
  styleImports,
};
