import test from 'ava';
import type { Project } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';
import { type Desk, furnishDesk, saturday } from './desk.ts';

const stack = await startStack(undefined, { now: saturday });

test.after.always(() => stack.close());

type ListedProject = { id: string; title: string; sections: unknown[]; hasMoreSections?: boolean };

test('a project’s notes can be read before they are replaced, with its sections and their ids', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  const notes = 'Water\n\n*twice* a day.';
  await assistant.call('save_project', { project: 'Garden', notes, deadlineDate: '2026-12-24' });
  const { content, text } = await assistant.call('get_project', { project: 'garden' });
  t.like(content, {
    project: {
      id: ids.Garden,
      title: 'Garden',
      status: 'active',
      area: 'Home',
      deadlineDate: '2026-12-24',
      openTasks: 1,
      hasNotes: true,
      sections: [
        { id: ids.Beds, title: 'Beds' },
        { id: ids.Lawn, title: 'Lawn' },
      ],
    },
    notes,
    today: '2026-11-21',
  });
  t.true(text.includes(notes));
  t.true(text.includes(`Beds [${ids.Beds}], Lawn [${ids.Lawn}]`));
  t.regex(text, /Garden \(in Home, 1 open, deadline 2026-12-24, has notes\)/);
  await assistant.call('set_project_status', { project: ids.Garden, status: 'completed' });
  const closed = await assistant.call('get_project', { project: ids.Garden });
  const { body } = await api.get<Project>(`/projects/${ids.Garden}`);
  t.truthy(body.completedAt);
  t.like(closed.content.project, { status: 'completed', closedAt: body.completedAt });
  await assistant.call('set_project_status', { project: ids.Garden, status: 'trashed' });
  t.regex((await assistant.call('get_project', { project: ids.Garden })).text, /nothing with that id/);
});

test('a new project and its sections are saved together or not at all', async (t) => {
  const broken = await startStack(t, { now: saturday });
  const { assistant, api, ids } = await furnishDesk(broken);
  await broken.sql`alter table tasks.section add check (title <> 'Unlucky')`;
  const before = [(await api.get('/projects')).body, await countEntries()];
  const newSections = ['Before', 'There', 'Unlucky'];
  const inputs = [
    { title: 'Trip to Rome', newSections },
    { project: 'Garden', title: 'Yard', newSections },
  ];
  for (const input of inputs) t.true((await assistant.call('save_project', input)).isError);
  t.deepEqual([(await api.get('/projects')).body, await countEntries()], before);

  const saved = await assistant.call('save_project', { project: 'Garden', newSections: ['Pots', 'Sheds'] });
  t.false(saved.isError);
  const { body } = await api.get<{ title: string }[]>(`/projects/${ids.Garden}/sections`);
  t.deepEqual(
    body.map(({ title }) => title),
    ['Beds', 'Lawn', 'Pots', 'Sheds'],
  );

  async function countEntries(): Promise<number> {
    const { accountId } = api.account;
    return (await broken.sql`select from tasks.feed_entry where account_id = ${accountId}`).length;
  }
});

test('a long list of projects comes in pages, each project once', async (t) => {
  const desk = await furnishDesk(stack);
  await addProjects(desk, 505);
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const input = { text: 'venture', ...(cursor ? { cursor } : {}) };
    const { content, text } = await desk.assistant.call('list_projects', input);
    seen.push(...(content.projects as ListedProject[]).map(({ title }) => title));
    cursor = content.nextCursor;
    if (cursor === undefined) t.notRegex(text, /there are more/i);
    else t.true(text.includes(`call again with the same input and cursor ${cursor}`));
  } while (cursor !== undefined);
  t.deepEqual(
    seen,
    Array.from({ length: 505 }, (_, index) => `Venture ${index + 1}`),
  );
  const other = await desk.assistant.call('list_projects', { text: 'other', cursor: 'x' });
  t.true(other.isError);
});

test('a project of very many sections is listed with the first of them, and says that there are more', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  await stack.sql`insert into tasks.section
    (account_id, id, project_id, title, position, created_at, updated_at)
    select ${api.account.accountId}, gen_random_uuid(), ${ids.Garden ?? ''}, 'Row ' || position, position, now(), now()
    from generate_series(2, 1100) as position`;
  const listed = await assistant.call('list_projects');
  t.false(listed.isError, listed.text);
  const [garden] = listed.content.projects as ListedProject[];
  t.like(garden, { title: 'Garden', hasMoreSections: true });
  t.true(Number(garden?.sections.length) < 100);
  t.regex(listed.text, /Garden .*Row 2 \[.* and more, which get_project shows/);
  const one = await assistant.call('get_project', { project: 'Garden' });
  t.false(one.isError, one.text);
  t.is((one.content.project as ListedProject).sections.length, 1_000);
  t.true((one.content.project as ListedProject).hasMoreSections);
  const added = await assistant.call('add_tasks', {
    tasks: [{ title: 'Hoe', project: 'Garden', section: 'row 1100' }],
  });
  t.regex(added.text, /Garden \/ Row 1100/);
});

async function addProjects({ api }: Desk, count: number): Promise<void> {
  await stack.sql`insert into tasks.project
    (account_id, id, title, description_html, renderer_version, status, rank, created_at, updated_at)
    select ${api.account.accountId}, gen_random_uuid(), 'Venture ' || rank, '', 1, 'active', rank, now(), now()
    from generate_series(1, ${count}) as rank`;
}
