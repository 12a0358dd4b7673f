import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { AppAccount } from '#shared/app/app-protocol.ts';
import { messageWords } from '../words/message-words.ts';
import { type Answer, type Api, createApi } from './api.ts';
import { openBrowserTabs } from './browser-tabs.ts';
import { createStore, type OpenStore } from './create-store.ts';
import { createMemoryDisk } from './disk.ts';
import { SignedOut } from './errors.ts';
import { openIndexedDisk } from './indexed-disk.ts';
import { clearOtherAccounts, noteAccount } from './known-accounts.ts';
import { hidePresentAccount, presentAccount, setPresentAccount } from './present-account.ts';
import type { Store } from './store.ts';
import { snapshotPath } from './sync.ts';
import { createSingleTab } from './tabs.ts';

/** The page's store: that of the last account, until the server names another. */
export async function openPageStore(): Promise<ReadonlySignal<Store>> {
  let accountId = presentAccount();
  const api = createApi(({ account }) => take(account));
  const onFault = (error: unknown): void => reportError(error);
  const current = signal<OpenStore>(
    accountId === null
      ? await createStore({ onFault, api: waitingApi(api), ...alone() })
      : await openStoreOf(accountId, api),
  );

  /** Without storage (private windows, damage) pages are independent and the outbox is lost with the page. */
  async function openStoreOf(id: string, api: Api): Promise<OpenStore> {
    try {
      const disk = await openIndexedDisk(id);
      return await createStore({ onFault, api, disk, tabs: openBrowserTabs(id) });
    } catch {
      const store = await createStore({ onFault, api, ...alone() });
      store.notices.toast(messageWords.notStored);
      return store;
    }
  }

  /** A page belongs to one account: another one reloads it, and until then it is signed out. */
  function take(account: AppAccount): void {
    const isFirst = accountId === null;
    accountId ??= account.id;
    if (accountId !== account.id) {
      window.location.reload();
      throw new SignedOut();
    }
    setPresentAccount(accountId);
    noteAccount(accountId);
    if (isFirst) become(account).catch(reportError);
    else current.peek().setAccount(account);
  }

  async function become(account: AppAccount): Promise<void> {
    const prepared = askingAhead(api);
    await clearOtherAccounts(account.id);
    const store = await openStoreOf(account.id, prepared);
    store.setAccount(account);
    current.peek().close();
    current.value = store;
  }

  effect(() => {
    if (current.value.connection.value === 'signed-out') hidePresentAccount();
  });
  // Not while hidden: WebKit keeps a left page alive, and the next page would wait for its reads.
  const lookAgain = () => document.hidden || current.peek().lookAgain();
  const lookAtNetwork = () => current.peek().lookAgain(true);
  document.addEventListener('visibilitychange', lookAgain);
  window.addEventListener('focus', lookAgain);
  window.addEventListener('online', lookAtNetwork);
  window.addEventListener('offline', lookAtNetwork);
  // Pages of the account say so when its owner signs out there; the server's answer deletes what is stored.
  new BroadcastChannel('sign-outs').addEventListener('message', () => {
    current.peek().close();
    hidePresentAccount();
    window.location.assign('/');
  });
  return current;
}

const alone = () => ({ disk: createMemoryDisk(), tabs: createSingleTab() });

/** Gets a token only; the account's own store does the rest. */
function waitingApi(api: Api): Api {
  const signIn = async (): Promise<never> => {
    await api.signIn();
    return new Promise<never>(() => undefined);
  };
  return { signIn: api.signIn, send: signIn, stream: signIn };
}

/** The rows of a first visit are requested while its page is prepared. */
function askingAhead(api: Api): Api {
  let ahead: Promise<Answer> | null = api.send({ method: 'GET', path: snapshotPath });
  ahead.catch(() => undefined);
  return {
    ...api,
    async send(request) {
      if (request.path !== snapshotPath || ahead === null) return api.send(request);
      const answer = ahead;
      ahead = null;
      return answer;
    },
  };
}
