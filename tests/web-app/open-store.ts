import type { ExecutionContext } from 'ava';
import type { OpenStore } from '#web-app/store/create-store.ts';
import { createMemoryDisk, type Disk } from '#web-app/store/disk.ts';
import type { Tabs } from '#web-app/store/tabs.ts';
import { startDevice } from './open-device.ts';
import type { ScriptedService } from './scripted-service.ts';

/** The app's store without a page, on a test's service. A disk outlives its store as over a reload. */
export async function openStore(
  t: ExecutionContext,
  { fetch: reach }: Pick<ScriptedService, 'fetch'>,
  disk: Disk = createMemoryDisk(),
  tabs?: Tabs,
  now?: () => Date,
): Promise<OpenStore> {
  const onFault = (error: unknown) => t.fail(String(error));
  const { store } = await startDevice({ reach, onFault, disk, tabs, now });
  t.teardown(() => store.close());
  return store;
}
