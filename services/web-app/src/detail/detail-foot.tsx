import { Button } from '../components/button.tsx';
import { actorIcons, Icon } from '../components/icon.tsx';
import { formatTime } from '../dates/format-time.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { sayEntry } from '../records/describe-entry.ts';
import { useHistory } from '../records/use-activity.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';

/** The actor of the last change, and a link to the history. */
export function DetailFoot({ task: { id, title, createdAt } }: { task: TaskRow }) {
  const store = useStore();
  const [latest] = useHistory(id);
  return (
    <div class="meta-foot">
      {latest !== undefined && latest.actor.kind !== 'browser' && (
        <Icon name={actorIcons[latest.actor.kind]} small />
      )}
      <span class="grow cut" dir="auto">
        {latest === undefined
          ? words.created(formatTime(createdAt, store))
          : `${sayEntry({ ...latest, changes: latest.changes.slice(-1) }, store.today.value)} ` +
            `· ${formatTime(latest.to, store)}`}
      </span>
      <Button text={words.history} kind="text" onPress={() => openOverlay({ kind: 'history', id, title })} />
    </div>
  );
}
