import { render } from 'preact';
import { startRouter } from './router.ts';
import { App } from './screens/app.tsx';
import { createSampleStore } from './store/sample-store.ts';
import { StoreContext } from './store/store-context.ts';

const root = document.getElementById('app');
if (root !== null) {
  startRouter();
  render(
    <StoreContext value={await createSampleStore()}>
      <App />
    </StoreContext>,
    root,
  );
}
