/** The engine in memory, which is the oracle of the others. */
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { testContract } from './contract.js';
import { PROFILE } from './made.js';

testContract('memory', async () => {
  const engine = new MemoryEngine(PROFILE);
  return { engine, other: engine };
});
