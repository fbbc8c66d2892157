/** Effect of further file extensions: every text file is indexed anyway, so most need nothing. */
import { extname } from 'node:path';
import { SocraticodeError } from '../../../base/errors.js';
import type { Session } from '../../../session/session.js';
import type { Indexing } from './output.js';

const MAX_EXTENSIONS = 50;

/** `list`: with commas between, dots or not. Throws BAD_ARGUMENT. */
export async function describeExtensions(
  session: Session,
  list: string,
  ref?: string,
): Promise<NonNullable<Indexing['extensions']>> {
  const wanted = parseExtensions(list);
  const { catalog } = await session.filesOf(await session.origin(ref, { unborn: true }));
  const found = new Map(wanted.map((extension) => [extension, { files: 0, languages: new Set<string>() }]));
  for (const { path, language } of catalog.files) {
    const entry = found.get(extname(path).toLowerCase());
    if (entry === undefined) continue;
    entry.files++;
    if (language !== null) entry.languages.add(language);
  }
  return [...found].map(([extension, { files, languages }]) => ({
    ...{ extension, files, languages: [...languages].sort() },
  }));
}

function parseExtensions(list: string): string[] {
  const parts = list.split(',').map((part) => part.trim().toLowerCase());
  const extensions = [...new Set(parts.filter((part) => part !== '').map((part) => `.${part.replace(/^\./, '')}`))];
  const bad = extensions.find((extension) => !/^\.[a-z0-9+_-]{1,31}$/.test(extension));
  if (bad !== undefined || extensions.length === 0 || extensions.length > MAX_EXTENSIONS) {
    const what = bad === undefined ? `${extensions.length} extensions` : `not an extension: ${JSON.stringify(bad)}`;
    throw new SocraticodeError('BAD_ARGUMENT', what, { hint: 'extraExtensions is a list such as ".tpl,.inc".' });
  }
  return extensions;
}
