/** Places that links of Antora's pages lead to: they name modules and families, not folders. By its documentation, "Resource ID". */
import { posix } from 'node:path';

/** Folder of the component, module, and the rest of the path: pages, what they share, and the files of navigation beside them. */
const PAGE = /^((?:.*\/)?modules\/)([^/]+)\/(?:(?:pages|partials|examples)\/|[^/]+$)/;
/** `module:`, `partial$`, and the path within. */
const RESOURCE = /^(?:([\w.-]*):)?(?:(page|partial|example|image|attachment)\$)?([^:$@]+)$/;
const FOLDERS: Readonly<Record<string, string>> = {
  page: 'pages',
  partial: 'partials',
  example: 'examples',
  image: 'images',
  attachment: 'attachments',
};

/** Is it a link to a module, which looks like an address? */
export const isModuleLink = (target: string): boolean => /^[\w.-]*:(?:[a-z]+\$)?[\w][\w./-]*\.adoc$/.test(target);

/**
 * Path that a link in the document `from` means; null where Antora does not read that document, or the link leads to another component.
 * A path that begins with a dot is relative to the page, as elsewhere.
 */
export function antoraPath(from: string, target: string): string | null {
  const page = from.endsWith('.adoc') ? PAGE.exec(from) : null;
  const resource = RESOURCE.exec(target);
  if (page === null || resource === null || target.startsWith('.')) return null;
  const [, modules, own] = page;
  const [, module = own, family = 'page', path] = resource;
  return posix.normalize(`${modules}${module === '' ? own : module}/${FOLDERS[family]}/${path}`);
}
