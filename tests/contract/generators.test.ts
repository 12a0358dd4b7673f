import test from 'ava';
import fc from 'fast-check';
import type { OpenApiDocument } from '#tests/support/openapi-document.ts';
import { createSchemaCheck } from '#tests/support/schema-check.ts';
import { createResolver, type Schema } from './json-schema.ts';
import { validValues } from './schema-arbitrary.ts';
import { violationSites } from './violation-sites.ts';

const nested: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 3, pattern: '\\P{White_Space}' },
    rule: { anyOf: [{ $ref: '#/components/schemas/Rule' }, { type: 'null' }] },
    tags: { type: ['array', 'null'], maxItems: 4, items: { $ref: '#/components/schemas/Tag' } },
    day: { type: ['string', 'null'], format: 'date' },
    id: { type: 'string', format: 'uuid' },
    time: { type: 'string', pattern: '^[0-2][0-9]$' },
  },
  required: ['name', 'rule'],
  additionalProperties: false,
};
const rule: Schema = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['daily', 'weekly'] },
    every: { type: 'integer', minimum: 1, maximum: 9 },
    days: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      items: { type: 'string', enum: ['a', 'b'] },
    },
  },
  required: ['kind'],
  additionalProperties: false,
  minProperties: 1,
};
const tag: Schema = {
  type: 'object',
  properties: { title: { type: 'string', minLength: 1, maxLength: 2 }, done: { type: 'boolean' } },
  required: ['title'],
  additionalProperties: false,
};
const document = {
  paths: {},
  components: { schemas: { Nested: nested, Rule: rule, Tag: tag } },
} as OpenApiDocument;
const resolve = createResolver(document);
const check = createSchemaCheck(document);
const pointer = '/components/schemas/Nested';
const values = validValues(nested, { resolve, choose: () => undefined });

test('what is made as valid obeys the schema, as a validator of its own reads it', (t) => {
  fc.assert(
    fc.property(values, (value) => {
      t.deepEqual(check(pointer, value), []);
    }),
    { numRuns: 500, seed: 1 },
  );
});

test('what is made as invalid breaks the schema, wherever the breach is', (t) => {
  // The year 0 is a date to RFC 3339 and none to the service.
  const isYearZero = (value: unknown): boolean => JSON.stringify(value)?.includes('0000-01-01');
  const sites = violationSites(nested, resolve, false).filter((site) => !isYearZero(site.break({})));
  fc.assert(
    fc.property(values, fc.constantFrom(...sites), (value, site) => {
      t.not(check(pointer, site.break(value)).length, 0, `${site.kind} of ${site.member}`);
    }),
    { numRuns: 1_000, seed: 1 },
  );
});

test('every keyword of the schema is broken somewhere', (t) => {
  const sites = violationSites(nested, resolve, true);
  const kinds = new Set(sites.map(({ kind, member }) => `${member}: ${kind}`));
  const wanted = [
    ...[
      ': wrong type',
      'unknown: unknown member',
      'name: required member missing',
      'name: too long',
      'name: too short',
    ],
    ...[
      'name: blank',
      'name: U+0000',
      'name: lone surrogate',
      'rule: required member missing',
      'rule: unknown member',
    ],
    ...[
      'rule: no value of the enumeration',
      'rule: out of range',
      'rule: no integer in range',
      'rule: repeated item',
    ],
    ...[
      'rule: too few items',
      'rule: too many items',
      'tags: too many items',
      'tags: wrong type',
      'day: malformed',
    ],
    ...['id: malformed', 'id: null where not allowed', 'time: not of the pattern', 'tags: too long'],
  ];
  t.deepEqual(
    wanted.filter((kind) => !kinds.has(kind)),
    [],
  );
});

test('texts reach the greatest length in code points, and never pass it', (t) => {
  const texts = fc.sample(
    validValues({ type: 'string', maxLength: 1_024 }, { resolve, choose: () => undefined }),
    300,
  );
  const lengths = texts.map((text) => [...String(text)].length);
  t.is(Math.max(...lengths), 1_024);
  t.true(texts.some((text) => String(text).length === 2_048));
});

test('a keyword that the fuzzer does not know is an error, not a rule less', (t) => {
  const strange = { type: 'string', contentEncoding: 'base64' } as Schema;
  t.throws(() => resolve(strange), { message: /contentEncoding/ });
});
