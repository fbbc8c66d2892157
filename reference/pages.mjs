// Makes the pages of docs/ that come from declarations, for the generator and for the test that compares them.
import { readFileSync } from 'node:fs';
import { cliPage } from './cli-page.mjs';
import { configurationPage } from './configuration-page.mjs';
import { environment } from './facts.mjs';
import { languagesPage } from './languages-page.mjs';
import { manPages } from './man-pages.mjs';
import { describeProgram, readNotes } from './program.mjs';
import { toolsPage } from './tools-page.mjs';

const read = (file) => readFileSync(new URL(file, import.meta.url), 'utf8');

const notes = () => readNotes(read('notes.md'));

/** The pages with their names from the top of the project. */
export async function pages(modules) {
  const program = await describeProgram(modules);
  const prose = (page) => read(`prose/${page}.md`);
  return [
    { name: 'docs/cli.md', text: cliPage({ program, notes: notes(), prose: prose('cli') }) },
    { name: 'docs/tools.md', text: await toolsPage({ modules, prose: prose('tools') }) },
    { name: 'docs/configuration.md', text: configurationPage({ modules, environment, prose: prose('configuration') }) },
    { name: 'docs/languages.md', text: await languagesPage({ modules, prose: prose('languages') }) },
  ];
}

/** The pages of the manual, by the names of their files. */
export async function manual(modules) {
  const settings = Object.entries(modules.SETTINGS).map(([key, { summary }]) => ({
    ...{ key, summary },
    variable: modules.envName(key),
  }));
  const program = await describeProgram(modules);
  return manPages({ program, notes: notes(), version: modules.packageVersion(), settings });
}
