import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { connectWith, furnishDesk, resultsOf, saturday } from './desk.ts';

const stack = await startStack(undefined, { now: saturday });

test.after.always(() => stack.close());

test('a name means the same thing in any case, with blanks around it, and however its accents are written', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const made = await assistant.call('save_project', { title: 'Café Müller'.normalize('NFD') });
  const names = ['café müller', '  CAFÉ MÜLLER ', 'Café Müller'.normalize('NFC')];
  const added = await assistant.call('add_tasks', {
    tasks: names.map((project) => ({ title: 'Book', project })),
  });
  for (const { ok, task } of resultsOf(added)) {
    t.true(ok);
    t.like(task, { project: { id: made.content.id } });
  }
});

test('a name that two projects have is not guessed: the candidates come with their areas', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const second = await assistant.call('save_project', { title: 'garden', area: 'Work' });
  const input = {
    tasks: [
      { title: 'Sweep', project: 'Garden' },
      { title: 'Mow', project: ids.Garden },
    ],
  };
  const added = await assistant.call('add_tasks', input);
  const [ambiguous, plain] = resultsOf(added);
  t.true(plain?.ok);
  t.false(ambiguous?.ok);
  t.is(ambiguous?.error?.code, 'name_not_resolved');
  const candidates = ambiguous?.error?.candidates?.map(({ id, within }) => [id, within]);
  t.deepEqual(candidates, [
    [ids.Garden, 'Home'],
    [second.content.id, 'Work'],
  ]);
  t.regex(added.text, /several projects: use the id of one\. .*«Garden» in Home/);
  t.false(added.isError, 'the other entry was done');
});

test('an unknown name is answered with the close ones, of the kind that was meant', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const cases = [
    {
      tool: 'find_tasks',
      input: { project: 'office' },
      says: /no project called «office»\. There are: «Office move» in Work \(/,
    },
    { tool: 'find_tasks', input: { area: 'Homes' }, says: /no area called «Homes»\. There are: «Home»/ },
    {
      tool: 'find_tasks',
      input: { project: 'Garden', section: 'Sheds' },
      says: /no section called «Sheds»\. There are: «Beds» in Garden .*«Lawn» in Garden/,
    },
    { tool: 'find_tasks', input: { section: 'Beds' }, says: /Name the project too/ },
    {
      tool: 'set_project_status',
      input: { project: 'Moon', status: 'completed' },
      says: /no project called «Moon».*«Garden»/,
    },
    {
      tool: 'save_project',
      input: { title: 'x', area: 'Elsewhere' },
      says: /no area called «Elsewhere».*«Work»/,
    },
  ];
  for (const { tool, input, says } of cases) {
    const { isError, text } = await assistant.call(tool, input);
    t.true(isError);
    t.regex(text, says);
  }
});

test('«today» is the day in the account’s timezone, in every answer that has to do with time', async (t) => {
  const account = await stack.createAccount({ timezone: 'Pacific/Auckland' });
  stack.clock.set('2026-11-21T12:30:00Z');
  t.teardown(() => stack.clock.set(saturday));
  const assistant = await connectWith(stack, account);
  const tasks = ['2026-11-21', '2026-11-22', '2026-11-23'].map((dueDate) => ({ title: dueDate, dueDate }));
  const added = await assistant.call('add_tasks', { tasks });
  const answers = [
    added,
    await assistant.call('find_tasks', { view: 'today' }),
    await assistant.call('get_task', { id: resultsOf(added)[0]?.id }),
    await assistant.call('list_projects'),
    await assistant.call('changes_since', { since: '2026-11-21T00:00:00Z' }),
  ];
  for (const { content } of answers) {
    t.like(content, { today: '2026-11-22', timezone: 'Pacific/Auckland' });
  }
  const today = (answers[1]?.content.tasks ?? []) as { title: string; isOverdue?: boolean }[];
  t.deepEqual(
    today.map(({ title, isOverdue }) => [title, isOverdue]),
    [
      ['2026-11-21', true],
      ['2026-11-22', undefined],
    ],
  );
});

test('a long list comes in pages, each task once, and a cursor belongs to its list', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const titles = Array.from({ length: 45 }, (_, index) => `Errand ${index}`);
  await assistant.call('add_tasks', { tasks: titles.map((title) => ({ title, dueDate: '2026-11-22' })) });
  const seen: string[] = [];
  let cursor: unknown;
  do {
    // In whatever order the members of the input come.
    const input = cursor
      ? { cursor, limit: 20, from: '2026-11-22', text: 'errand' }
      : { text: 'errand', from: '2026-11-22', limit: 20 };
    const { content, text: page } = await assistant.call('find_tasks', input);
    seen.push(...(content.tasks as { title: string }[]).map(({ title }) => title));
    cursor = content.nextCursor;
    if (cursor !== undefined) {
      t.true(page.includes(`call again with the same input and cursor ${cursor}`));
      const { isError, text } = await assistant.call('find_tasks', { text: 'other', cursor });
      t.true(isError);
      t.regex(text, /cursor/);
    }
  } while (cursor !== undefined);
  t.deepEqual(seen.toSorted(), titles.toSorted());
});

test('words to search for are words, not patterns', async (t) => {
  const { assistant } = await furnishDesk(stack);
  await assistant.call('add_tasks', {
    tasks: [{ title: 'Save 100% of \\ it_all' }, { title: 'Save 1000 of it all' }],
  });
  for (const text of ['100%', 'it_all', '\\']) {
    const { content } = await assistant.call('find_tasks', { text });
    t.deepEqual(
      (content.tasks as { title: string }[]).map(({ title }) => title),
      ['Save 100% of \\ it_all'],
      text,
    );
  }
});
