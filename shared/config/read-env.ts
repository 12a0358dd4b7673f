import { ConfigError } from './config-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type IntegerRule = { fallback?: number; min: number; max: number };
type TextRule = { fallback?: string; check?: (value: string) => string | undefined };

/** Reads typed settings and collects every fault; `finish` throws a ConfigError naming all of them. */
export type EnvReader = {
  text(name: string, rule?: TextRule): string;
  integer(name: string, rule: IntegerRule): number;
  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice;
  list(name: string, check: (entry: string) => string | undefined): string[];
  finish(): void;
};

export function createEnvReader(env: Environment): EnvReader {
  const faults: string[] = [];
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;

  return {
    text(name, rule = {}) {
      const value = given(name) ?? rule.fallback;
      if (value === undefined) {
        faults.push(`${name} must be set`);
        return '';
      }
      const fault = rule.check?.(value);
      if (fault !== undefined) faults.push(`${name} ${fault}`);
      return value;
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
      const value = given(name) ?? fallback;
      const chosen = choices.find((choice) => choice === value);
      if (chosen === undefined) faults.push(`${name} must be one of ${choices.join(', ')}`);
      return chosen ?? fallback;
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
