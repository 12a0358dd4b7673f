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

const everything = { name: words.all, query: {}, kind: null };
const filters = [
  everything,
  { name: words.assistants, query: { by: 'assistants' }, kind: 'app' },
  { name: words.scripts, query: { by: 'scripts' }, kind: 'token' },
  { name: words.you, query: { by: 'you' }, kind: 'browser' },
];

/** Changes grouped by actor within two minutes; each entry can be undone. */
export function ActivityScreen() {
  const ofReview = () => filters.find(({ kind }) => kind === reviewedKind.peek()) ?? everything;
  const [filter, setFilter] = useState(ofReview);
  useEffect(() => {
    reviewedKind.value = null;
  }, []);
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{words.heading}</h1>
        <fieldset class="seg" aria-label={words.filter}>
          {filters.map((each) => (
            <button
              key={each.name}
              type="button"
              aria-pressed={each === filter}
              onClick={() => setFilter(each)}
            >
              {each.name}
            </button>
          ))}
        </fieldset>
      </div>
      <FilteredActivity key={filter.name} {...filter} />
    </>
  );
}

function FilteredActivity({ name, query }: { name: string; query: Record<string, string> }) {
  const store = useStore();
  const { list, entries } = useActivity(query);
  const undoing = useUndo(list.reload);
  const empty =
    name === words.all ? { title: words.empty, hint: words.emptyHint } : { title: words.emptyFilter(name) };
  const zone = store.timeZone.value;
  const days = Map.groupBy(entries, ({ to }) => todayIn(zone, new Date(to)));
  return (
    <>
      {[...days].map(([day, ofDay]) => (
        <section key={day}>
          <h2 class="group-h">{formatDayHeading(day, store.today.value)}</h2>
          <EntryList entries={ofDay} undoing={undoing} />
        </section>
      ))}
      <PageStates list={list} empty={entries.length === 0 ? empty : null} />
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
