/** `import`: records from files that `export` wrote, or what a compiler told in a SCIP index. */
import { commandText } from '../../params/command-line.js';
import { text, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { committedRef } from '../shared-params.js';
import { importReportSchema } from './output.js';
import { scipImportSchema } from './scip/output.js';

const params = {
  directory: text({
    summary: 'directory to read from',
    defaultText: '.socraticode of the work tree, or of HEAD',
    completes: 'directory',
    cli: { argument: '[dir]' },
  }),
  scip: text({
    summary: 'take in this SCIP index of a compiler instead; its uses take precedence over those that we find',
    minLength: 1,
    cli: { value: 'file' },
  }),
  ref: {
    ...committedRef,
    summary: 'take .socraticode of this ref; the commit of a SCIP index',
    defaultText: undefined,
  },
} as const;

export type ImportValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'import',
  summary: 'add records to the local notes, from files that `export` wrote or from a SCIP index',
  effect: 'writes',
  params,
  answer: async () => (await import('./answer.js')).answerImport,
  text: async () => (await import('./text.js')).importText,
  documents: {
    import: { schema: importReportSchema },
    'import-scip': { schema: scipImportSchema, title: commandText('import', { scip: 'FILE', json: true }) },
  },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['import', 'from .socraticode of the work tree, or of HEAD'],
      ['import --scip index.scip', 'what scip-typescript, scip-python or rust-analyzer found at HEAD'],
      ['import --ref origin/main', 'from what a remote branch holds'],
    ],
    isNegative: (report) => ('tool' in report ? report.added + report.known : report.profiles.length) === 0,
  },
});
