import { spawn } from 'node:child_process';
import type { Environment } from '#shared/config/read-env.ts';
import { describeEnd, endOf } from './process-end.ts';
import { guardProcess } from './process-guardian.ts';

export type ProgramRequest = {
  entry: string;
  parameters?: readonly string[];
  environment: Environment;
  signal: AbortSignal;
  /** Is told what it says on its standard error while it runs; the error of a failure leaves that out then. */
  onErrorText?: (text: string) => void;
};

/** A program that ended with another code than 0; `output` is all it said, and nobody was told yet. */
export class ProgramFailedError extends Error {
  readonly output: string;

  constructor(entry: string, outcome: string, output: string) {
    super(`${entry} ${outcome}`);
    this.name = 'ProgramFailedError';
    this.output = output;
  }
}

/** Runs a program with this same Node to its end and gives back its standard output. */
export async function runProgram(request: ProgramRequest): Promise<string> {
  request.signal.throwIfAborted();
  const child = spawn(process.execPath, [request.entry, ...(request.parameters ?? [])], {
    detached: true,
    env: { ...request.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const ended = endOf(child);
  const release = child.pid === undefined ? undefined : guardProcess(child.pid, 'TERM');
  const abort = () => child.kill('SIGTERM');
  request.signal.addEventListener('abort', abort, { once: true });
  const spoken: string[] = [];
  const answer: string[] = [];
  const onErrorText = request.onErrorText ?? ((text: string) => spoken.push(text));
  child.stderr.setEncoding('utf8').on('data', onErrorText);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    spoken.push(text);
    answer.push(text);
  });
  try {
    const end = await ended;
    await closed;
    request.signal.throwIfAborted();
    if (end.code !== 0) throw new ProgramFailedError(request.entry, describeEnd(end), spoken.join('').trim());
    return answer.join('');
  } finally {
    release?.();
    request.signal.removeEventListener('abort', abort);
  }
}
