import { findScenarios } from './find-scenarios.ts';
import { MissingProgramError } from './missing-program.ts';
import type { ScenarioMessage } from './scenario-process.ts';

/*
 * Runs one scenario, named by the first argument, in a process of its own: whatever becomes of it, the processes it
 * started end with it.
 */
const id = process.argv[2];
const tell = (message: ScenarioMessage): void => {
  process.send?.(message);
};

// The runner is gone, or asks to end: so does everything that was started here.
process.once('disconnect', () => process.exit(1));
process.once('SIGTERM', () => process.exit(1));

const scenario = (await findScenarios()).find((candidate) => candidate.id === id);
if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
try {
  const outcome = await scenario.run((line) => tell({ kind: 'progress', line }));
  tell({ kind: 'outcome', outcome });
} catch (error) {
  if (error instanceof MissingProgramError) tell({ kind: 'not run', reason: error.message });
  else {
    tell({ kind: 'progress', line: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    tell({ kind: 'failed', reason: String(error).slice(0, 300) });
  }
}
// Lets the messages leave, then nothing that is left over keeps this process.
process.channel?.unref();
setTimeout(() => process.exit(0), 1_000).unref();
