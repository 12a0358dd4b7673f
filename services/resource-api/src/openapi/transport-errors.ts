import { type Refusal, refusals } from '#shared/http/malformed-request.ts';
import { errorResponse } from './error-responses.ts';
import { unlimitedHeadersWith } from './response-headers.ts';

type JsonObject = Record<string, unknown>;

/** What may be answered before it is known which operation a request is for, in the API's shape whatever its path. */
export const transportErrors = {
  RequestTimeout: refusals.late,
  RequestHeadTooLong: refusals.longHead,
} satisfies Record<string, Refusal>;

export const transportErrorComponents: JsonObject = Object.fromEntries(
  Object.entries(transportErrors).map(([name, { fault }]) => [
    name,
    {
      ...errorResponse(['validation_error'], unlimitedHeadersWith, { request: [fault] }),
      description: `\`validation_error\` on \`request\`: ${fault} The connection ends with this answer.`,
    },
  ]),
);

const references = Object.fromEntries(
  Object.entries(transportErrors).map(([name, { status }]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]),
);

/** `paths` with these answers on each of their operations. */
export function withTransportErrors(paths: Record<string, JsonObject>): Record<string, JsonObject> {
  const complete = (item: unknown): unknown =>
    item instanceof Object && 'responses' in item
      ? { ...item, responses: { ...Object(item.responses), ...references } }
      : item;
  const completeItem = (item: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(item).map(([name, member]) => [name, complete(member)]));
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, completeItem(item)]));
}
