import { ConfigError } from './config-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type IntegerRule = { fallback?: number; min: number; max: number };
/** What is wrong with a value, or undefined. */
type Check = (value: string) => string | undefined;
type TextRule = { fallback?: string; check?: Check };

/** Reads typed settings and collects every fault; `finish` throws a ConfigError naming all of them. */
export type EnvReader = {
  text(name: string, rule?: TextRule): string;
  /** Undefined where it is not set. */
  optional(name: string, check: Check): string | undefined;
  integer(name: string, rule: IntegerRule): number;
  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice;
  /** For a variable that others read by themselves: as it stands, without any blanks around it. */
  exactChoice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice;
  list(name: string, check: Check): string[];
  finish(): void;
};

export function createEnvReader(env: Environment): EnvReader {
  const faults: string[] = [];
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;

  function checked(name: string, value: string, check?: Check): string {
    const fault = check?.(value);
    if (fault !== undefined) faults.push(`${name} ${fault}`);
    return value;
  }

  function chosen<Choice extends string>(
    name: string,
    value: string,
    choices: readonly Choice[],
  ): Choice | undefined {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) faults.push(`${name} must be one of ${choices.join(', ')}`);
    return found;
  }

  return {
    text(name, rule = {}) {
      const value = given(name) ?? rule.fallback;
      if (value === undefined) {
        faults.push(`${name} must be set`);
        return '';
      }
      return checked(name, value, rule.check);
    },
    optional(name, check) {
      const value = given(name);
      return value === undefined ? undefined : checked(name, value, check);
    },
    integer(name, { fallback, min, max }) {
      const text = given(name) ?? fallback?.toString();
      const value = text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) {
        faults.push(`${name} must be a whole number from ${min} to ${max}`);
        return min;
      }
      return value;
    },
    choice(name, choices, fallback) {
      return chosen(name, given(name) ?? fallback, choices) ?? fallback;
    },
    exactChoice(name, choices, fallback) {
      const value = given(name) === undefined ? fallback : (env[name] ?? fallback);
      return chosen(name, value, choices) ?? fallback;
    },
    list(name, check) {
      const entries = (given(name) ?? '').split(',').map((entry) => entry.trim());
      const present = entries.filter((entry) => entry !== '');
      for (const entry of present) {
        const fault = check(entry);
        if (fault !== undefined) faults.push(`${name}: ${entry} ${fault}`);
      }
      return present;
    },
    finish() {
      if (faults.length > 0) throw new ConfigError(faults);
    },
  };
}
