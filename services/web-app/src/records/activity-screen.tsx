import { useEffect, useState } from 'preact/hooks';
import type { ActivityEntry, UndoResponse } from '#shared/app/app-protocol.ts';
import { todayIn } from '../dates/civil-date.ts';
import { formatDayHeading } from '../dates/format-time.ts';
import { useStore } from '../store/store-context.ts';
import { activityWords as words } from '../words/activity-words.ts';
import { ActivityItem, type Undo, type Undoing } from './activity-entry.tsx';
import { LoadMore, PageStates } from './page-states.tsx';
import { reviewedKind } from './reviewed-kind.ts';
import { undoStamps } from './undo-stamps.ts';
import { useActivity } from './use-activity.ts';

const filters = [
  { name: words.all, kinds: ['app', 'token', 'browser', 'operator'] },
  { name: words.assistants, kinds: ['app'] },
  { name: words.scripts, kinds: ['token', 'operator'] },
  { name: words.you, kinds: ['browser'] },
];

function filterOfReview(): string {
  const kind = reviewedKind.peek();
  return filters.findLast(({ kinds }) => kind !== null && kinds.includes(kind))?.name ?? words.all;
}

/** Changes grouped by actor within two minutes; each entry can be undone. */
export function ActivityScreen() {
  const store = useStore();
  const { list, entries: all } = useActivity();
  const [filter, setFilter] = useState(filterOfReview);
  useEffect(() => {
    reviewedKind.value = null;
  }, []);
  const undoing = useUndo(list.reload);
  const kinds = filters.find(({ name }) => name === filter)?.kinds ?? [];
  const entries = all.filter(({ actor }) => kinds.includes(actor.kind));
  const empty =
    filter === words.all
      ? { title: words.empty, hint: words.emptyHint }
      : { title: words.emptyFilter(filter) };
  const zone = store.timeZone.value;
  const days = Map.groupBy(entries, ({ to }) => todayIn(zone, new Date(to)));
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{words.heading}</h1>
        <fieldset class="seg" aria-label={words.filter}>
          {filters.map(({ name }) => (
            <button key={name} type="button" aria-pressed={name === filter} onClick={() => setFilter(name)}>
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      {[...days].map(([day, ofDay]) => (
        <section key={day}>
          <h2 class="group-h">{formatDayHeading(day, store.today.value)}</h2>
          <EntryList entries={ofDay} undoing={undoing} />
        </section>
      ))}
      <PageStates list={list} empty={entries.length === 0 && list.loadMore === null ? empty : null} />
      <LoadMore list={list} label={words.showMore} />
      {list.state === 'ready' && entries.length > 0 && list.loadMore === null && (
        <p class="end-note">{words.keptDays}</p>
      )}
    </>
  );
}

/** Undo of entries or single changes; kept fields are shown with the entries. */
export function useUndo(reload: () => void): Undoing {
  const store = useStore();
  const [kept, setKept] = useState<UndoResponse['kept']>([]);
  const undo: Undo = async (stamps, label) => {
    const answer = await undoStamps(store, stamps, label);
    if (answer === null) return;
    setKept(answer.kept);
    reload();
  };
  return { kept, undo };
}

type EntryListProps = { entries: readonly ActivityEntry[]; undoing: Undoing };

export function EntryList({ entries, undoing }: EntryListProps) {
  return (
    <ul>
      {entries.map((entry) => (
        <ActivityItem
          key={`${entry.actor.id} ${entry.stamps[0] ?? entry.from}`}
          entry={entry}
          undoing={undoing}
        />
      ))}
    </ul>
  );
}
