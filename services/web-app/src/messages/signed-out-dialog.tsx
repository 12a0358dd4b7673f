import { TitledDialog } from '../overlays/titled-dialog.tsx';
import { signInHref } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';

/** The session has ended: the screen behind shows no data; the user can sign in again. */
export function SignedOutDialog() {
  const store = useStore();
  const waiting = store.waitingCount.value;
  return (
    <TitledDialog label={words.signedOut} onClose={() => {}} narrow closedby="none">
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
