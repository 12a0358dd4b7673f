import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';
import { type Desk, filledIn, furnishDesk, resultsOf, saturday } from './desk.ts';
import { type EverydayRequest, everydayRequests } from './everyday-requests.ts';

const transcriptFolder = fileURLToPath(new URL('../../test-output/assistant/', import.meta.url));
const stack = await startStack(undefined, { now: saturday });
const transcript = new Map<string, string>();
test.after.always(() => stack.close());
test.after.always(async () => {
  const texts = everydayRequests.map(
    ({ says }) => transcript.get(says) ?? `## ${says}\n\n(did not get this far)`,
  );
  await mkdir(transcriptFolder, { recursive: true });
  await writeFile(`${transcriptFolder}transcript.md`, `${texts.join('\n\n')}\n`);
});

for (const request of everydayRequests) {
  test(`«${request.says}» is done in ${request.calls.length} call(s)`, async (t) => {
    t.true(request.calls.length <= 3);
    await check(t, request, await furnishDesk(stack));
  });
}

async function check(
  t: ExecutionContext,
  { says, calls, tasks = {}, hears = [] }: EverydayRequest,
  desk: Desk,
) {
  const ids: Record<string, string> = { ...desk.ids };
  const lines = [`## ${says}`];
  let heard = '';
  for (const { tool, input } of calls) {
    const sent = JSON.parse(filledIn(JSON.stringify(input), ids));
    const result = await desk.assistant.call(tool, sent);
    lines.push(`\`${tool}\` ${JSON.stringify(sent)}`, `${result.isError ? 'ERROR ' : ''}\n${result.text}`);
    t.false(result.isError, result.text);
    for (const { ok } of resultsOf(result)) t.true(ok, result.text);
    if (typeof result.content.title === 'string') ids[result.content.title] = String(result.content.id);
    heard = result.text;
  }
  transcript.set(says, lines.join('\n\n'));
  for (const words of hears) t.regex(heard, words);
  const { body } = await desk.api.get<{ items: Task[] }>('/tasks?view=all&limit=200');
  for (const [title, members] of Object.entries(tasks)) {
    const wanted = JSON.parse(filledIn(JSON.stringify(members), ids));
    // A completed occurrence of a repeating task is a task of its own.
    const task = body.items.find(
      (item) => item.title === title && item.status === (wanted.status ?? item.status),
    );
    t.like(task, wanted, title);
  }
}
