import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { words } from '#tests/support/words.ts';
import { connectAssistant, type JsonSchema, type OfferedTool } from './assistant-client.ts';
import { readingTools } from './desk.ts';
import { postMessage } from './raw-message.ts';

const stack = await startStack(undefined);

const { token } = await stack.newClient();

const tools = await (await connectAssistant(stack.baseUrl, token.secret)).listTools();

// Once a hook is declared, ava does not wait for what this file prepares.
test.after.always(() => stack.close());

/** What model providers take in tool schemas without exception. */
const commonKeywords = new Set(
  'type description properties required items enum additionalProperties minimum maximum maxItems'.split(' '),
);

for (const { name, inputSchema, outputSchema } of tools) {
  test(`the input of ${name} is closed, described, and in keywords that every model provider takes; its output is outlined`, (t) => {
    t.deepEqual(faultsOf(inputSchema, 'input', true), []);
    t.is(outputSchema?.type, 'object');
    for (const member of Object.values(outputSchema?.properties ?? {}))
      t.deepEqual(Object.keys(member), ['type']);
  });
}

test('every tool has a name, a title, a description and hints that fit what it does', (t) => {
  for (const tool of tools) {
    t.regex(tool.name, /^[a-z]+(_[a-z]+)*$/);
    t.truthy(tool.title);
    t.true((tool.description ?? '').length > 40 && (tool.description ?? '').length < 500, tool.name);
  }
  const hinting = (hint: string) =>
    tools
      .filter((tool) => tool.annotations?.[hint] === true)
      .map(nameOf)
      .toSorted();
  t.deepEqual(hinting('readOnlyHint'), readingTools);
  t.deepEqual(
    hinting('destructiveHint'),
    words(`change_tasks edit_checklists save_area save_project save_section set_project_status
      set_task_status skip_occurrence trash_tasks undo`),
  );
  t.deepEqual(hinting('openWorldHint'), []);
  t.deepEqual(
    hinting('idempotentHint'),
    words('move_tasks reschedule_tasks restore_project restore_tasks set_project_status trash_tasks'),
  );
  for (const { annotations } of tools) {
    t.is(annotations?.openWorldHint, false);
    t.is(annotations?.readOnlyHint, annotations?.destructiveHint === undefined);
  }
});

test('the tools together stay small enough to be sent with every question', async (t) => {
  const { text } = await postMessage(stack.baseUrl, token.secret, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
  });
  t.true(text.includes('"find_tasks"'));
  t.true(Buffer.byteLength(text) <= 24_000, `${Buffer.byteLength(text)} bytes`);
});

function nameOf({ name }: OfferedTool): string {
  return name;
}

function faultsOf(schema: JsonSchema, place: string, isRoot = false): string[] {
  const { $schema: _, ...keywords } = schema;
  const faults = Object.keys(keywords)
    .filter((keyword) => !commonKeywords.has(keyword))
    .map((keyword) => `${place}: ${keyword}`);
  if (typeof schema.type !== 'string' || schema.type === 'null') faults.push(`${place}: type ${schema.type}`);
  if (!isRoot && !place.endsWith('[]') && !schema.description) faults.push(`${place}: no description`);
  if (schema.type === 'object' && schema.additionalProperties !== false) faults.push(`${place}: open`);
  if (schema.items) faults.push(...faultsOf(schema.items, `${place}[]`));
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    faults.push(...faultsOf(member, `${place}.${name}`));
  }
  return faults;
}
