export type Environment = Readonly<Record<string, string | undefined>>;

type IntegerRule = { fallback?: number; min: number; max: number };
/** Returns the error of a value, or undefined. */
type Check = (value: string) => string | undefined;
type TextRule = { fallback?: string; check?: Check };

export type EnvReader = ReturnType<typeof createEnvReader>;

/** Reads typed settings and collects every error; `finish` throws a ConfigError with all of them. */
export function createEnvReader(env: Environment) {
  const errors: string[] = [];
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;

  function checked(name: string, value: string, check?: Check): string {
    const error = check?.(value);
    if (error !== undefined) errors.push(`${name} ${error}`);
    return value;
  }

  function chosen<Choice extends string>(
    name: string,
    value: string,
    choices: readonly Choice[],
  ): Choice | undefined {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) errors.push(`${name} must be one of ${choices.join(', ')}`);
    return found;
  }

  return {
    text(name: string, rule: TextRule = {}): string {
      const value = given(name) ?? rule.fallback;
      if (value === undefined) {
        errors.push(`${name} must be set`);
        return '';
      }
      return checked(name, value, rule.check);
    },
    /** Undefined if it is not set. */
    optional(name: string, check: Check): string | undefined {
      const value = given(name);
      return value === undefined ? undefined : checked(name, value, check);
    },
    integer(name: string, { fallback, min, max }: IntegerRule): number {
      const text = given(name) ?? fallback?.toString();
      const value = text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) {
        errors.push(`${name} must be a whole number from ${min} to ${max}`);
        return min;
      }
      return value;
    },
    choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      return chosen(name, given(name) ?? fallback, choices) ?? fallback;
    },
    /** For a variable that a library reads itself: surrounding blanks are an error. */
    exactChoice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const value = given(name) === undefined ? fallback : (env[name] ?? fallback);
      return chosen(name, value, choices) ?? fallback;
    },
    list(name: string, check: Check): string[] {
      const entries = (given(name) ?? '').split(',').map((entry) => entry.trim());
      const present = entries.filter((entry) => entry !== '');
      for (const entry of present) {
        const error = check(entry);
        if (error !== undefined) errors.push(`${name}: ${entry} ${error}`);
      }
      return present;
    },
    finish(): void {
      if (errors.length > 0) throw new ConfigError(errors);
    },
  };
}

/** All configuration errors together, reported at startup. */
export class ConfigError extends Error {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(`The environment is not valid:\n${errors.map((error) => `  - ${error}`).join('\n')}`);
    this.name = 'ConfigError';
    this.errors = errors;
  }
}

/** The configuration errors that `read` throws. */
export function configErrorsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}

/** For programs: configuration errors are printed without a stack, and the process exits with 1. */
export function exitOnConfigError<Config>(read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
