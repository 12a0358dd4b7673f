import type { Environment } from '#shared/config/read-env.ts';

export type OptionSpecification = {
  /** Placeholder of the value in the help; undefined for a flag. */
  value?: string;
  description: string;
  isRequired?: boolean;
};

/** The given options by name; `get` throws a UsageError if the option is missing. */
export type OptionValues = {
  get(name: string): string;
  find(name: string): string | undefined;
  has(flag: string): boolean;
};

/** The instance that a command works on. Throws an Error for what is unavailable. */
export type Instance = {
  databaseUrl: string;
  /** For commands that revoke; they wait if Redis does not confirm. */
  stores: { databaseUrl: string; redisUrl: string | undefined; waitsAlways: boolean };
  keyEncryptionSecret(): string;
  baseUrl(): string;
  /** Standard input, without the final line break. */
  standardInput(): Promise<string>;
  /** For readers of the services' settings. */
  environment: Environment;
};

export type Command = {
  /** Two words: object and action. */
  name: string;
  summary: string;
  options: Readonly<Record<string, OptionSpecification>>;
  example: string;
  exampleAnswer: string;
  /** Undefined: the command wrote its output itself. */
  run(values: OptionValues, instance: Instance): Promise<unknown>;
};

/** An invalid command line. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
