import { useEffect } from 'preact/hooks';
import { TitledDialog } from '../overlays/titled-dialog.tsx';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';

/** The session has ended: the screen behind shows no data; the user can sign in again. */
export function SignedOutDialog() {
  const store = useStore();
  // No user was signed in before, so the sign-in page opens directly.
  const isStranger = store.connection.value === 'signed-out' && store.account.value === null;
  useEffect(() => {
    if (isStranger) window.location.replace(signInHref());
  }, [isStranger]);
  if (isStranger || store.connection.value !== 'signed-out') return null;
  const waiting = store.waitingCount.value;
  return (
    <TitledDialog label={words.signedOut} onClose={() => {}} narrow isModalQuestion>
      <p>{words.signedOutHint}</p>
      {waiting > 0 && <p>{words.signedOutWaiting(waiting)}</p>}
      <div class="question-acts">
        <a class="btn primary big" href={signInHref()}>
          {words.signIn}
        </a>
      </div>
    </TitledDialog>
  );
}

function signInHref(): string {
  const back = window.location.pathname + window.location.search;
  return `/sign-in?${new URLSearchParams({ return_to: back })}`;
}
