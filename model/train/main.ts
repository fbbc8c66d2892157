/**
 * Trains the built-in model: from the packages of `model/corpus.json` to `model/builtin.bin`, `model/metrics.json` and
 * the tables of `model/README.md`. `npm run train -- --cache DIR`; DIR holds gigabytes in between.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDataset } from './dataset/build.js';
import { readDataset } from './dataset/read.js';
import { fetchCorpus } from './fetch/fetch.js';
import { encodeModel } from './learn/export.js';
import { train } from './learn/train.js';
import { readWeights, writeWeights } from './learn/weights.js';
import { Evaluator, vectorsOfWeights } from './measure/evaluate.js';
import { measure, scoreLines } from './measure/metrics.js';
import { type Options, readOptions } from './options.js';
import { makeAllPairs } from './pairs/pairs.js';
import { BUILTIN, CORPUS, METRICS, README } from './places.js';
import { updateReadme } from './readme.js';
import { FILES, MEASURE, PAIRS } from './recipe.js';
import { runStages, type Stage } from './stages.js';

/** With `--only`, one package is processed for inspection, and later stages do not run. */
function stagesOf(options: Options): Stage[] {
  const { cache, only, update, workers, vocabulary, training } = options;
  const dataset = join(cache, 'dataset.bin');
  const weights = join(cache, 'weights.bin');
  const packages = join(cache, 'packages');
  const pairs = join(cache, 'pairs');
  return [
    {
      ...{ name: 'fetch', inputs: [CORPUS], outputs: [packages], settings: { only } },
      run: () => fetchCorpus({ cache, only, update }),
    },
    {
      ...{ name: 'pairs', inputs: [], outputs: [pairs], settings: { only, FILES, PAIRS } },
      run: () => makeAllPairs({ cache, only, workers }),
    },
    {
      ...{ name: 'dataset', inputs: [], outputs: [dataset], settings: vocabulary },
      run: () => buildDataset({ pairs, out: dataset, settings: vocabulary }),
    },
    {
      ...{ name: 'train', inputs: [dataset], outputs: [weights], settings: training },
      run: () => trainTo(weights, readDataset(dataset), options),
    },
    {
      ...{ name: 'export', inputs: [weights], outputs: [BUILTIN, METRICS], settings: MEASURE },
      run: () => exportModel(dataset, weights),
    },
  ];
}

/**
 * Prints the quality on documentation pairs after each epoch. It decides nothing: the last weights become the model.
 */
async function trainTo(out: string, dataset: ReturnType<typeof readDataset>, options: Options): Promise<void> {
  const { training, vocabulary } = options;
  const evaluator = await Evaluator.create(dataset);
  const started = performance.now();
  const { weights, losses } = await train(dataset, training, (epoch, loss, now) => {
    const vectors = vectorsOfWeights(dataset, now, training.dimensions);
    const [file, unseen] = (['file', 'package'] as const).map((split) =>
      evaluator
        .mrr(evaluator.rounds('doc', split), (round) => evaluator.scores(vectors, training.dimensions, round))
        ?.toFixed(4),
    );
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    console.log(`epoch ${epoch + 1}: loss ${loss.toFixed(3)}, doc MRR file ${file}, package ${unseen}, ${seconds} s`);
  });
  const seconds = (performance.now() - started) / 1_000;
  writeWeights(out, weights, { vocabulary, training, seconds, losses });
}

async function exportModel(datasetPath: string, weightsPath: string): Promise<void> {
  const dataset = readDataset(datasetPath);
  const { run, weights } = readWeights(weightsPath);
  const file = encodeModel(dataset.meta.words, weights, run.training.dimensions);
  const metrics = await measure(dataset, file, run);
  writeFileSync(BUILTIN, file);
  writeFileSync(METRICS, `${JSON.stringify(metrics, null, 2)}\n`);
  updateReadme(README, { corpus: JSON.parse(readFileSync(CORPUS, 'utf8')), metrics });
  console.log(scoreLines(metrics));
  console.log(`${BUILTIN}: ${(file.length / 1e6).toFixed(1)} MB, version ${metrics.model.version}`);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const { only, to } = options;
  if (only !== undefined && to !== 'fetch' && to !== 'pairs') throw new Error('--only wants --to fetch or --to pairs');
  mkdirSync(options.cache, { recursive: true });
  await runStages(stagesOf(options), options);
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
