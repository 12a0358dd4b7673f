import type { ExecutionContext } from 'ava';
import type { WebAppClient } from '#tests/app/web-app-client.ts';
import { createApi } from '#web-app/store/api.ts';
import { createStore, type OpenStore } from '#web-app/store/create-store.ts';
import { createMemoryDisk, type Disk } from '#web-app/store/disk.ts';
import { createSingleTab, type Tabs } from '#web-app/store/tabs.ts';

/** A browser of the account without its page, on the running services; its network can be cut. */
type Device = { store: OpenStore; setOnline(isOnline: boolean): void };

type DeviceParts = {
  /** `fetch` of paths below the host. */
  reach(path: string, init?: RequestInit): Promise<Response>;
  onFault(error: unknown): void;
  disk?: Disk;
  tabs?: Tabs | undefined;
  now?: (() => Date) | undefined;
};

export async function startDevice({
  reach,
  onFault,
  disk = createMemoryDisk(),
  tabs = createSingleTab(),
  now = () => new Date(),
}: DeviceParts): Promise<Device> {
  let isOnline = true;
  let store: OpenStore | undefined;
  const throughNetwork: typeof fetch = async (input, init) => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    return reach(String(input), init);
  };
  const api = createApi((token) => store?.setAccount(token.account), throughNetwork);
  store = await createStore({ api, disk, tabs, now, onFault });
  const opened = store;
  return {
    store,
    setOnline(next) {
      isOnline = next;
      opened.lookAgain(true);
    },
  };
}

export async function openDevice(
  t: ExecutionContext,
  baseUrl: string,
  { account, accessToken }: WebAppClient,
  disk: Disk = createMemoryDisk(),
  network: typeof fetch = fetch,
): Promise<Device> {
  const { accountId: id, email } = account;
  const owner = { id, email, timezone: 'UTC', plan: 'premium', status: 'active' } as const;
  const device = await startDevice({
    disk,
    onFault: (error) => t.fail(String(error)),
    reach: async (path, init) =>
      path === '/app/session/token'
        ? Response.json({ accessToken, expiresIn: 300, account: owner })
        : network(baseUrl + path, init),
  });
  t.teardown(() => device.store.close());
  return device;
}
