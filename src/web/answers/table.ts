/** Answers that a page needs beside the questions: choices for its controls, and the authors of lines. */
import { type Params, text } from '../../params/param.js';
import type { Asker } from '../../questions/asker.js';
import { answerAbout } from './about.js';
import { answerBlame } from './blame.js';
import { answerFiles, answerOverview } from './files.js';
import { answerRefs } from './refs.js';

interface OwnAnswer {
  params: Params;
  // biome-ignore lint/suspicious/noExplicitAny: values and parameters belong together inside one entry only.
  answer: (at: Asker, values: any) => Promise<object>;
}

const ref = text({ summary: 'branch, tag or commit', minLength: 1, maxLength: 1_024 });

export const OWN_ANSWERS: Readonly<Record<string, OwnAnswer>> = {
  about: { params: {}, answer: answerAbout },
  refs: { params: { ref }, answer: answerRefs },
  files: { params: { ref }, answer: answerFiles },
  overview: { params: { ref }, answer: answerOverview },
  blame: {
    params: { ref, path: text({ summary: 'path from the top', minLength: 1, maxLength: 4_096, required: true }) },
    answer: answerBlame,
  },
};
