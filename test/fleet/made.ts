/** Made-up publications: uploads of small files, and views of them. */
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { FleetProfile } from '../../fleet/src/contract.js';
import { familyId, fleetProfile, unitKey } from '../../fleet/src/keys.js';
import type { PublishedView } from '../../fleet/src/target.js';
import { makeUnit, type StoredUnit, type UnitUpload } from '../../fleet/src/unit.js';
import { encodeFacts, encodeStats } from '../../fleet/src/view.js';
import { builtinIdentity } from '../../src/embed/builtin/model.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { materialise, type SourceFile } from '../support/generated/corpus.js';

export const LANGUAGE = 'typescript';
export const PROFILE: FleetProfile = fleetProfile('syntax', 'vectors', {
  pathDimensions: builtinIdentity().dimensions,
  provider: null,
});

export function sourceFile(path: string, className: string, words: readonly string[]): SourceFile {
  return { path, className, methods: [{ name: `run${className}`, words: [...words] }] };
}

/** What a publisher sends of a file. */
export function uploadOf(file: SourceFile): UnitUpload {
  const { bytes, facts } = materialise(file);
  const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  const record = encodeSyntaxRecord(oid, { facts: { [LANGUAGE]: facts } });
  return {
    oid,
    language: LANGUAGE,
    path: file.path,
    record,
    text: new Uint8Array(deflateRawSync(bytes)),
    vectors: new Uint8Array(0),
  };
}

export function storedUnit(file: SourceFile, family = 'shop', now = 1_000): StoredUnit {
  return makeUnit(uploadOf(file), { profile: PROFILE, family: familyId(family), keepsText: true, now });
}

export const keyIn = (family: string, file: SourceFile) => unitKey(familyId(family), uploadOf(file).oid, LANGUAGE);

/** Hex id made of one digit. */
export const commitId = (digit: string) => digit.repeat(40);

export const numberedCommit = (number: number) => createHash('sha1').update(`commit ${number}`).digest('hex');
export const numberedFile = (number: number) =>
  sourceFile(`src/file${number}.ts`, `Class${number}`, [`word${number}`, 'common']);

export function viewOf(files: readonly SourceFile[], about: Partial<PublishedView> = {}): PublishedView {
  const family = about.family ?? about.repo ?? 'shop';
  const listed = files.map((file) => ({
    ...{ key: keyIn(family, file), language: LANGUAGE, paths: [file.path] },
    ...{ pathClass: 'source' as const, centrality: 0.25 },
  }));
  const averages = { body: 4, name: 1, enclosing: 1, path: 3 };
  return {
    ...{ profile: PROFILE.id, repo: 'shop', family, ref: 'main', commit: commitId('a'), previous: '' },
    ...{ tree: commitId('9'), covered: files.length, total: files.length, isDefault: true },
    ...{ facts: encodeFacts(listed), stats: encodeStats({ count: 2 * files.length, averages, df: new Map() }) },
    links: new Uint8Array(0),
    keep: 0,
    ...about,
  };
}

/** Steps of a publication: the last one is the conditional commit of the view. */
export const STEPS = ['plan', 'units', 'view'] as const;
