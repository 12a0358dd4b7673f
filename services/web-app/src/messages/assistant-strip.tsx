import { useEffect, useState } from 'preact/hooks';
import type { ActivityEntry, ActivityPage } from '#shared/app/app-protocol.ts';
import { ActorMark } from '../components/actor-mark.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { formatTime } from '../dates/format-time.ts';
import { hasNews } from '../frame/layout.ts';
import { describeEntry, sayEntry } from '../records/describe-entry.ts';
import { reviewedKind } from '../records/reviewed-kind.ts';
import { undoStamps } from '../records/undo-stamps.ts';
import { activityPath } from '../records/use-activity.ts';
import { useRead } from '../records/use-read.ts';
import { hrefOf, location, type Route } from '../router.ts';
import { deviceStorage } from '../store/device-storage.ts';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/store-context.ts';
import { activityWords } from '../words/activity-words.ts';
import { dialogWords as words } from '../words/dialog-words.ts';
import { messageWords } from '../words/message-words.ts';

const shownMilliseconds = 3_600_000;
const spokenMilliseconds = 10_000;
/** The latest changes of an assistant or script, until reviewed or an hour old. */
export function AssistantStrip() {
  const store = useStore();
  const [reviewedUntil, review] = useReviewed();
  const entry = useLatestEntry(reviewedUntil);
  const [spoken, setSpoken] = useState('');
  const { route } = location.value;
  const isActivity = route.screen === 'activity';
  const isShown = entry !== null && !isActivity && concerns(store, entry, route);
  const text = entry === null ? '' : sayEntry(entry);
  // At most one message in ten seconds, so that a batch is one message.
  useEffect(() => {
    if (spoken === text) return;
    const wait = spoken === '' || text === '' ? 0 : spokenMilliseconds;
    const timer = setTimeout(() => setSpoken(text), wait);
    return () => clearTimeout(timer);
  }, [text, spoken]);
  useEffect(() => {
    if (isActivity && entry !== null) review(entry.to);
    hasNews.value = !isActivity && entry !== null;
  }, [isActivity, entry?.to]);
  return (
    <div class="strips">
      {/* For screen readers alone; the strip itself changes too often. */}
      <span class="vh" role="status">
        {isActivity ? '' : spoken}
      </span>
      {isShown && <EntryStrip entry={entry} text={text} onReview={() => review(entry.to)} />}
    </div>
  );
}

/** On the page of a project or area, only changes there. */
function concerns({ rows, idOf }: Store, { changes }: ActivityEntry, route: Route): boolean {
  if (route.screen !== 'project' && route.screen !== 'area') return true;
  const shown = idOf(route.id);
  return changes.some(({ entity, id, fields }) => {
    const row = rows.table(entity).find(id);
    const projectId = row !== undefined && 'projectId' in row ? row.projectId : id;
    const areaId = rows.projects.find(projectId ?? '')?.areaId;
    return [id, projectId, areaId, ...fields.map(({ before }) => before)].includes(shown);
  });
}

type EntryStripProps = { entry: ActivityEntry; text: string; onReview: () => void };

function EntryStrip({ entry, text, onReview }: EntryStripProps) {
  const store = useStore();
  const undo = async () => {
    const answer = await undoStamps(store, entry.stamps, text);
    if (answer !== null) onReview();
  };
  const review = () => {
    reviewedKind.value = entry.actor.kind;
    onReview();
  };
  return (
    <div class="strip">
      <ActorMark kind={entry.actor.kind} />
      <div class="grow">
        <span class="b" dir="auto">
          {activityWords.actor(entry.actor)}
        </span>{' '}
        {describeEntry(entry)}
        <span class="hide-phone">{' · '}</span>
        <time class="hide-phone" dateTime={entry.to}>
          {formatTime(entry.to, store)}
        </time>
      </div>
      <div class="acts">
        <WriteButton class="btn quiet hide-phone" text={messageWords.undo} onPress={() => void undo()} />
        <a class="btn" href={hrefOf({ screen: 'activity' })} onClick={review}>
          {words.review}
        </a>
      </div>
    </div>
  );
}

/** Changes of the account up to here have been reviewed on this device. */
function useReviewed(): [string, (until: string) => void] {
  const name = `reviewed-until-${useStore().account.value?.id}`;
  const [, redraw] = useState('');
  const review = (until: string) => {
    deviceStorage.setItem(name, until);
    redraw(until);
  };
  return [deviceStorage.getItem(name) ?? '', review];
}

/** The newest unreviewed, recent entry of others; read when their changes arrive. */
function useLatestEntry(reviewedUntil: string): ActivityEntry | null {
  const store = useStore();
  const path = store.connection.value === 'online' ? activityPath({ by: 'others' }) : null;
  const page = useRead<ActivityPage>(path, store.actors.lastChange.value);
  const entries = typeof page === 'object' ? page.entries : [];
  const oldest = new Date(store.minute.value.getTime() - shownMilliseconds).toISOString();
  const [entry = null] = entries.filter(({ isUndo }) => !isUndo).flatMap(standing);
  return entry !== null && entry.to > oldest && entry.to > reviewedUntil ? entry : null;
}

/** Without undone changes; undefined if all were undone. */
function standing({ changes, ...entry }: ActivityEntry): ActivityEntry[] {
  const left = changes.filter(({ isUndone }) => !isUndone);
  const stamps = [...new Set(left.map(({ stamp }) => stamp))];
  return left.length === 0 ? [] : [{ ...entry, changes: left, stamps }];
}
