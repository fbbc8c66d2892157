/** `codebase_fleet_file`: one file of a published ref, its text or its outline. */

import { defineQuestion } from '../../question.js';
import { REF } from '../../shared-params.js';
import { fileParams } from '../asking.js';
import type { FleetFileDocument } from './output.js';
import { fleetFileSchema } from './output.js';

export const question = defineQuestion<typeof fileParams, FleetFileDocument>({
  name: 'fleet file',
  summary: 'read a file of the fleet',
  effect: 'reads',
  openWorld: true,
  params: fileParams,
  answer: async () => (await import('./answer.js')).answerFleetFile,
  text: async () => (await import('./text.js')).fleetFileText,
  documents: { 'fleet-file': { schema: fleetFileSchema } },
  tool: {
    name: 'codebase_fleet_file',
    title: 'Read a file of the fleet',
    toolset: 'fleet',
    description: 'Text of a file as published, by lines, or its outline.',
    params: { repo: 'As results name it.', path: '', ref: REF, from: '', to: '', outline: '' },
    reply: ['maxTokens'],
    maxTokens: 4_000,
  },
});
