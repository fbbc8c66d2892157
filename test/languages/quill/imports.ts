/** Imports of Quill: paths from the root of the repository, without their extension. */
import { external, type ImportRules } from '../../../src/languages/roles/project.js';

export const QUILL: ImportRules = {
  readsNames: false,
  create: (project) => ({ resolve: (_, { specifier }) => project.at(`${specifier}.quill`) ?? external(specifier) }),
};
