type JsonObject = Record<string, unknown>;

/** What Node or a gateway responds before it has read a request. */
const transportErrors = [
  { status: 408, name: 'RequestTimeout', reason: 'The request did not arrive in time.' },
  { status: 431, name: 'RequestHeadTooLong', reason: 'The request line and the headers are too long.' },
];

export const transportErrorComponents: JsonObject = Object.fromEntries(
  transportErrors.map(({ name, reason }) => [
    name,
    { description: `${reason} The connection ends with this response, whose body may be empty.` },
  ]),
);

const references = Object.fromEntries(
  transportErrors.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
);

/** `paths` with these responses on each of their operations. */
export function withTransportErrors(paths: Record<string, JsonObject>): Record<string, JsonObject> {
  const complete = (item: unknown): unknown =>
    item instanceof Object && 'responses' in item
      ? { ...item, responses: { ...Object(item.responses), ...references } }
      : item;
  const completeItem = (item: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(item).map(([name, member]) => [name, complete(member)]));
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, completeItem(item)]));
}
