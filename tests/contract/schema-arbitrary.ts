import fc from 'fast-check';
import { words } from '#tests/support/words.ts';
import { type ResolveSchema, type Schema, typesOf, withoutNull } from './json-schema.ts';

/** Unusual and legal: what text means to Unicode, Markdown, HTML, SQL, URLs and terminals. */
const pieces = [
  ...'aZ0 .-_*`#|\\"\'%',
  ...'\n\t\u0001\u007f\u0085\u00a0\u200b\u200d\u2028\u202e\ufeff\ufffd\uffff\ufdd0',
  ...'éßİﷺı\u0300\u0e33\u{1d4b3}\u{1f600}\u{10ffff}',
  ...words('[x](http://a.example) <b> &amp; %00 $1 {{ null undefined __proto__ 日本 👨‍👩‍👧 e\u0301'),
  '\r\n',
  '-- ',
];
/** Code points of one to four bytes; often the kind that is two code units, where counting goes wrong. */
const fillers = ['x', 'é', '日', '\u{1f600}', '\u{10ffff}', '\u0301'];

/** Longer texts cost too much to be sent often. */
const cheapLength = 2_000;
const usualPieces = 12;

type TextLengths = {
  minimumLength?: number;
  maximumLength?: number;
};

/** Text without U+0000 and lone surrogates, often at the bounds of its length. Lengths count code points. */
function texts({ minimumLength = 0, maximumLength = 300 }: TextLengths): fc.Arbitrary<string> {
  const short = fc
    .array(fc.constantFrom(...pieces), { minLength: minimumLength, maxLength: usualPieces })
    .map((chosen) => [...chosen.join('')].slice(0, maximumLength).join(''));
  const ofLength = (length: number) => fc.constantFrom(...fillers).map((filler) => filler.repeat(length));
  const isCheap = maximumLength <= cheapLength;
  return fc.oneof(
    { arbitrary: short, weight: 16 },
    {
      arbitrary: fc.constantFrom(...pieces).map((piece) => [...piece].slice(0, maximumLength).join('')),
      weight: 8,
    },
    { arbitrary: ofLength(minimumLength), weight: 2 },
    { arbitrary: ofLength(maximumLength), weight: isCheap ? 6 : 1 },
    { arbitrary: ofLength(Math.max(minimumLength, maximumLength - 1)), weight: isCheap ? 1 : 0 },
  );
}

type ArbitraryContext = {
  resolve: ResolveSchema;
  /** Stands for what the schema of a member of this name would give; undefined: as the schema says. */
  choose(name: string, schema: Schema): fc.Arbitrary<unknown> | undefined;
};

const dates = [
  '0001-01-01',
  '9999-12-31',
  '1582-10-10',
  '1900-02-28',
  '2000-02-29',
  '2024-02-29',
  '2026-12-31',
];
const instants = [
  ...[
    '0001-01-01T00:00:00Z',
    '1970-01-01T00:00:00.000Z',
    '2026-11-21T08:00:00.123456789Z',
    '2016-02-29T23:59:59-00:00',
  ],
  ...[
    '9999-12-31T23:59:59.999Z',
    '2026-11-21T08:00:00+05:45',
    '2026-03-29T02:30:00+14:00',
    '2026-10-25T02:30:00-12:00',
  ],
];
const likelyNull = 6;

/** Values that the schema allows, its bounds among them more often than chance would have it. */
export function validValues(schema: Schema, context: ArbitraryContext, name = ''): fc.Arbitrary<unknown> {
  const resolved = context.resolve(schema);
  const chosen = context.choose(name, resolved);
  if (chosen !== undefined) return chosen;
  if (resolved.enum) return fc.constantFrom(...resolved.enum);
  const types = typesOf(resolved, context.resolve);
  if (types.includes('null')) {
    const rest = validValues(withoutNull(resolved, context.resolve), context, name);
    return fc.oneof({ arbitrary: rest, weight: likelyNull }, { arbitrary: fc.constant(null), weight: 1 });
  }
  return fc.oneof(...types.map((type) => valuesOfType(type, resolved, context)));
}

function valuesOfType(type: string, schema: Schema, context: ArbitraryContext): fc.Arbitrary<unknown> {
  if (type === 'object') return objects(schema, context);
  if (type === 'array') return arrays(schema, context);
  if (type === 'string') return strings(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return integers(schema);
  throw new Error(`the fuzzer makes no values of type ${type}`);
}

function objects(schema: Schema, context: ArbitraryContext): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], minProperties = 0 } = schema;
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    validValues(member, context, name),
  ]);
  return fc
    .record<Record<string, unknown>>(Object.fromEntries(members), {
      requiredKeys: [...required],
      noNullPrototype: true,
    })
    .filter((value) => Object.keys(value).length >= minProperties);
}

/** A list of the greatest length is long to send and to read: one in thirty. */
function arrays({ items = {}, minItems = 0, maxItems = 5, uniqueItems }: Schema, context: ArbitraryContext) {
  const item = validValues(items, context);
  const few = { minLength: minItems, maxLength: Math.min(maxItems, 5) };
  if (uniqueItems) return fc.uniqueArray(item, { minLength: minItems, maxLength: maxItems });
  const full = fc.array(item, { minLength: maxItems, maxLength: maxItems, size: 'max' });
  return fc.oneof({ arbitrary: fc.array(item, few), weight: 29 }, { arbitrary: full, weight: 1 });
}

function strings({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase()));
  if (format === 'date') return fc.oneof(fc.constantFrom(...dates), fc.date(inFourDigits).map(isoDate));
  if (format === 'date-time')
    return fc.oneof(fc.constantFrom(...instants), fc.date(inFourDigits).map(isoInstant));
  if (format === 'uri') return fc.webUrl();
  if (pattern?.startsWith('^')) return fc.stringMatching(new RegExp(pattern));
  const any = texts({ minimumLength: minLength, maximumLength: maxLength });
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return expression === undefined ? any : any.filter((text) => expression.test(text));
}

const inFourDigits = {
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
};
const isoDate = (date: Date): string => date.toISOString().slice(0, 10);
const isoInstant = (date: Date): string => date.toISOString();

function integers({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: Schema): fc.Arbitrary<number> {
  const bounds = fc.constantFrom(minimum, maximum, Math.min(minimum + 1, maximum));
  return fc.oneof(bounds, fc.integer({ min: minimum, max: Math.min(maximum, minimum + 40) }));
}
