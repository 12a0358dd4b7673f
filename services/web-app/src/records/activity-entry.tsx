import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ActivityChange, ActivityEntry, FieldChange, UndoResponse } from '#shared/app/app-protocol.ts';
import { ActorMark } from '../components/actor-mark.tsx';
import { Button } from '../components/button.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { formatTime } from '../dates/format-time.ts';
import { writeBlock } from '../list/task-actions.ts';
import { hrefOf } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { type Deed, activityWords as words } from '../words/activity-words.ts';
import { quotedTitle } from '../words/quoted-title.ts';
import { ChangedNotes } from './changed-notes.tsx';
import { countNotListed, deedOf, describeEntry, sayEntry } from './describe-entry.ts';
import { describeChecklist, formatValue, saidFields } from './field-values.ts';
import { OldAndNew } from './old-and-new.tsx';

const shownChanges = 5;

export type Undo = (stamps: readonly string[], label: string) => Promise<void>;
export type Undoing = {
  undo: Undo;
  /** Changes that could not be undone, with the reason. */
  kept: UndoResponse['kept'];
};

type EntryProps = { entry: ActivityEntry; undoing: Undoing };

/** Changes of one actor within two minutes: a summary, then old and new values. */
export function ActivityItem({ entry, undoing }: EntryProps) {
  const store = useStore();
  const [isOpen, setOpen] = useState(false);
  const { actor, changes, stamps } = entry;
  const kind = words.kinds[actor.kind];
  const shown = isOpen ? changes : changes.slice(0, shownChanges);
  const rest = changes.length - shown.length;
  const notListed = countNotListed(entry);
  const isWritable = writeBlock(store) === null;
  const isUndone = changes.every((change) => change.isUndone);
  const isTouched = changes.some((change) => change.isUndone || change.isPartlyUndone);
  const said = sayEntry(entry);
  const time = formatTime(entry.to, store);
  const lines = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    if (isOpen) lines.current?.children[shownChanges]?.querySelector<HTMLElement>('.t')?.focus();
  }, [isOpen]);
  return (
    <li class={isUndone ? 'batch is-undone' : 'batch'}>
      <ActorMark kind={actor.kind} />
      <div>
        <p class="what" dir="auto">
          <b>{words.actor(actor)}</b> {describeEntry(entry)}
        </p>
        <p class="when">
          {time}
          {kind !== null && ` · ${kind}`}
          {isTouched && !isUndone && ` · ${words.partlyUndone}`}
        </p>
      </div>
      {(isWritable || isUndone) && (
        <UndoButton name={`${said}, ${time}`} isUndone={isUndone} onUndo={() => undoing.undo(stamps, said)}>
          <Icon name="undo" small />
        </UndoButton>
      )}
      <ul class="diff" ref={lines}>
        {shown.map((change, index) => (
          <ChangeLine
            key={index}
            change={change}
            lostDay={changes.some((each) => each.id === change.id && losesDay(each))}
            kept={undoing.kept}
            together={isWritable ? countTogether(change, entry) : 0}
            onUndo={(label) => undoing.undo([change.stamp], label)}
          />
        ))}
        {rest > 0 && (
          <li>
            <Button text={words.more(rest)} kind="text unfold" onPress={() => setOpen(true)} />
          </li>
        )}
        {rest === 0 && notListed > 0 && <li class="muted">{words.notListed(notListed)}</li>}
      </ul>
    </li>
  );
}

/** Changes that this line's button undoes: its transaction's, on its first line, if not the whole entry. */
function countTogether(change: ActivityChange, { changes, leftOut }: ActivityEntry): number {
  const { stamp, isUndone } = change;
  const together = changes.filter((each) => each.stamp === stamp && each.isUndone === isUndone);
  const isPart = together[0] === change && together.length < changes.length;
  return isPart ? together.length + (leftOut[stamp] ?? 0) : 0;
}

type UndoButtonProps = {
  /** What the button undoes. */
  name: string;
  isUndone: boolean;
  /** Of a line: number of changes that it undoes. */
  count?: number;
  onUndo: () => Promise<void>;
  children?: ComponentChildren;
};

/** Remains after a press, to keep the focus. */
function UndoButton({ name, isUndone, count = 0, onUndo, children }: UndoButtonProps) {
  const said = isUndone ? words.undone : count > 1 ? words.undoThese(count) : words.undo;
  return (
    <button
      type="button"
      class={count > 0 ? 'btn text' : 'btn'}
      aria-label={`${said}: ${name}`}
      aria-disabled={isUndone || undefined}
      onClick={() => isUndone || void onUndo()}
    >
      {children}
      {said}
    </button>
  );
}

const losesDay = ({ fields }: ActivityChange): boolean =>
  fields.some(({ field, after }) => (field === 'dueDate' || field === 'deadlineDate') && after === null);

type ChangeLineProps = {
  change: ActivityChange;
  lostDay: boolean;
  kept: UndoResponse['kept'];
  /** 0: no button here. */
  together: number;
  onUndo: (label: string) => Promise<void>;
};

function ChangeLine({ change, lostDay, kept, together, onUndo }: ChangeLineProps) {
  const { entity, id, title, fields, stamp, isUndone } = change;
  const deed = deedOf(change);
  const own = words.say(deed, quotedTitle(title));
  const name = together > 1 ? words.join([own, words.more(together - 1)]) : own;
  const what = (
    <>
      {/* With a direction of its own, it does not decide that of the title. */}
      <span class="vh" dir="ltr">
        {words.saySingle(deed)}:{' '}
      </span>
      {title}
    </>
  );
  const said = saidFields(fields, lostDay);
  const stays = kept.filter((each) => each.id === id && each.stamp === stamp);
  return (
    <li class={isUndone ? 'is-undone' : ''}>
      <Icon name={icons[deed] ?? 'pen'} small />
      <div class="said">
        {entity === 'task' || entity === 'project' ? (
          <a class="t cut" dir="auto" href={hrefOf({ screen: entity, id })}>
            {what}
          </a>
        ) : (
          <span class="t cut" dir="auto" tabIndex={-1}>
            {what}
          </span>
        )}
        {said.map((each) => (
          <span key={each.field} class="values">
            <span class={said.length > 1 ? 'muted' : 'vh'}>{words.fieldName(each.field)} </span>
            <Values {...each} />
          </span>
        ))}
        {stays.map(({ field, reason }) => (
          <span key={field} class="note">
            {words.stays(reason)}
          </span>
        ))}
      </div>
      {together > 0 && (
        <UndoButton name={name} isUndone={isUndone} count={together} onUndo={() => onUndo(name)} />
      )}
    </li>
  );
}

function Values({ field, before, after }: FieldChange) {
  const store = useStore();
  if (field === 'checklist') return <>{describeChecklist({ field, before, after })}</>;
  if (field === 'description' && isText(before) && isText(after))
    return <ChangedNotes before={before} after={after} />;
  const say = (value: unknown) => formatValue(field, value, store.today.value, store.rows);
  return <OldAndNew before={say(before)} after={say(after)} />;
}

function isText(value: unknown): value is string | null {
  return typeof value === 'string' || value === null;
}

const icons: Partial<Record<Deed, IconName>> = {
  added: 'plus',
  addedProject: 'plus',
  completed: 'check',
  cancelled: 'x',
  skipped: 'chev',
  reopened: 'undo',
  trashed: 'trash',
  restored: 'undo',
  deleted: 'trash',
  planned: 'upcoming',
  replanned: 'upcoming',
  unplanned: 'upcoming',
  deadline: 'flag',
  noDeadline: 'flag',
  reminder: 'bell',
  repeat: 'repeat',
  moved: 'list',
  notes: 'note',
  checklist: 'list',
  reordered: 'up',
};
