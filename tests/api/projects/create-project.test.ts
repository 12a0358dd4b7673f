import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Page, Problem, Project } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('a new project needs a title only and is answered with exactly the documented fields', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post<Project>('/projects', { title: 'Move' });
  t.is(status, 201);
  t.deepEqual(
    Object.entries(body).filter(([field]) => !['id', 'createdAt', 'updatedAt'].includes(field)),
    Object.entries({
      title: 'Move',
      description: null,
      descriptionHtml: '',
      status: 'active',
      areaId: null,
      deadlineDate: null,
      inTrash: false,
      sections: [],
      completedAt: null,
      cancelledAt: null,
    }),
  );
  t.deepEqual(Object.keys(body).slice(-2), ['createdAt', 'updatedAt']);
  t.regex(body.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.regex(body.createdAt, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  t.is(body.updatedAt, body.createdAt);
});

test('creation, fetch and list show the same project', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const area = await makeArea(api);
  const sent = {
    title: 'Move to Lisbon',
    description: 'Keys at *Rua do Sol*.',
    areaId: area.id,
    deadlineDate: '2028-02-29',
  };
  const { body } = await api.post<Project>('/projects', sent);
  t.like(body, { ...sent, status: 'active' });
  t.regex(body.descriptionHtml, /<em>Rua do Sol<\/em>/);
  t.deepEqual((await api.get<Project>(`/projects/${body.id}`)).body, body);
  t.deepEqual((await api.get<Page<Project>>('/projects')).body, {
    items: [body],
    nextCursor: null,
    hasMore: false,
  });
});

test('a project carries its sections in display order, fetched singly and listed', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const bare = await makeProject(api);
  const sections = [await makeSection(api, project.id), await makeSection(api, project.id)];
  t.deepEqual((await api.get<Project>(`/projects/${project.id}`)).body, { ...project, sections });
  t.deepEqual((await api.get<Page<Project>>('/projects')).body.items, [{ ...project, sections }, bare]);
});

test('a title is kept exactly as sent', async (t) => {
  const api = await stack.newClient();
  for (const title of [`' " \\ \\' ? $1 -- ☃ `, '\u{1f600}'.repeat(1_024)]) {
    const project = await makeProject(api, { title });
    t.is((await api.get<Project>(`/projects/${project.id}`)).body.title, title);
  }
});

test('notes are kept exactly as sent and shown as safe HTML', async (t) => {
  const api = await stack.newClient();
  const description = "# Plan\r\n\r\n[x](javascript:alert(1)) <script>alert(1)</script>\n\n? \\ ' $1  \n\n";
  const project = await makeProject(api, { description });
  const { body } = await api.get<Project>(`/projects/${project.id}`);
  t.is(body.description, description);
  t.regex(body.descriptionHtml, /<h1[^>]*>Plan<\/h1>/);
  t.notRegex(body.descriptionHtml, /<script|href="javascript/i);
});

test('empty notes and null read back as null, with empty HTML', async (t) => {
  const api = await stack.newClient();
  for (const description of ['', null]) {
    const { body } = await api.post<Project>('/projects', { title: 'Move', description });
    t.like(body, { description: null, descriptionHtml: '' });
  }
});

test('100,000 characters of notes pass however they are spelt, one more does not', async (t) => {
  const api = await stack.newClient();
  const spelt = `{"title":"Move","description":"${'\\ud83d\\ude00'.repeat(100_000)}"}`;
  const { status, body } = await api.post<Project>('/projects', spelt);
  t.is(status, 201);
  t.is(body.description, '\u{1f600}'.repeat(100_000));
  const refused = await api.post<Problem>('/projects', { title: 'Move', description: 'x'.repeat(100_001) });
  t.is(refused.status, 400);
  t.deepEqual(Object.keys(refused.body.errors ?? {}), ['description']);
});

const faults: [field: string, what: string, value: unknown][] = [
  ['title', 'null', null],
  ['title', 'empty', ''],
  ['title', 'blank', ' \u3000\t'],
  ['title', 'no text', 1],
  ['title', 'longer than 1,024 characters', 'x'.repeat(1_025)],
  ['title', 'holding U+0000', 'a\0'],
  ['description', 'no text', { markdown: 'x' }],
  ['description', 'holding a lone surrogate', '\udc00'],
  ['areaId', 'no UUID', 'home'],
  ['areaId', 'no text', 7],
  ['areaId', 'empty', ''],
  ['areaId', 'of no area', randomUUID()],
  ['deadlineDate', 'no date', 'tomorrow'],
  ['deadlineDate', 'a day that does not exist', '2027-02-29'],
  ['deadlineDate', 'an instant', '2027-02-28T00:00:00Z'],
  ['deadlineDate', 'a number', 20270228],
  ['status', 'not a field', 'active'],
  ['id', 'not a field', randomUUID()],
  ['sections', 'not a field', []],
  ['inTrash', 'not a field', false],
  ['descriptionHtml', 'read-only', '<p>x</p>'],
];

for (const [field, what, value] of faults) {
  test(`${field} that is ${what} is refused under its name, on creation and in a patch`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    const project = await makeProject(api);
    for (const answer of [
      await api.post<Problem>('/projects', { title: 'Move', [field]: value }),
      await api.patch<Problem>(`/projects/${project.id}`, { [field]: value }),
    ]) {
      t.like(answer, { status: 400, body: { errorType: 'validation', errorCode: 'validation_error' } });
      t.deepEqual(Object.keys(answer.body.errors ?? {}), [field]);
    }
    t.deepEqual((await api.get<Page<Project>>('/projects')).body.items, [project]);
  });
}

test('every fault of a body is reported at once, each under its field', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post<Problem>('/projects', {
    deadlineDate: 'x',
    areaId: 'y',
    colour: 'red',
  });
  t.is(status, 400);
  t.deepEqual(Object.keys(body.errors ?? {}).sort(), ['areaId', 'colour', 'deadlineDate', 'title']);
});

test('an area of another account is refused like one that does not exist', async (t) => {
  const stranger = await stack.newClient();
  const area = await makeArea(stranger);
  const api = await stack.newClient();
  const answerTo = async (areaId: string) =>
    (await api.post<Problem>('/projects', { title: 'Move', areaId })).body;
  const foreign = await answerTo(area.id);
  const unknown = await answerTo(randomUUID());
  t.deepEqual({ ...foreign, requestId: '' }, { ...unknown, requestId: '' });
  t.deepEqual(Object.keys(foreign.errors ?? {}), ['areaId']);
});

test('an area id in capitals names the same area', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  t.is((await makeProject(api, { areaId: area.id.toUpperCase() })).areaId, area.id);
});
