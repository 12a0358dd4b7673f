import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon, type IconName } from '../components/icon.tsx';
import { AssistantStrip, RefusalDialog } from '../loading/load-later.tsx';
import { location } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { messageWords as words } from '../words/message-words.ts';
import { quotedTitle } from '../words/quoted-title.ts';

/** What the whole screen is about: no connection, suspension, refused changes, a new version, an assistant's work. */
export function Strips() {
  const store = useStore();
  const [isRefusalOpen, setRefusalOpen] = useState(false);
  const connection = store.connection.value;
  const waiting = store.waitingCount.value;
  const refusals = store.notices.refusals.value;
  const [refusal] = refusals;
  // The panel of an open task asks itself.
  const asked = store.notices.notesConflicts.value.find(({ taskId }) => taskId !== location.value.task);
  return (
    <div class="strips">
      <div role="status">
        {connection === 'offline' && (
          <Strip icon="clock" kind="plain">
            <span class="b">{words.offline}</span>{' '}
            {waiting === 0 ? words.offlineHint : words.waiting(waiting)}
          </Strip>
        )}
        {connection === 'suspended' && (
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
              <button type="button" class="btn" onClick={() => setRefusalOpen(true)}>
                {words.show}
              </button>
            }
          >
            <span class="b">{words.refused(refusals.length)}</span>{' '}
            <span dir="auto">
              {quotedTitle(refusal.record.title)}. {refusal.message}
            </span>
          </Strip>
        )}
        {asked && (
          <Strip
            icon="flag"
            kind="care"
            acts={
              <a class="btn" href={`/app/${asked.row.entity}/${asked.taskId}`}>
                {words.show}
              </a>
            }
          >
            <span class="b">{words.notesAsked}</span> <span dir="auto">{quotedTitle(asked.title)}</span>
          </Strip>
        )}
        {store.newVersion.value && waiting === 0 && (
          <Strip
            icon="repeat"
            kind="plain"
            acts={
              <button type="button" class="btn" onClick={() => store.loadNewVersion()}>
                {words.loadIt}
              </button>
            }
          >
            {words.newVersion}
          </Strip>
        )}
      </div>
      <AssistantStrip />
      {isRefusalOpen && refusal !== undefined && (
        <RefusalDialog key={refusal.id} refusal={refusal} onClose={() => setRefusalOpen(false)} />
      )}
    </div>
  );
}

type StripProps = {
  icon: IconName;
  kind: 'plain' | 'care';
  acts?: ComponentChildren;
  children: ComponentChildren;
};

function Strip({ icon, kind, acts, children }: StripProps) {
  return (
    <div class={`strip ${kind}`}>
      <Icon name={icon} />
      <div class="grow">{children}</div>
      {acts !== undefined && <div class="acts">{acts}</div>}
    </div>
  );
}
