import { effect, type ReadonlySignal } from '@preact/signals';
import { render } from 'preact';
import { LoadingRows } from './components/loading-rows.tsx';
import { Strips } from './messages/strips.tsx';
import { signInHref, startRouter } from './router.ts';
import { App } from './screens/app.tsx';
import { openPageStore } from './store/open-page-store.ts';
import type { Store } from './store/store.ts';
import { StoreContext } from './store/store-context.ts';
import { screenWords } from './words/screen-words.ts';

// Chosen under Settings. The page waits for this before it is painted.
const theme = /theme=(\w+)/.exec(document.cookie)?.[1];
if (theme) {
  for (const meta of document.querySelectorAll('meta')) {
    if (meta.name === 'color-scheme') meta.content = theme;
    else if (meta.media) meta.media = meta.media.includes(theme) ? 'all' : 'not all';
  }
}
const root = document.getElementById('app');
if (root !== null) {
  startRouter();
  const store = await openPageStore();
  // No account is known in this browser: the sign-in page replaces the app.
  effect(() => {
    const { account, connection } = store.value;
    if (connection.value === 'signed-out' && account.value === null) window.location.replace(signInHref());
  });
  render(<Page store={store} />, root);
}

function Page({ store }: { store: ReadonlySignal<Store> }) {
  // Before the account is known, typed text could not be stored.
  const isKnown = store.value.account.value !== null;
  return (
    <StoreContext value={store.value}>
      {isKnown ? (
        <App />
      ) : (
        <div class="app">
          <div class="side" />
          <div class="page">
            <div class="col">
              <Strips />
              <LoadingRows label={screenWords.loading} />
            </div>
          </div>
        </div>
      )}
    </StoreContext>
  );
}
