import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { holdKeys } from '../keys/key-events.ts';
import { openedMenu } from '../menu/menu-state.ts';
import { closeOverlay, overlay } from '../overlays/overlay.ts';
import { TitledDialog } from '../overlays/titled-dialog.tsx';
import { location, navigate } from '../router.ts';
import type { PlanCap } from '../store/outbox-record.ts';
import { discardAlone } from '../store/record-choices.ts';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';
import { PlanLink } from './plan-link.tsx';

/** Shown when the free plan's projects are used up; the typed text can become a task. */
export function LimitDialog({ title }: { title: string }) {
  const store = useStore();
  return (
    <LimitCard
      limit="projects"
      title={title}
      onKeep={() => store.commands.addTask({ title })}
      onClose={closeOverlay}
    />
  );
}

/** The same after a refusal: the change was made offline, or another device used the limit up. */
export function RefusedLimitDialog() {
  const store = useStore();
  const refused = store.notices.planLimit.value;
  const { route } = location.value;
  const made = refused?.record.creates === true ? refused.record.row.id : null;
  const isShown = 'id' in route && store.idOf(route.id) === made;
  // The screen of the refused project no longer exists.
  useLayoutEffect(() => {
    if (isShown) navigate({ screen: 'inbox' }, { replace: true });
  }, [isShown]);
  const limit = refused?.record.refused?.limit;
  const isWanted = !useIsBusy() && limit !== undefined;
  useLayoutEffect(() => {
    if (isWanted) holdKeys();
  }, [isWanted]);
  if (refused === null || limit === undefined || !isWanted) return null;
  const { id, message, record, text } = refused;
  const close = () => {
    // The typed text is kept, to be retried or copied.
    if (text === null) store.discardRefused(id);
    else store.notices.closeLimits();
  };
  const keep = () => {
    store.discardRefused(id, discardAlone(id));
    store.commands.addTask({ title: record.title });
  };
  return <LimitCard limit={limit} title={record.title} message={message} onKeep={keep} onClose={close} />;
}

/** Whether a field, dialog or menu is being used, whose keys a dialog would take. */
function useIsBusy(): boolean {
  const [isInField, setInField] = useState(() => isField(document.activeElement));
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => setInField(isField(target));
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, []);
  return isInField || overlay.value !== null || openedMenu.value !== null;
}

const isField = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input, textarea');

type LimitCardProps = {
  limit: PlanCap;
  /** What was refused. */
  title: string;
  /** The server's message, for limits unknown to this app. */
  message?: string;
  onKeep: () => void;
  onClose: () => void;
};

function LimitCard({ limit, title, message = '', onKeep, onClose }: LimitCardProps) {
  const hint = hints[limit];
  return (
    <TitledDialog label={headings[limit]} onClose={onClose} narrow>
      <p dir="auto">{words.notAccepted(title)}</p>
      <p>{hint ?? message}</p>
      <div class="question-acts">
        {limit === 'projects' && (
          <Button
            text={words.keepAsTask}
            kind="primary"
            onPress={() => {
              onKeep();
              onClose();
            }}
          />
        )}
        {hint !== undefined && (
          <Button
            text={limit === 'areas' ? words.showAreas : words.showProjects}
            onPress={() => {
              onClose();
              navigate({ screen: 'lists' });
            }}
          />
        )}
        <PlanLink />
        <Button text={words.close} onPress={onClose} />
      </div>
    </TitledDialog>
  );
}

const hints: Partial<Record<PlanCap, string>> = {
  projects: words.projectLimitHint,
  areas: words.areaLimitHint,
};
const headings: Record<PlanCap, string> = {
  projects: words.projectLimit,
  areas: words.areaLimit,
  deadline: words.otherLimit,
  storage: words.otherLimit,
};
