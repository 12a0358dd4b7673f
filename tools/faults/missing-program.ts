import { spawnSync } from 'node:child_process';

/** A program of this machine that a fault needs is not there: the fault was not tried. */
export class MissingProgramError extends Error {
  constructor(program: string) {
    super(`${program} is not installed here`);
    this.name = 'MissingProgramError';
  }
}

/** Throws MissingProgramError. */
export function requireProgram(program: string, versionArgument: string): void {
  if (spawnSync(program, [versionArgument], { stdio: 'ignore' }).status !== 0)
    throw new MissingProgramError(program);
}
