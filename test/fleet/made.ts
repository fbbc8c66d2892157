/** Made-up publications: uploads of small files, and views of them. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import type { FleetProfile } from '../../fleet/src/contract.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { familyId, fleetProfile, unitKey } from '../../fleet/src/keys.js';
import { openEngine } from '../../fleet/src/open.js';
import type { PublishedView } from '../../fleet/src/target.js';
import { makeUnit, type StoredUnit, type UnitUpload } from '../../fleet/src/unit.js';
import { encodeFacts, encodeStats } from '../../fleet/src/view.js';
import { builtinIdentity } from '../../src/embed/builtin/model.js';
import type { ExportedName, LinkedFacts } from '../../src/graph/across/facts.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { materialise, type SourceFile } from '../support/generated/corpus.js';
import { makeDirectory } from '../support/repositories/repo.js';

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

/** Files of a store that two repositories were published to, and its address. */
export async function publishedStore(): Promise<{ folder: string; address: string }> {
  const folder = makeDirectory('fleet');
  const address = pathToFileURL(folder).href;
  const intake = new FleetIntake(await openEngine(address, PROFILE));
  for (const number of [1, 2]) {
    const view = viewOf([numberedFile(number)], { repo: `repo${number}` });
    await intake.units({ ...view, units: [uploadOf(numberedFile(number))] });
    assert.deepEqual(await intake.view(view), { outcome: 'published' });
  }
  await intake.close();
  return { folder: join(folder, PROFILE.id), address };
}

// Facts of a library and of a repository that uses it.

export const NOTHING: LinkedFacts = { packages: [], exports: [], dependencies: [], uses: [], routes: [], calls: [] };

export const exported = (name: string, more: Partial<ExportedName> = {}): ExportedName => ({
  ...{ package: 0, module: 'cart-kit', name, path: 'src/cart.ts', symbol: name, line: 3, ...more },
});

export const LIBRARY: LinkedFacts = {
  ...NOTHING,
  packages: [{ ecosystem: 'npm', name: 'cart-kit', manifest: 'package.json' }],
  exports: [exported('Cart'), exported('Cart.total'), exported('openCart', { result: 'Cart' }), exported('tax')],
};

export const user = (name: string, path = 'src/app.ts'): LinkedFacts => ({
  ...NOTHING,
  dependencies: [{ ecosystem: 'npm', name: 'cart-kit', version: '^2' }],
  uses: [{ ecosystem: 'npm', specifier: 'cart-kit', name, path, symbol: 'run', line: 7, uses: 2 }],
});
