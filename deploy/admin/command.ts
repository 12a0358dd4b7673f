import type { Writable } from 'node:stream';
import type { Environment } from '#shared/config/read-env.ts';

export type OptionSpecification = {
  /** What stands for the value in the help; a flag has none. */
  value?: string;
  description: string;
  isRequired?: boolean;
};

/** The given options by name; `get` throws a UsageError when the option was not given. */
export type OptionValues = {
  get(name: string): string;
  find(name: string): string | undefined;
  has(flag: string): boolean;
};

/** The instance a command works on. What is not to be had throws an Error. */
export type Instance = {
  databaseUrl: string;
  /** For commands that end what tokens may do; they wait where Redis does not confirm it. */
  stores: { databaseUrl: string; redisUrl: string | undefined; waitsAlways: boolean };
  keyEncryptionSecret(): string;
  baseUrl(): string;
  /** What is piped in, without the line's end. */
  standardInput(): Promise<string>;
  /** For what is no line of JSON. */
  standardOutput: Writable;
  /** For what a service reads of it by itself. */
  environment: Environment;
};

export type Command = {
  /** Two words: what it is about, and what is done. */
  name: string;
  summary: string;
  options: Readonly<Record<string, OptionSpecification>>;
  example: string;
  exampleAnswer: string;
  /** Undefined: it has written its answer itself. */
  run(values: OptionValues, instance: Instance): Promise<unknown>;
};

/** The command line is not one we understand. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
