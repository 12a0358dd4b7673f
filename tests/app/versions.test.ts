import test from 'ava';
import type { Problem, Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps } from './web-app-client.ts';

const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

for (const [kind, make] of [
  ['tasks', makeTask],
  ['projects', makeProject],
] as const) {
  test(`a change that was made on another version changes nothing: ${kind}`, async (t) => {
    const browser = await webApps.open();
    const { id, updatedAt } = await make(browser, { title: 'Draft', description: 'Before' });
    const path = `/${kind}/${id}`;
    const change = (on: string, patch: object) =>
      browser.app.patch<Task & Project & Problem>(path, { updatedAt: on, patch });
    const mine = await change(updatedAt, { description: 'Mine' });
    t.like(mine, { status: 200, body: { description: 'Mine', descriptionHtml: '<p>Mine</p>' } });
    const late = await change(updatedAt, { description: 'Theirs', title: 'Theirs' });
    t.like(late, { status: 409, body: { errorCode: 'version_changed' } });
    t.like((await browser.get<Task>(path)).body, { title: 'Draft', description: 'Mine' });
    t.is((await change(mine.body.updatedAt, { description: null })).status, 200);
    t.is((await change('yesterday', { title: 'x' })).status, 400);
    t.is((await change(updatedAt, { id: 'x' })).status, 400);
    t.is((await browser.app.patch(path, { title: 'x' })).status, 400);
    t.is((await browser.app.patch(`/${kind}/${crypto.randomUUID()}`, { updatedAt, patch: {} })).status, 404);
  });
}
