/** Vue: what its template uses of its script. */
import type { TemplateRules } from '../roles/relations.js';
import { MARKUP } from './markup.js';

export const vue: TemplateRules = {
  ...MARKUP,
  expressions: /\{\{([^{}]{1,500})\}\}|\s(?:[@:#]|v-)[\w.:\-[\]]{0,60}\s*=\s*(?:"([^"]{1,500})"|'([^']{1,500})')/g,
  dashed: true,
};
