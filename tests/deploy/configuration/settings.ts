import { isDeepStrictEqual } from 'node:util';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import type { Environment } from '#shared/config/read-env.ts';
import { variablesRead } from '#tests/architecture/environment-table.ts';

type ReadConfig = (environment: Environment) => object;

/** One variable as the services' own readers treat it. */
export type Setting = {
  name: string;
  services: string[];
  isRequired: boolean;
  /** As it would be written; undefined where there is none. */
  defaultValue: string | undefined;
  /** In the words of the error that refuses anything else. */
  accepts: string;
};

export const configReaders: Readonly<Record<string, ReadConfig>> = {
  'auth-server': readAuthServerConfig,
  'resource-api': readResourceApiConfig,
};

/** The least that both readers are content with. */
export const leastEnvironment: Environment = {
  BASE_URL: 'https://tasks.example.com',
  DATABASE_URL: 'postgres://database/service',
  REDIS_URL: 'redis://redis',
  KEY_ENCRYPTION_SECRET: 'x'.repeat(43),
  PORT: '8080',
  MANAGEMENT_PORT: '9090',
};

/** What the readers ask for, found out by asking them: what they refuse, and what a value changes. */
export function readSettings(): Setting[] {
  const services = Object.entries(configReaders);
  const names = variablesRead(services.map(([, read]) => read));
  return names.map((name) => {
    const own = services.filter(([, read]) => variablesRead([read]).includes(name));
    const read = own[0]?.[1] ?? readResourceApiConfig;
    const accepts = refusalOf(read, name);
    return {
      name,
      services: own.map(([service]) => service),
      isRequired: Object.hasOwn(leastEnvironment, name),
      defaultValue: Object.hasOwn(leastEnvironment, name) ? undefined : defaultOf(read, name, accepts),
      accepts,
    };
  });
}

/** What a value is told that nobody means; empty where anything goes. */
function refusalOf(read: ReadConfig, name: string): string {
  try {
    read({ ...leastEnvironment, [name]: '?' });
    return '';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, fault = ''] = new RegExp(`^ {2}- ${name}:? (.*)$`, 'm').exec(error.message) ?? [];
    return fault.replace(/^(must be|must have|\? is not) /, '');
  }
}

function defaultOf(read: ReadConfig, name: string, accepts: string): string | undefined {
  const [, choices] = /^one of (.+)$/.exec(accepts) ?? [];
  if (choices !== undefined) {
    const least = read(leastEnvironment);
    return choices
      .split(', ')
      .find((choice) => isDeepStrictEqual(read({ ...leastEnvironment, [name]: choice }), least));
  }
  const [one, other] = examplesOf(accepts);
  const configs = [
    leastEnvironment,
    ...[one, other].map((value) => ({ ...leastEnvironment, [name]: value })),
  ];
  const [least, first, second] = configs.map((environment) => leavesOf(read(environment)));
  const place = [...(first ?? [])].find(([key, value]) => second?.get(key) !== value)?.[0];
  if (place === undefined) throw new Error(`${name} changes nothing in the configuration`);
  const value = least?.get(place);
  if (value === undefined || value === '') return undefined;
  // Kept in another unit, perhaps: the example says how many of it one is.
  const scale = typeof value === 'number' ? Number(first?.get(place)) / Number(one) : 1;
  return typeof value === 'number' ? String(value / scale) : value;
}

/** Two values that are accepted. */
function examplesOf(accepts: string): [string, string] {
  const [, from, to] = /from (\d+) to (\d+)/.exec(accepts) ?? [];
  if (from !== undefined && to !== undefined) return [to, from];
  if (accepts.startsWith('a URL')) return ['http://one.example', 'http://two.example'];
  return ['10.0.0.1', '10.0.0.2'];
}

/** Every single value of a configuration with the way to it; lists as one. */
function leavesOf(value: unknown, place = ''): Map<string, string | number | undefined> {
  if (Array.isArray(value)) return new Map([[place, value.join(', ')]]);
  if (typeof value === 'object' && value !== null)
    return new Map(Object.entries(value).flatMap(([key, inner]) => [...leavesOf(inner, `${place}.${key}`)]));
  return new Map([[place, typeof value === 'number' ? value : value === undefined ? value : String(value)]]);
}
