/**
 * Joins the modules of the fleet in `dist/index.cjs`. It is CommonJS, since git-socraticode loads it from a script, in which `import` does
 * not exist. The module `internal.ts` becomes the object that git-socraticode hands over: `loadFleet` of `src/questions/fleet/package.ts`.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const HANDED_OVER = "module.exports = globalThis[Symbol.for('git-socraticode/internal')];\n";

const bundle = await rolldown({
  input: `${FOLDER}src/index.ts`,
  platform: 'node',
  external: ['@lancedb/lancedb', 'apache-arrow'],
  resolve: { extensionAlias: { '.js': ['.ts'] } },
  plugins: [
    {
      name: 'internal',
      load: (id) => (id === `${FOLDER}src/internal.ts` ? { code: HANDED_OVER, moduleType: 'js' } : null),
    },
  ],
  onLog(_, { message }) {
    throw new Error(message);
  },
});
const { output } = await bundle.generate({
  format: 'cjs',
  codeSplitting: false,
  comments: false,
  // Stack traces show names.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
mkdirSync(`${FOLDER}dist`, { recursive: true });
// At once: a build that is killed leaves no half of a program.
writeFileSync(`${FOLDER}dist/index.cjs.new`, output[0].code);
renameSync(`${FOLDER}dist/index.cjs.new`, `${FOLDER}dist/index.cjs`);
