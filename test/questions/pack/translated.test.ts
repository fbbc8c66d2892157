/** Documents that are there in English, too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTranslated } from '../../../src/questions/pack/select.js';
import { graphOf } from '../../graph/build.js';

test('a translation is known by its folder or name, where the original is there', () => {
  const paths = [
    ...['docs/en/docs/a.md', 'docs/de/docs/a.md', 'docs/pt-BR/docs/a.md', 'docs/de/docs/only.md'],
    ...['README.md', 'README.fr.md', 'README_ZH.md', 'docs/go/setup.md', 'src/de/a.ts', 'src/en/a.ts'],
  ];
  const graph = graphOf({ files: Object.fromEntries(paths.map((path) => [path, []])) });
  const translated = paths.filter((path) => isTranslated(graph, path));
  assert.deepEqual(translated, ['docs/de/docs/a.md', 'docs/pt-BR/docs/a.md', 'README.fr.md', 'README_ZH.md']);
});
