/** Runs the stages of training that are stale. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const STAGES = ['fetch', 'pairs', 'dataset', 'train', 'export'] as const;
export type StageName = (typeof STAGES)[number];

export interface Stage {
  name: StageName;
  /** Files that the stage reads, other than the results of earlier stages. */
  inputs: readonly string[];
  outputs: readonly string[];
  /** Settings that the result depends on; a change makes the stage stale. */
  settings: unknown;
  run(): Promise<void> | void;
}

/**
 * Runs stale stages up to `to`; a stage is also stale if the one before it ran. With `from`, runs that stage and all
 * later ones. Returns the names of the stages that ran.
 */
export async function runStages(
  stages: readonly Stage[],
  { cache, from, to }: { cache: string; from: StageName | null; to: StageName },
): Promise<StageName[]> {
  const ran: StageName[] = [];
  for (const [index, stage] of stages.entries()) {
    if (STAGES.indexOf(stage.name) > STAGES.indexOf(to)) break;
    if (from !== null && STAGES.indexOf(stage.name) < STAGES.indexOf(from)) continue;
    const before = index === 0 ? null : markOf(cache, stages[index - 1].name);
    if (from === null && isFresh(stage, markOf(cache, stage.name), before)) {
      console.log(`${stage.name}: up to date`);
      continue;
    }
    console.log(`${stage.name}:`);
    await runStage(stage, markOf(cache, stage.name));
    ran.push(stage.name);
  }
  return ran;
}

async function runStage(stage: Stage, mark: string): Promise<void> {
  rmSync(mark, { force: true });
  await stage.run();
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, settingsText(stage));
}

/** Mark file, written when a stage has succeeded; its age is the age of the result. */
function markOf(cache: string, name: StageName): string {
  return join(cache, 'stages', `${name}.json`);
}

function isFresh(stage: Stage, mark: string, before: string | null): boolean {
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== settingsText(stage)) return false;
  const made = statSync(mark).mtimeMs;
  const inputs = before === null ? stage.inputs : [...stage.inputs, before];
  return (
    inputs.every((path) => existsSync(path) && statSync(path).mtimeMs <= made) &&
    stage.outputs.every((path) => existsSync(path))
  );
}

function settingsText({ settings }: Stage): string {
  return `${JSON.stringify(settings, null, 1)}\n`;
}
