import type { JsonSchema } from './json-schema.ts';

export type TestDescription = { name?: string; params?: Readonly<Record<string, unknown>> | undefined };

type Keywords = (params: Readonly<Record<string, unknown>>) => JsonSchema;

/** What yup's own tests mean, by the type they are on. */
const standardTests: Readonly<Record<string, Readonly<Record<string, Keywords>>>> = {
  string: {
    // yup calls an empty string missing.
    required: () => ({ minLength: 1 }),
    length: ({ length }) => ({ minLength: length, maxLength: length }),
    min: ({ min }) => ({ minLength: min }),
    max: ({ max }) => ({ maxLength: max }),
    matches: ({ regex }) => ({ pattern: patternOf(regex) }),
  },
  number: {
    min: ({ min, more }) => (more === undefined ? { minimum: min } : { exclusiveMinimum: more }),
    max: ({ max, less }) => (less === undefined ? { maximum: max } : { exclusiveMaximum: less }),
  },
  array: {
    length: ({ length }) => ({ minItems: length, maxItems: length }),
    min: ({ min }) => ({ minItems: min }),
    max: ({ max }) => ({ maxItems: max }),
    distinct: () => ({ uniqueItems: true }),
  },
  object: {
    noUnknown: () => ({ additionalProperties: false }),
  },
};

/** Tests whose keywords stand in their schema's `meta().json`. */
const testsShownByMeta: ReadonlySet<string> = new Set([
  'calendar-date',
  'closed',
  'destination',
  'integer',
  'not-blank',
  'reminder-time',
  'scope',
  'text-length',
  'timestamp',
  'uuid',
]);

/** Tests between fields, which no keyword can express; the field's description says them. */
const testsSaidInWords: ReadonlySet<string> = new Set(['weekly-only']);

/** The keywords that stand for a test. Throws on a test that nothing here knows: the document would leave it out. */
export function keywordsOfTest(
  type: string,
  { name = '', params = {} }: TestDescription,
  hasJson: boolean,
): JsonSchema {
  const standard = standardTests[type]?.[name];
  if (standard !== undefined) return standard(params);
  if (testsSaidInWords.has(name)) return {};
  if (!testsShownByMeta.has(name))
    throw new Error(`the test «${name}» on a ${type} is unknown; add it to known-tests.ts`);
  if (!hasJson) throw new Error(`the test «${name}» needs its JSON Schema keywords in meta({ json })`);
  return {};
}

/** JSON Schema patterns carry no flags; those of Unicode are implied (2020-12 §6.4), others would be lost. */
function patternOf(regex: unknown): string {
  if (!(regex instanceof RegExp)) throw new Error('a matches test without a regular expression');
  if (/[^uvdg]/.test(regex.flags)) throw new Error(`the flags of ${regex} can’t be shown`);
  return regex.source;
}
