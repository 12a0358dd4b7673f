import { useState } from 'preact/hooks';
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

/** They are sent within seconds up to here. */
const unnoticedChanges = 100;

/**
 * What changes wait for: the operator, or their user, who is asked about refused ones and notes changed on both sides. Then
 * why days may be others than those meant.
 */
export function AskingStrips() {
  const store = useStore();
  /** Of the refusal that is shown; null: none. */
  const [place, setPlace] = useState<number | null>(null);
  const waiting = store.waitingCount.value;
  const refusals = store.notices.refusals.value;
  const [refusal] = refusals;
  // The panel of an open task asks itself.
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
                <button type="button" class="btn" onClick={() => setPlace(0)}>
                  {words.show}
                </button>
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
