import type { ExecutionContext } from 'ava';
import { createApi } from '#web-app/store/api.ts';
import { createStore, type OpenStore } from '#web-app/store/create-store.ts';
import { createMemoryDisk, type Disk } from '#web-app/store/disk.ts';
import { createSingleTab, type Tabs } from '#web-app/store/tabs.ts';
import type { ScriptedService } from './scripted-service.ts';

/** The app's heart without a page, on a service of the test. A disk outlives its store as a browser's does a reload. */
export async function openStore(
  t: ExecutionContext,
  service: Pick<ScriptedService, 'fetch'>,
  disk: Disk = createMemoryDisk(),
  tabs: Tabs = createSingleTab(),
  now: () => Date = () => new Date(),
): Promise<OpenStore> {
  const api = createApi({
    fetch: service.fetch,
    now: Date.now,
    onToken: ({ account }) => store?.setAccount(account),
  });
  let store: OpenStore | undefined;
  store = await createStore({
    api,
    disk,
    tabs,
    now,
    onFault: (error) => t.fail(String(error)),
  });
  const opened = store;
  t.teardown(() => opened.close());
  return opened;
}
