/** Indexed files of a ref, for finding one by its name. */
import type { Asker } from '../../questions/asker.js';
import type { Files } from './output.js';

/** More would take longer to send than to search. */
const MAX_FILES = 50_000;

export async function answerFiles({ session }: Asker, { ref }: { ref?: string }): Promise<Files> {
  const { catalog } = await session.filesOf(await session.origin(ref, { unborn: true }));
  const languages: Record<string, number> = {};
  const endings = new Map<string, string>();
  for (const { path, language } of catalog.files) {
    if (language === null) continue;
    languages[language] = (languages[language] ?? 0) + 1;
    const ending = path.slice(path.lastIndexOf('.') + 1);
    if (!endings.has(ending)) endings.set(ending, language);
  }
  const paths = catalog.files.slice(0, MAX_FILES).map(({ path }) => path);
  return { paths, leftOut: catalog.files.length - paths.length, languages, endings: Object.fromEntries(endings) };
}
