/** Finds chunks that define a queried name, and estimates how likely each one is the definition that is meant. */
import { nameKey } from '../extract/terms.js';
import { CHUNK_KINDS, DEFINITION_CAPITAL, DEFINITION_EXPORTED, DEFINITION_TOP_LEVEL } from '../shard/lexical-format.js';
import type { LiveSet } from '../shard/live.js';
import { DEFINITION, SAME_FILE_BONUS } from './weights.js';

const TYPE_LIKE = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'enum',
  'type',
  'module',
  'namespace',
  'object',
  'function',
]);

/** Kinds of names in data, documents and styles, which mention a thing rather than define it. */
const DATA_LIKE = new Set(['key', 'section', 'selector', 'field', 'property', 'enum-member', 'variable']);

export interface Definition {
  /** From 0 to 1, plus the bonus for a file of the same name. */
  strength: number;
  /** Name as the query has it; null if the definition's name differs in case. */
  name: string | null;
}

/** Definitions of the given names, by global document. */
export function findDefinitions(live: LiveSet, names: readonly string[]): Map<number, Definition> {
  const found = new Map<number, Definition>();
  for (const name of names) {
    const key = nameKey(name);
    for (const [i, shard] of live.shards.entries()) {
      const index = shard.names.find(key);
      if (index < 0) continue;
      for (const definition of shard.definitions(index)) {
        const document = live.bases[i] + definition.document;
        const file = live.fileOf[document];
        if (file < 0) continue;
        const otherCase = isOtherCase(definition, name);
        const strength =
          definitionStrength(definition, otherCase) + (isNamesake(live.files.path(file), key) ? SAME_FILE_BONUS : 0);
        if (strength > (found.get(document)?.strength ?? 0)) {
          found.set(document, { strength, name: otherCase ? null : name });
        }
      }
    }
  }
  return found;
}

/** True if a capitalised query, which means a type, meets a lower-case name. */
function isOtherCase({ flags }: { flags: number }, name: string): boolean {
  return /^\p{Lu}/u.test(name) && (flags & DEFINITION_CAPITAL) === 0;
}

function definitionStrength(definition: { kind: number; flags: number; lines: number }, otherCase: boolean): number {
  const size = Math.min(1, Math.log1p(definition.lines) / Math.log1p(DEFINITION.fullSizeLines));
  const kind = CHUNK_KINDS[definition.kind];
  const factor = (otherCase ? DEFINITION.otherCase : 1) * (DATA_LIKE.has(kind) ? DEFINITION.dataLike : 1);
  const strength =
    DEFINITION.base +
    (TYPE_LIKE.has(kind) ? DEFINITION.typeLike : 0) +
    (definition.flags & DEFINITION_TOP_LEVEL ? DEFINITION.topLevel : 0) +
    (definition.flags & DEFINITION_EXPORTED ? DEFINITION.exported : 0) +
    DEFINITION.size * size;
  return strength * factor;
}

function isNamesake(path: string, name: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const stem = file.slice(0, file.indexOf('.') > 0 ? file.indexOf('.') : undefined);
  return nameKey(stem.replaceAll('-', '_')) === name;
}
