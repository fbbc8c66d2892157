/** Interface of this package to git-socraticode: each part is loaded when it is asked for. */
import type { FleetPackage } from './internal.js';

export const connect: FleetPackage['connect'] = async (...asked) => (await import('./connect.js')).connect(...asked);

export const serve: FleetPackage['serve'] = async (start) => (await import('./start.js')).startFleet(start);

export const repositoryName: FleetPackage['repositoryName'] = async (session) =>
  (await import('./publish/refs.js')).repositoryName(session);

export const publish: FleetPackage['publish'] = async (...asked) =>
  (await import('./answers/publish.js')).answerPublish(...asked);

const store = () => import('./answers/store.js');

export const init: FleetPackage['init'] = async (...asked) => (await store()).answerInit(...asked);
export const rebuild: FleetPackage['rebuild'] = async (...asked) => (await store()).answerRebuild(...asked);
export const status: FleetPackage['status'] = async (...asked) => (await store()).answerStatus(...asked);
export const fsck: FleetPackage['fsck'] = async (...asked) => (await store()).answerFsck(...asked);
export const maintain: FleetPackage['maintain'] = async (...asked) => (await store()).answerMaintain(...asked);
export const drop: FleetPackage['drop'] = async (...asked) => (await store()).answerDrop(...asked);
