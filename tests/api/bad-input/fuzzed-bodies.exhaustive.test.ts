import test from 'ava';
import fc from 'fast-check';
import { AppError } from '#shared/errors/app-error.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { writeOperations } from '../matrix/request-fixtures.ts';

const withBody = writeOperations.flatMap(({ operationId, body }) => (body ? [{ operationId, body }] : []));

/** Names that mean something to JavaScript, to yup, or to the service. */
const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'length',
  'then',
  'toJSON',
  '${path}',
  '${value}',
  'title',
  'description',
  'checklist',
  'recurrence',
  'frequency',
  'weekdays',
  'dueDate',
  'projectId',
  'position',
  'id',
];

/** Objects as JSON.parse makes them: `__proto__` is a member like any other. */
const { hostile } = fc.letrec<{ hostile: unknown }>((tie) => ({
  hostile: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom<unknown>('2026-11-16', '09:30', 'daily', 'monday', 'project', '', ' ', null, -0, 1e300),
    fc.array(tie('hostile'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), tie('hostile')), {
        maxLength: 6,
        selector: ([name]) => name,
      })
      .map((members) => JSON.parse(toJson(members))),
  ),
}));

function toJson(members: readonly (readonly [string, unknown])[]): string {
  const texts = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${texts.join(',')}}`;
}

function ownNames(): string {
  return JSON.stringify(
    [Object.prototype, Array.prototype, Function.prototype].map(Object.getOwnPropertyNames),
  );
}

test('any JSON is accepted or refused by every body’s schema, and changes no object but its own', (t) => {
  const before = ownNames();
  const runs = Math.ceil(10_000 / withBody.length);
  for (const { operationId, body } of withBody) {
    fc.assert(
      fc.property(hostile, (value) => {
        const sent = JSON.stringify(value);
        try {
          validateInput(body, value, 'body');
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'validation_error') throw error;
          return Object.keys(error.errors ?? {}).length > 0 && JSON.stringify(value) === sent;
        }
        return JSON.stringify(value) === sent;
      }),
      { numRuns: runs },
    );
    t.is(ownNames(), before, operationId);
  }
  t.true(runs * withBody.length >= 10_000);
});
