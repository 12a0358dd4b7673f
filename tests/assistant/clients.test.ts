import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { clients, type Progress } from './assistant-client.ts';
import { furnishDesk, oneCallOfEach, resultsOf, saturday } from './desk.ts';

const stack = await startStack(undefined, { now: saturday });

test.after.always(() => stack.close());

for (const [name, connect] of Object.entries(clients)) {
  test(`${name} connects with a personal token, lists the tools and calls every one`, async (t) => {
    const desk = await furnishDesk(stack);
    const client = await connect(stack.baseUrl, desk.api.token.secret);
    const offered = (await client.listTools()).map((tool) => tool.name);
    const uses = oneCallOfEach(desk);
    t.deepEqual(offered.toSorted(), [...new Set(uses.map(({ tool }) => tool))].toSorted());
    for (const { tool, input } of uses) {
      const result = await client.call(tool, input);
      t.false(result.isError, `${tool}: ${result.text}`);
      t.not(result.text, '');
      t.notDeepEqual(result.content, {});
    }
    const task = await desk.api.get(`/tasks/${desk.ids['Buy milk']}`);
    t.like(task.body, {
      title: 'Buy oat milk',
      projectId: desk.ids.Garden,
      status: 'completed',
      inTrash: false,
    });
    await client.close();
  });

  test(`${name} hears how far a batch has come`, async (t) => {
    const { token } = await stack.newClient();
    const client = await connect(stack.baseUrl, token.secret);
    const heard: Progress[] = [];
    const tasks = ['One', 'Two', 'Three'].map((title) => ({ title }));
    const result = await client.call('add_tasks', { tasks }, (progress) => heard.push(progress));
    t.is(resultsOf(result).filter(({ ok }) => ok).length, 3);
    t.deepEqual(
      heard.map(({ progress, total }) => [progress, total]),
      [
        [1, 3],
        [2, 3],
        [3, 3],
      ],
    );
    await client.close();
  });

  test(`${name} reads the lists and a project as resources`, async (t) => {
    const { ids, api } = await furnishDesk(stack);
    const client = await connect(stack.baseUrl, api.token.secret);
    t.deepEqual(await client.listResources(), ['tasks://today', 'tasks://inbox']);
    t.regex(await client.readResource('tasks://today'), /Today is 2026-11-21.*Call the dentist/s);
    t.regex(await client.readResource('tasks://inbox'), /Read the tide tables/);
    t.regex(await client.readResource(`tasks://projects/${ids.Garden}`), /Order seeds/);
    await t.throwsAsync(client.readResource(`tasks://projects/${api.account.accountId}`), {
      message: /There is nothing with that id/,
    });
    await client.close();
  });

  test(`${name} is told in less than 200 words how the lists, dates and ids work`, async (t) => {
    const { token } = await stack.newClient();
    const client = await connect(stack.baseUrl, token.secret);
    const words = client.instructions().split(/\s+/).length;
    t.true(words > 50 && words < 200, `${words} words`);
    for (const subject of [/inbox/, /upcoming/, /timezone/, /repeating/, /never make ids up/, /offer undo/]) {
      t.regex(client.instructions(), subject);
    }
    await client.close();
  });
}
