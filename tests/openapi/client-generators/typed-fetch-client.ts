import createClient from 'openapi-fetch';
import type { paths } from './generated/typed-fetch.ts';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

const tasks = '/api/public/v1/tasks';
const created = await client.POST(tasks, { body: { title: 'Water the plants', dueDate: '2030-01-07' } });
const id = created.data?.id ?? '';
const listed = await client.GET(tasks, { params: { query: { view: 'someday', limit: 10 } } });
if (listed.error) throw new Error(listed.error.message);
const path = { id };
const patched = await client.PATCH(`${tasks}/{id}`, { params: { path }, body: { dueDate: null } });
const completed = await client.POST(`${tasks}/{id}/complete`, { params: { path } });
const refused = await client.POST(tasks, { body: { title: '' } });

process.stdout.write(
  JSON.stringify({
    created: created.data?.title,
    listed: listed.data.items.map((task) => task.id).includes(id),
    patched: patched.data?.dueDate,
    completed: completed.data?.status,
    refused: refused.error?.errorCode,
  }),
);
