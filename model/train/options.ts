/** Parses the command line. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { PAIR_KINDS, type PairKind } from './pairs/types.js';
import { TRAINING, type TrainingSettings, VOCABULARY, type VocabularySettings } from './recipe.js';
import { STAGES, type StageName } from './stages.js';

export interface Options {
  cache: string;
  from: StageName | null;
  to: StageName;
  only: string | undefined;
  update: boolean;
  workers: number;
  vocabulary: VocabularySettings;
  training: TrainingSettings;
}

type NumberSetting = Exclude<keyof TrainingSettings, 'kinds'>;
const NUMBERS = Object.keys(TRAINING).filter((key): key is NumberSetting => key !== 'kinds');

export const USAGE = `usage: npm run train -- --cache DIR [options]

Runs ${STAGES.join(', ')}; a stage whose result is newer than its inputs is skipped.

  --from STAGE     run this stage and all behind it, whatever their age; those before it are taken as they are
  --to STAGE       stop behind this stage
  --only NAME      one package alone: its name with --to fetch, its folder with --from pairs --to pairs
  --update         fetch: write the licences and languages found into model/corpus.json
  --workers N      pairs: children that parse (${availableParallelism()})
  --kind NAME=N    share of a kind's pairs per epoch; may be repeated
  --words N        rows of the model (${VOCABULARY.words})
${NUMBERS.map((key) => `  --${`${key} N`.padEnd(15)}see recipe.ts (${TRAINING[key]})`).join('\n')}`;

/** Parses the arguments. Throws an error with the usage text for unknown ones. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const options = {
    ...{ cache: text, from: text, to: text, only: text, workers: text, words: text },
    update: { type: 'boolean' },
    kind: { type: 'string', multiple: true },
    ...Object.fromEntries(NUMBERS.map((key) => [key, text])),
  } satisfies ParseArgsConfig['options'];
  try {
    const { values } = parseArgs({ args: [...args], options });
    const given = values as Record<string, string | undefined>;
    const { cache, only } = given;
    if (cache === undefined) throw new Error('--cache is missing');
    return {
      cache: resolve(cache),
      from: given.from === undefined ? null : stageOf(given.from),
      to: stageOf(given.to ?? 'export'),
      only,
      update: values.update === true,
      workers: numberOf('workers', given.workers, availableParallelism()),
      vocabulary: { ...VOCABULARY, words: numberOf('words', given.words, VOCABULARY.words) },
      training: trainingOf(given, (values.kind as string[] | undefined) ?? []),
    };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`);
  }
}

function stageOf(name: string): StageName {
  const stage = STAGES.find((one) => one === name);
  if (stage === undefined) throw new Error(`no stage is called ${name}`);
  return stage;
}

function trainingOf(given: Record<string, string | undefined>, kinds: readonly string[]): TrainingSettings {
  const numbers = NUMBERS.map((key) => [key, numberOf(key, given[key], TRAINING[key])]);
  return { ...TRAINING, ...Object.fromEntries(numbers), kinds: { ...TRAINING.kinds, ...kindsOf(kinds) } };
}

function kindsOf(given: readonly string[]): Partial<Record<PairKind, number>> {
  const shares = given.map((one) => {
    const [name, share] = one.split('=');
    if (!PAIR_KINDS.some((kind) => kind === name)) throw new Error(`no kind is called ${name}`);
    return [name, numberOf(`kind ${name}`, share)];
  });
  return Object.fromEntries(shares);
}

function numberOf(name: string, text: string | undefined, fallback = Number.NaN): number {
  const number = text === undefined || text === '' ? fallback : Number(text);
  if (!Number.isFinite(number) || number < 0) throw new Error(`--${name} wants a number`);
  return number;
}
