// Links the files of a directory as they are now, in memory: of its repository, or all below it if git does not know it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const CODE = '../../../dist';
const { detectLanguage } = await import(`${CODE}/languages/detect.js`);
const { extract } = await import(`${CODE}/extract/extract.js`);
const { loadAllRules, relationsOf } = await import(`${CODE}/languages/registry.js`);
const { LANGUAGE_IDS } = await import(`${CODE}/languages/ids.js`);
const { loadImports } = await import(`${CODE}/languages/resolver.js`);
const { isManifest } = await import(`${CODE}/session/graph/sources.js`);
const { linkSnapshot } = await import(`${CODE}/graph/link/link-snapshot.js`);
const { Graph } = await import(`${CODE}/graph/graph.js`);
const { factsKey } = await import(`${CODE}/graph/tables.js`);

const MOST_BYTES = 1 << 20;

/** The linked graph of a directory. */
export async function linked(dir) {
  await Promise.all([loadAllRules(), loadImports(LANGUAGE_IDS)]);
  const listed = execFileSync('git', ['-C', dir, 'ls-files', '-z'], { maxBuffer: 1 << 28 }).toString();
  const [files, facts, others, manifests] = [[], new Map(), new Set(), new Map()];
  for (const path of listed.split('\0').filter(Boolean).sort()) {
    const stat = statSync(join(dir, path), { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    const bytes = readFileSync(join(dir, path));
    const language = detectLanguage(path, bytes);
    if (isManifest(path)) manifests.set(path, bytes.toString());
    if (language === null) {
      others.add(path);
      continue;
    }
    const oid = createHash('sha1').update(bytes).digest('hex');
    const file = {
      path,
      oid,
      language,
      state: relationsOf(language) !== false && bytes.length < MOST_BYTES ? 'linked' : 'none',
    };
    if (file.state === 'linked') {
      const found = extract(bytes, language);
      if (found.facts === undefined) file.state = 'degraded';
      else facts.set(factsKey(file), found.facts);
    }
    files.push(file);
  }
  return new Graph(linkSnapshot({ files, facts, others, manifests }, null).tables);
}
