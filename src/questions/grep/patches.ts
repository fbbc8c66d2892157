/** Patches of `grep --rewrite`: each file with its matches replaced by a template. */
import { patchOf, rewrite } from '../../search/grep/rewrite.js';
import type { GrepMatch, GrepResult } from '../../session/grep/grep.js';
import type { FileDocument, GrepResponse } from './question.js';

/** Stands for bytes that are not UTF-8. A patch that holds it would not apply. */
const NO_UTF8 = '\uFFFD';

/** Patches of the first `limit` changed files. Files that are not UTF-8 count as skipped. */
export function listPatches(found: GrepResult, template: string, limit: number): Partial<GrepResponse> {
  const files: FileDocument[] = [];
  let [inner, left] = [0, 0];
  for (const { file, text, hits, isConverted } of found.matches) {
    if (isConverted || text.includes(NO_UTF8) || file.path.includes(NO_UTF8)) {
      found.skipped['not-utf8'] = (found.skipped['not-utf8'] ?? 0) + 1;
      continue;
    }
    const matches = hits.flatMap(({ match }) => match ?? []);
    const result = rewrite(text, matches, template);
    inner += result.inner;
    if (result.edits.length === 0) continue;
    if (files.length === limit) left++;
    else files.push({ ...patchIn(file, text, result.edits), ...(file.oid === null && { uncommitted: true }) });
  }
  return { files, filesLeftOut: left, inner };
}

function patchIn({ path }: GrepMatch['file'], text: string, edits: Parameters<typeof patchOf>[2]): FileDocument {
  return { path, hits: edits.length, patch: patchOf(path, text, edits) };
}
