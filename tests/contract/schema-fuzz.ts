import type { OpenApiDocument } from '#tests/support/openapi-document.ts';
import type { Stack } from '#tests/support/stack.ts';
import { fuzzOperation, type OperationResult } from './fuzz-operation.ts';
import { createResolver } from './json-schema.ts';
import { listOperations, type Operation } from './operations.ts';

export type SchemaFuzzOptions = {
  seed: number;
  /** Of each operation. */
  validRuns: number;
  invalidRuns: number;
  /** Operations fuzzed at the same time. */
  lanes: number;
  /** Which operations; all of them, unless given. */
  only?: RegExp;
  report(result: OperationResult): void;
};

/** Fuzzes every operation of the document that the stack serves. */
export async function runSchemaFuzz(stack: Stack, options: SchemaFuzzOptions): Promise<OperationResult[]> {
  const { operations, resolve } = await readServedDocument(stack);
  const waiting = operations.filter(({ id }) => options.only?.test(id) ?? true);
  const results: OperationResult[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await fuzzOperation(next, { stack, resolve, ...options });
      results.push(result);
      options.report(result);
    }
  };
  await Promise.all(Array.from({ length: options.lanes }, lane));
  return results;
}

export async function readServedDocument(stack: Stack) {
  const documentUrl = `${stack.apiRoot}/openapi.json`;
  const document = (await (await fetch(documentUrl)).json()) as OpenApiDocument;
  const operations: Operation[] = listOperations(document, documentUrl);
  return { document, operations, resolve: createResolver(document) };
}
