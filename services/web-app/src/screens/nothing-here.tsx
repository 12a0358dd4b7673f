import { LoadingRows } from '../components/loading-rows.tsx';
import { hrefOf } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { dialogWords } from '../words/dialog-words.ts';
import { screenWords as words } from '../words/screen-words.ts';

export function NothingHere() {
  if (!useStore().isLoaded.value) return <LoadingRows label={words.loading} />;
  return (
    <div class="empty">
      <h1 tabIndex={-1}>{words.nothingHere}</h1>
      <p>{dialogWords.nothingHint}</p>
      <p class="links">
        <a href={hrefOf({ screen: 'today' })}>{words.today}</a>
        <a href={hrefOf({ screen: 'inbox' })}>{words.inbox}</a>
      </p>
    </div>
  );
}
