import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import test from 'ava';
import { type AnySchema, array, date, number, object, string } from 'yup';
import {
  createSchemaMapper,
  type JsonSchema,
  UnmappableSchemaError,
} from '#resource-api/openapi/yup-to-json-schema.ts';
import {
  calendarDate,
  closedObject,
  enumeration,
  flag,
  integer,
  listOf,
  reminderTime,
  text,
  timestamp,
  title,
  uuid,
} from '#shared/validation/fields.ts';

function map(schema: AnySchema): JsonSchema {
  return createSchemaMapper().schemaOf(schema.describe(), 'value');
}

const unmappable: Record<string, [AnySchema, RegExp]> = {
  'a test it does not know': [
    string().test('even', 'odd', () => true),
    /value: the test «even» on a string needs/,
  ],
  'a transformation': [string().trim(), /the test «trim» on a string/],
  'a type it does not know': [date(), /the type «date» can’t be shown/],
  'a pattern with flags': [string().matches(/^a$/i), /flags/],
  'a list of anything': [array(), /value\[\]: not a plain schema/],
  'a member deep inside': [
    object({ a: listOf(object({ b: date() }), 1) }),
    /^value\.a\[\]\.b: the type «date»/,
  ],
};

for (const [what, [schema, message]] of Object.entries(unmappable)) {
  test(`the mapper refuses ${what}`, (t) => {
    t.throws(() => map(schema), { instanceOf: UnmappableSchemaError, message });
  });
}

test('two different schemas can’t share a name', (t) => {
  const mapper = createSchemaMapper();
  mapper.schemaOf(string().meta({ schemaName: 'Name' }).describe(), 'first');
  t.throws(() => mapper.schemaOf(number().meta({ schemaName: 'Name' }).describe(), 'second'), {
    instanceOf: UnmappableSchemaError,
    message: /^Name: two different schemas/,
  });
});

/** Values around the edges of each field: yup and JSON Schema must agree on every one. */
const fields: Record<string, [AnySchema, unknown[]]> = {
  title: [title(3), ['a', 'abc', 'abcd', '😀😀😀', '😀😀😀😀', '', ' ', '\u2003', ' a ', null, 1]],
  text: [text(3).nullable(), ['', 'abc', '😀😀😀', 'abcd', null, false]],
  uuid: [
    uuid(),
    ['0d5f3c5e-6f0b-4c39-9a53-0b8b1a6d1c11', '0D5F3C5E-6F0B-4C39-9A53-0B8B1A6D1C11', 'x', '', null],
  ],
  calendarDate: [
    calendarDate().nullable(),
    ['2026-02-28', '2026-02-29', '2028-02-29', '2026-13-01', '2026-1-1', '2026-01-01T00:00:00Z', '', null],
  ],
  reminderTime: [reminderTime(), ['00:00', '23:59', '24:00', '9:30', '09:30:00', '09:60', '']],
  timestamp: [
    timestamp(),
    ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.123+01:00', '2026-11-21T08:00:00', '2026-11-21', 'x', 0],
  ],
  enumeration: [enumeration(['a', 'b']).nullable(), ['a', 'b', 'c', '', null]],
  flag: [flag(), [true, false, 'true', 0, null]],
  integer: [integer(1, 9), [1, 9, 0, 10, 1.5, '1', null]],
  list: [listOf(flag(), 2), [[], [true], [true, false], [true, true, true], [1], {}, null]],
  'closed object': [
    closedObject({ a: flag().defined(), b: text(1) }),
    [{ a: true }, { a: true, b: 'b' }, { a: true, c: 1 }, { b: 'b' }, {}, [], null],
  ],
};

const formats = { ...fullFormats, uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i };

for (const [name, [schema, values]] of Object.entries(fields)) {
  test(`the documented ${name} allows exactly what the service accepts`, (t) => {
    const validate = new Ajv2020({ formats }).compile(map(schema));
    const accepted = values.filter((value) => schema.isValidSync(value, { strict: true }));
    t.deepEqual(
      values.filter((value) => validate(value)),
      accepted,
    );
    t.true(accepted.length > 0 && accepted.length < values.length);
  });
}
