/** Interface of this package to git-socraticode: each part is loaded on first use. */
import type { FleetPackage } from './internal.js';

export const connect: FleetPackage['connect'] = async (...args) => (await import('./connect.js')).connect(...args);

export const serve: FleetPackage['serve'] = async (start) => (await import('./start.js')).startFleet(start);

export const repositoryName: FleetPackage['repositoryName'] = async (session) =>
  (await import('./publish/refs.js')).repositoryName(session);

export const publish: FleetPackage['publish'] = async (...args) =>
  (await import('./answers/publish.js')).answerPublish(...args);

const store = () => import('./answers/store.js');

export const init: FleetPackage['init'] = async (...args) => (await store()).answerInit(...args);
export const rebuild: FleetPackage['rebuild'] = async (...args) => (await store()).answerRebuild(...args);
export const status: FleetPackage['status'] = async (...args) => (await store()).answerStatus(...args);
export const fsck: FleetPackage['fsck'] = async (...args) => (await store()).answerFsck(...args);
export const maintain: FleetPackage['maintain'] = async (...args) => (await store()).answerMaintain(...args);
export const token: FleetPackage['token'] = async (...args) => (await store()).answerToken(...args);
export const drop: FleetPackage['drop'] = async (...args) => (await store()).answerDrop(...args);
