import { type ResolveSchema, type Schema, typesOf, withoutNull } from './json-schema.ts';

/** One way to break one rule of a schema, in a value that obeys all others. */
export type ViolationSite = {
  kind: string;
  /** The member of the whole that is broken; '' for the whole itself. */
  member: string;
  break(valid: unknown): unknown;
};

type Place = { member: string; replace(whole: unknown, broken: unknown): unknown };
type Breach = { kind: string; value: unknown };

const ofEachType: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 7,
  boolean: true,
  null: null,
  array: ['text'],
  object: { text: 'text' },
};
const badUuids = ['', 'text', '{3f2a7c1e-5b0d-4c39-9a53-0b8b1a6d1c11}', '3f2a7c1e5b0d4c399a530b8b1a6d1c11'];
const badFormats: Readonly<Record<string, readonly string[]>> = {
  uuid: [
    ...badUuids,
    'urn:uuid:3f2a7c1e-5b0d-4c39-9a53-0b8b1a6d1c11',
    '3f2a7c1e-5b0d-4c39-9a53-0b8b1a6d1c1g',
  ],
  date: [
    ...[
      '',
      '2026-02-30',
      '2025-02-29',
      '2026-13-01',
      '2026-00-10',
      '20261121',
      '2026-1-1',
      '0000-01-01',
      '10000-01-01',
    ],
    ...[
      'infinity',
      'today',
      '2026-11-21T00:00:00Z',
      ' 2026-11-21',
      '2026-11-21 ',
      '-2026-11-21',
      '２０２６-11-21',
    ],
  ],
  'date-time': [
    ...[
      'now',
      '2026-11-21',
      '2026-11-21T08:00:00',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '1e9',
      '1763712000',
    ],
    ...[
      '2026-11-21T25:00:00Z',
      '2026-11-21T08:61:00Z',
      '2026-11-21T08:00:00+25:00',
      'Sat, 21 Nov 2026 08:00:00 GMT',
    ],
  ],
};

/**
 * Every breach the schema knows, at every place below it. `keepsText`: texts are stored as sent, so that U+0000 and
 * lone surrogates, which JSON can carry and PostgreSQL cannot, are refused.
 */
export function violationSites(schema: Schema, resolve: ResolveSchema, keepsText: boolean): ViolationSite[] {
  const whole: Place = { member: '', replace: (_whole, broken) => broken };
  return sitesBelow(schema, resolve, whole, keepsText);
}

function sitesBelow(
  schema: Schema,
  resolve: ResolveSchema,
  place: Place,
  keepsText: boolean,
): ViolationSite[] {
  const full = resolve(schema);
  const own = breachesOf(full, resolve, keepsText).map(({ kind, value }) => siteAt(place, kind, value));
  const bare = resolve(withoutNull(full, resolve));
  return [
    ...own,
    ...memberSites(bare, resolve, place, keepsText),
    ...itemSites(bare, resolve, place, keepsText),
  ];
}

function siteAt({ member, replace }: Place, kind: string, value: unknown): ViolationSite {
  return { kind, member, break: (valid) => replace(valid, value) };
}

function memberSites(
  schema: Schema,
  resolve: ResolveSchema,
  place: Place,
  keepsText: boolean,
): ViolationSite[] {
  const { properties, required = [], additionalProperties, minProperties = 0 } = schema;
  if (properties === undefined) return [];
  const smallest = smallestValue(schema, resolve);
  const change = (alter: (members: Record<string, unknown>) => void) => (valid: unknown) => {
    const members = { ...(smallest as object), ...(place.member === '' ? (valid as object) : {}) };
    alter(members);
    return place.replace(valid, members);
  };
  const memberOf = (name: string): string => place.member || name;
  const missing = required.map((name) => ({
    kind: 'required member missing',
    member: memberOf(name),
    break: change((members) => delete members[name]),
  }));
  const unknown = ['unknown', '__proto__', 'constructor', 'Title', 'id\u0000'].map((name) => ({
    kind: 'unknown member',
    member: name.endsWith('\u0000') ? '' : memberOf(name),
    // Assigned, `__proto__` would become the object's prototype instead of a member.
    break: change((members) => Object.defineProperty(members, name, { value: 'text', enumerable: true })),
  }));
  const below = Object.entries(properties).flatMap(([name, member]) => {
    const replace = (whole: unknown, broken: unknown) =>
      change((members) => Object.assign(members, { [name]: broken }))(whole);
    return sitesBelow(member, resolve, { member: memberOf(name), replace }, keepsText);
  });
  const none = minProperties > 0 ? [siteAt(place, 'too few members', {})] : [];
  return [...missing, ...(additionalProperties === false ? unknown : []), ...none, ...below];
}

function itemSites(
  schema: Schema,
  resolve: ResolveSchema,
  place: Place,
  keepsText: boolean,
): ViolationSite[] {
  const { items, minItems = 0, maxItems, uniqueItems } = schema;
  if (items === undefined) return [];
  const item = smallestValue(items, resolve);
  const list = (length: number) => Array.from({ length }, () => item);
  const below = sitesBelow(
    items,
    resolve,
    { ...place, replace: (whole, broken) => place.replace(whole, [broken]) },
    keepsText,
  );
  return [
    ...(minItems > 0 ? [siteAt(place, 'too few items', list(minItems - 1))] : []),
    ...(maxItems === undefined ? [] : [siteAt(place, 'too many items', list(maxItems + 1))]),
    ...(uniqueItems ? [siteAt(place, 'repeated item', list(2))] : []),
    ...below,
  ];
}

function breachesOf(schema: Schema, resolve: ResolveSchema, keepsText: boolean): Breach[] {
  const types = typesOf(schema, resolve);
  const allowed = new Set(types.includes('number') ? [...types, 'integer'] : types);
  const wrongTypes = Object.entries(ofEachType)
    .filter(([type]) => !allowed.has(type))
    .map(([type, value]) => ({ kind: type === 'null' ? 'null where not allowed' : 'wrong type', value }));
  const bare = withoutNull(schema, resolve);
  return [
    ...wrongTypes,
    ...(types.includes('string') ? textBreaches(bare, keepsText) : []),
    ...numberBreaches(bare),
  ];
}

function textBreaches(
  { minLength, maxLength, enum: allowed, format, pattern }: Schema,
  keepsText: boolean,
): Breach[] {
  const breaches = (kind: string, values: readonly unknown[]): Breach[] =>
    values.map((value) => ({ kind, value }));
  if (allowed)
    return breaches('no value of the enumeration', [
      'nonsense',
      `${allowed[0]} `,
      String(allowed[0]).toUpperCase(),
      '',
    ]);
  if (format) return breaches('malformed', badFormats[format] ?? []);
  if (pattern?.startsWith('^'))
    return breaches('not of the pattern', ['', 'ümlaut', ' ', '24:00', '9:30', '09:30:00', '09:30\n']);
  const long =
    maxLength === undefined ? [] : ['x', '日', '\u{1f600}', '\u0301'].map((one) => one.repeat(maxLength + 1));
  return [
    ...breaches('too long', long),
    ...breaches('too short', minLength ? [''] : []),
    ...breaches('blank', pattern ? [' ', '\t\n', '\u3000\u00a0\u2028'] : []),
    ...(keepsText ? breaches('U+0000', ['\u0000', 'a\u0000b']) : []),
    ...(keepsText ? breaches('lone surrogate', ['\ud800', 'a\udc00b', '\udc00\ud800']) : []),
  ];
}

function numberBreaches({ type, minimum, maximum }: Schema): Breach[] {
  if (![type].flat().includes('integer')) return [];
  const beyond = [minimum === undefined ? [] : minimum - 1, maximum === undefined ? [] : maximum + 1].flat();
  const fractions = [1.5, 1e300].map((value) => ({ kind: 'no integer in range', value }));
  return [...beyond.map((value) => ({ kind: 'out of range', value })), ...fractions];
}

/** The value with the required members alone and the shortest texts. */
function smallestValue(schema: Schema, resolve: ResolveSchema): unknown {
  const bare = withoutNull(resolve(schema), resolve);
  if (bare.enum) return bare.enum[0];
  if (bare.properties) {
    const required = bare.required ?? [];
    return Object.fromEntries(
      required.map((name) => [name, smallestValue(bare.properties?.[name] ?? {}, resolve)]),
    );
  }
  return ofEachType[[bare.type ?? 'string'].flat()[0] ?? 'string'];
}
