/** `web`: a page for people. The command line runs its server, which is a layer above questions. */
import { flag, integer, type Values } from '../../params/param.js';
import { defineQuestion, NO_DOCUMENT } from '../question.js';

const params = {
  port: integer({
    summary: 'port of 127.0.0.1 to serve on; 0 takes a free one',
    min: 0,
    max: 65_535,
    defaultText: '7434, or a free one if that is in use',
    cli: { value: 'port' },
  }),
  noOpen: flag({ summary: 'print the address, and open no browser' }),
  idle: integer({
    summary: 'minutes without a request after which the server ends',
    min: 1,
    max: 10_080,
    default: 60,
    cli: { value: 'minutes' },
  }),
} as const;

export type WebValues = Values<typeof params>;

export const question = defineQuestion({
  ...NO_DOCUMENT,
  name: 'web',
  summary: 'browse and search the repository in a web page of this machine',
  effect: 'reads',
  params,
  command: {
    group: 'Find code',
    json: false,
    examples: [
      ['web', 'open the page in your browser; Ctrl-C ends the server'],
      ['web --no-open --port 8080', 'print its address, for another browser or a tunnel'],
    ],
    isRunByFrontEnd: true,
  },
});
