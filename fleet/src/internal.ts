/**
 * Parts of git-socraticode that the fleet uses. The build replaces this module by the modules that the running program has
 * loaded, so that none is loaded twice.
 */

export * from '../../src/questions/fleet/internal.js';
