import { completeTask, createTask, listTasks, updateTask } from './generated/hey-api';
import { createClient } from './generated/hey-api/client';

const [baseUrl = '', auth = ''] = process.argv.slice(2);
const client = createClient({ baseUrl, auth });

const created = await createTask({ client, body: { title: 'Water the plants', dueDate: '2030-01-07' } });
const path = { id: created.data?.id ?? '' };
const listed = await listTasks({ client, query: { view: 'someday', limit: 10 } });
if (listed.error) throw new Error(listed.error.message);
const patched = await updateTask({ client, path, body: { dueDate: null } });
const completed = await completeTask({ client, path });
const refused = await createTask({ client, body: { title: '' } });

process.stdout.write(
  JSON.stringify({
    created: created.data?.title,
    listed: listed.data.items.map((task) => task.id).includes(path.id),
    patched: patched.data?.dueDate,
    completed: completed.data?.status,
    refused: refused.error?.errorCode,
  }),
);
