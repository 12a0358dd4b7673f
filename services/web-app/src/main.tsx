import type { ReadonlySignal } from '@preact/signals';
import { render } from 'preact';
import { createAppVersion } from './app-version.ts';
import { startRouter } from './router.ts';
import { App } from './screens/app.tsx';
import { openPageStore } from './store/open-page-store.ts';
import type { Store } from './store/store.ts';
import { StoreContext } from './store/store-context.ts';

const root = document.getElementById('app');
if (root !== null) {
  startRouter();
  const version = createAppVersion();
  const store = await openPageStore(version);
  render(<Page store={store} />, root);
  await version.start(() => store.peek().waitingCount.peek() > 0);
}

function Page({ store }: { store: ReadonlySignal<Store> }) {
  return (
    <StoreContext value={store.value}>
      <App />
    </StoreContext>
  );
}
