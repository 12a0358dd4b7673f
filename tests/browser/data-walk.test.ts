import { readFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { startStack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';
import { type Look, looks, startWalk, type Walk } from './walk.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

const password = 'seven quiet harbours';

async function signIn(t: ExecutionContext, look: Look, { email }: TestAccount): Promise<Walk> {
  const walk = await startWalk(t, browser, { name: 'data', look, origins: [stack.baseUrl] });
  const { page, write, press, open, see } = walk;
  await open(`${stack.baseUrl}/sign-in?return_to=%2Fsettings%2Fdata`);
  await write(page.getByLabel('E-mail address'), email);
  await write(page.getByLabel('Password'), password);
  await press(page.getByRole('button', { name: 'Sign in', exact: true }));
  await see('Data', 'data');
  return walk;
}

/** The page's work is done by script. */
for (const given of looks) {
  const look = { ...given, name: given.name.replace('without', 'with'), hasScript: true };
  test(`everything is saved to a file, read into another account, and the account deleted, ${look.name}`, async (t) => {
    const owner = await stack.newClient({ plan: 'premium', password, scopes: ['read', 'write'] });
    await owner.post('/tasks', { title: 'Water the plants', description: '*Twice*' });
    const first = await signIn(t, look, owner.account);
    const saving = first.page.waitForEvent('download');
    await first.press(first.page.getByRole('button', { name: 'Export everything' }));
    const download = await saving;
    t.regex(download.suggestedFilename(), /^tasks-\d{4}-\d\d-\d\d\.json$/);
    await first.page.getByText('The file is saved').waitFor();
    await first.see('Data', 'exported');
    const file = await download.path();
    t.like(JSON.parse(await readFile(file, 'utf8')).tasks[0], { title: 'Water the plants' });

    const heir = await stack.newClient({ plan: 'premium', password, scopes: ['read', 'write'] });
    const second = await signIn(t, look, heir.account);
    const { page, press, see } = second;
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{') });
    await press(page.getByRole('button', { name: 'Import the file' }));
    await page.getByText('the file ends too early').waitFor();
    await see('Data', 'refused');
    await page.getByLabel('File').setInputFiles(file);
    await press(page.getByRole('button', { name: 'Import the file' }));
    await page.getByText('Imported: 1 tasks').waitFor();
    await see('Data', 'imported');
    const { body } = await heir.get<{ items: { title: string }[] }>('/tasks');
    t.is(body.items[0]?.title, 'Water the plants');

    await press(page.locator('summary', { hasText: 'Delete my account' }));
    await see('Data', 'delete');
    await press(page.getByRole('button', { name: 'Delete my account' }));
    await see('Sign in', 'deleted');
    await page.getByText('signed out everywhere').waitFor();
    t.is((await heir.get('/me')).status, 401);
    t.deepEqual([...first.faults, ...second.faults], []);
  });
}
