import { AskingStrips, VersionStrip } from '../loading/load-later.tsx';
import { useStore } from '../store/store-context.ts';
import { messageWords as words } from '../words/message-words.ts';
import { Strip } from './strip.tsx';

/** Messages about the app: no connection, suspension, refused changes, a new version. */
export function Strips() {
  const store = useStore();
  const connection = store.connection.value;
  const waiting = store.waitingCount.value;
  const hint = store.isLoaded.value ? words.offlineHint : words.nothingHere;
  return (
    <div class="strips">
      <div role="status">
        {connection === 'offline' && (
          <Strip icon="clock" kind="plain">
            <span class="b">{words.offline}</span> {waiting === 0 ? hint : words.waiting(waiting)}
          </Strip>
        )}
        <VersionStrip />
      </div>
      <AskingStrips />
    </div>
  );
}
