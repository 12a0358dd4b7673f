import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { location } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';
import { quotedTitle } from '../words/quoted-title.ts';
import { ClockStrip } from './clock-strip.tsx';
import { PlanLink } from './plan-link.tsx';
import { RefusalDialog } from './refusal-dialog.tsx';
import { reasonOf } from './refusal-ways.ts';
import { Strip } from './strip.tsx';
import { ZoneStrip } from './zone-strip.tsx';

/** Up to this number, changes are sent within seconds. */
const unnoticedChanges = 100;

/** Strips about changes that wait for the operator or a decision, and about unexpected dates. */
export function AskingStrips() {
  const store = useStore();
  /** The position of the shown refusal; null: none. */
  const [place, setPlace] = useState<number | null>(null);
  const waiting = store.waitingCount.value;
  const refusals = store.notices.refusals.value;
  const [refusal] = refusals;
  // The panel of an open task has its own question.
  const asked = store.notices.notesConflicts.value.find(({ row }) => row.id !== location.value.task);
  return (
    <>
      <div role="status">
        {store.connection.value === 'suspended' && (
          <Strip icon="lock" kind="care">
            <span class="b">{words.suspended}</span> {words.suspendedHint}
            {waiting > 0 && ` ${words.suspendedWaiting(waiting)}`}
          </Strip>
        )}
        {refusal !== undefined && (
          <Strip
            icon="flag"
            kind="care"
            acts={
              <>
                {refusal.record.refused?.limit !== undefined && <PlanLink />}
                <Button text={words.show} onPress={() => setPlace(0)} />
              </>
            }
          >
            <span class="b">{words.refused(refusals.length)}</span>{' '}
            <span dir="auto">
              {quotedTitle(refusal.record.title)}
              {refusals.length > 1 ? words.andMore(refusals.length - 1) : `. ${reasonOf(store, refusal)}`}
            </span>
          </Strip>
        )}
        {asked && (
          <Strip
            icon="flag"
            kind="care"
            acts={
              <a class="btn" href={`/app/${asked.row.entity}/${asked.row.id}`}>
                {words.show}
              </a>
            }
          >
            <span class="b">{words.notesAsked}</span> <span dir="auto">{quotedTitle(asked.title)}</span>
          </Strip>
        )}
      </div>
      {/* Its number changes too often to be spoken. */}
      {store.connection.value === 'online' && waiting > unnoticedChanges && (
        <Strip icon="clock" kind="plain">
          {words.sending(waiting)}
        </Strip>
      )}
      {place !== null && <RefusalDialog place={place} onPlace={setPlace} />}
      <ClockStrip />
      <ZoneStrip />
    </>
  );
}
