import { runToItsEnd } from '#tests/support/run-suite.ts';
import { rehearsePreviousRelease } from './previous-release.ts';
import { type RehearsalCommand, readCommand } from './read-command.ts';
import { RehearsalRefused } from './rehearsal-refused.ts';
import { rehearseRestore } from './restore.ts';

/** `npm run rehearse`: see `usage`. Exit code 2 when there is nothing to rehearse. */
await runToItsEnd(async (interruption) => {
  try {
    return await rehearse(readCommand(process.argv.slice(2)), interruption);
  } catch (error) {
    if (!(error instanceof RehearsalRefused)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
});

function rehearse(command: RehearsalCommand, interruption: AbortSignal): Promise<number> {
  switch (command.rehearsal) {
    case 'restore':
      return rehearseRestore(command.files, interruption);
    case 'previous':
      return rehearsePreviousRelease(command, interruption);
  }
}
