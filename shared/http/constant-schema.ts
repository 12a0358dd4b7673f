/**
 * The JSON Schema of a constant. Client generators know `const` for scalars only, so an array is described by
 * its entries and their number.
 */
export function constantSchema(value: string | boolean | readonly string[]): object {
  if (typeof value === 'string') return { type: 'string', const: value };
  if (typeof value === 'boolean') return { type: 'boolean', const: value };
  return {
    type: 'array',
    items: { type: 'string', enum: value },
    minItems: value.length,
    maxItems: value.length,
    uniqueItems: true,
  };
}
