/** `fleet init`, `status`, `fsck`, `maintain`, `drop`, `rebuild`: look after a store of many repositories. */
import { flag, list, text, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { fleetReportSchema } from './output.js';

const at = text({ summary: 'address of the store', defaultText: 'the setting fleet.url', cli: { value: 'url' } });
const params = { at } as const;
const maintainParams = {
  at,
  now: flag({ summary: 'optimize at once, and delete older versions and unused contents of any age' }),
} as const;
const dropParams = {
  repo: text({ summary: 'name of the repository in the fleet', required: true, cli: { argument: '<repo>' } }),
  at,
} as const;

const rebuildParams = {
  at,
  from: list({ summary: 'clones, whose notes stand in for what is damaged; repeatable', cli: { value: 'dir' } }),
  force: flag({ summary: 'switch even if refs are left out; they must be published again' }),
} as const;

export type RebuildValues = Values<typeof rebuildParams>;
export type FleetValues = Values<typeof params>;
export type MaintainValues = Values<typeof maintainParams>;
export type DropValues = Values<typeof dropParams>;

const fleet = async () => (await import('./package.js')).loadFleet();
const json = 'print the report as JSON';
const documents = { fleet: { schema: fleetReportSchema } };
const toText = async () => (await import('./text.js')).fleetText;

export const questions = [
  defineQuestion({
    name: 'fleet init',
    summary: 'make the tables of a store, and try whether it keeps simultaneous commits',
    effect: 'writes',
    params,
    answer: async () => (await fleet()).init,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      examples: [
        ['fleet init --at file:///srv/fleet', 'a folder'],
        ['fleet init --at s3://bucket/fleet', 'a bucket; one that loses commits is refused'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet rebuild',
    summary: 'make new tables beside damaged ones, from what is whole and from clones, then switch to them',
    effect: 'writes',
    params: rebuildParams,
    answer: async () => (await fleet()).rebuild,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      isNegative: ({ rebuilt }) => rebuilt?.switched === false,
      examples: [
        ['fleet rebuild', 'undamaged tables are copied; damaged ones are named'],
        ['fleet rebuild --from ~/code/shop --from ~/code/bank', 'and the rest from the notes of clones'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet status',
    summary: 'say how large a store is, and who maintains it',
    effect: 'reads',
    params,
    answer: async () => (await fleet()).status,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      examples: [
        ['fleet status', 'the store of the setting fleet.url'],
        ['fleet status --at file:///srv/fleet', 'another one'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet fsck',
    summary: 'find published refs whose contents are absent or damaged',
    effect: 'reads',
    params,
    answer: async () => (await fleet()).fsck,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      isNegative: ({ damaged, faults }) => (damaged?.length ?? 0) + (faults?.length ?? 0) > 0,
      examples: [
        ['fleet fsck', 'the store of the setting fleet.url'],
        ['fleet fsck --at file:///srv/fleet --json', 'another one, as JSON'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet maintain',
    summary: 'remove contents that no published ref has, index new ones, delete old versions of tables',
    effect: 'deletes',
    params: maintainParams,
    answer: async () => (await fleet()).maintain,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      examples: [
        ['fleet maintain', 'once an hour'],
        ['fleet maintain --now', 'after a repository was dropped'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet drop',
    summary: 'remove a repository from a store',
    effect: 'deletes',
    params: dropParams,
    answer: async () => (await fleet()).drop,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      examples: [
        ['fleet drop github.com/acme/shop', 'with every branch'],
        ['fleet drop shop --at file:///srv/fleet', 'from another store'],
      ],
    },
  }),
];
