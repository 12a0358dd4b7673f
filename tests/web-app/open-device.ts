import type { ExecutionContext } from 'ava';
import type { WebAppClient } from '#tests/app/web-app-client.ts';
import { createApi } from '#web-app/store/api.ts';
import { createStore, type OpenStore } from '#web-app/store/create-store.ts';
import { createMemoryDisk } from '#web-app/store/disk.ts';
import { createSingleTab } from '#web-app/store/tabs.ts';

/** A browser of the account without its page, on the running services; its network can be cut. */
export type Device = { store: OpenStore; setOnline(isOnline: boolean): void };

export async function openDevice(
  t: ExecutionContext,
  baseUrl: string,
  { account, accessToken }: WebAppClient,
): Promise<Device> {
  let isOnline = true;
  let store: OpenStore | undefined;
  const { accountId: id, email } = account;
  const owner = { id, email, timezone: 'UTC', plan: 'premium', status: 'active' } as const;
  const throughNetwork: typeof fetch = async (input, init) => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    const path = String(input);
    if (path === '/app/session/token') return Response.json({ accessToken, expiresIn: 300, account: owner });
    return fetch(baseUrl + path, init);
  };
  const api = createApi({
    fetch: throughNetwork,
    now: Date.now,
    onToken: (token) => store?.setAccount(token.account),
  });
  store = await createStore({
    api,
    disk: createMemoryDisk(),
    tabs: createSingleTab(),
    onFault: (error) => t.fail(String(error)),
  });
  const opened = store;
  t.teardown(() => opened.close());
  return {
    store,
    setOnline(next) {
      isOnline = next;
      opened.lookAgain(true);
    },
  };
}
