import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { connectAssistant, type JsonSchema, type OfferedTool } from './assistant-client.ts';
import { readingTools } from './desk.ts';

const stack = await startStack(undefined);

const { token } = await stack.newClient();

const tools = await (await connectAssistant(stack.baseUrl, token.secret)).listTools();

// Once a hook is declared, ava does not wait for what this file prepares.
test.after.always(() => stack.close());

/** What model providers take in tool schemas without exception. */
const commonKeywords = new Set(
  'type description properties required items enum additionalProperties minimum maximum minItems maxItems minLength maxLength pattern'.split(
    ' ',
  ),
);

for (const { name, inputSchema, outputSchema } of tools) {
  test(`the schemas of ${name} are closed, described, and in keywords that every model provider takes`, (t) => {
    t.deepEqual(faultsOf(inputSchema, 'input', true), []);
    t.deepEqual(faultsOf(outputSchema ?? {}, 'output', true), []);
    t.is(outputSchema?.type, 'object');
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
  t.deepEqual(hinting('destructiveHint'), [
    'change_tasks',
    'save_area',
    'save_project',
    'save_section',
    'set_project_status',
    'set_task_status',
    'skip_occurrence',
    'trash_tasks',
    'undo',
  ]);
  t.deepEqual(hinting('openWorldHint'), []);
  const repeatable = ['move_tasks', 'restore_tasks', 'set_project_status', 'trash_tasks'];
  t.deepEqual(hinting('idempotentHint'), [...readingTools, ...repeatable].toSorted());
  for (const { annotations } of tools) t.is(Object.values(annotations ?? {}).length, 4);
});

test('the tools together stay small enough to be sent with every question', (t) => {
  t.true(tools.length <= 18);
  t.true(JSON.stringify(tools.map(({ outputSchema: _, ...rest }) => rest)).length < 24_000);
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
