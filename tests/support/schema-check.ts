import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { OpenApiDocument } from './openapi-document.ts';

/** Errors of a value against the schema at a pointer of the document; none if it is valid. */
export type SchemaCheck = (pointer: string, value: unknown) => string[];

const documentId = 'openapi.json';

const formats = {
  ...fullFormats,
  // The library accepts a URN as a UUID, and any offset as UTC.
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
};

export function createSchemaCheck(document: OpenApiDocument): SchemaCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
  ajv.addSchema(closed(document), documentId, false, false);
  return (pointer, value) => {
    const reference = `${documentId}#${pointer.split('/').map(encodeURIComponent).join('/')}`;
    const validate = ajv.getSchema(reference);
    if (validate === undefined) throw new Error(`the document has no schema at ${pointer}`);
    validate(value);
    return (validate.errors ?? []).map((error) => {
      const unknownMember: unknown = error.params.additionalProperty ?? error.params.unevaluatedProperty;
      const place = error.instancePath || 'the whole';
      return `${place} ${error.message}${unknownMember === undefined ? '' : `: ${String(unknownMember)}`}`;
    });
  };
}

/** A copy whose objects allow no further members: the service must send only what it documents. */
function closed(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    value instanceof Object && 'properties' in value && 'type' in value
      ? { additionalProperties: false, ...value }
      : value,
  );
}
