import { useEffect, useRef } from 'preact/hooks';
import type { AppActor } from '#shared/app/app-protocol.ts';
import { ActorChip } from '../components/chip.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { listWords } from '../words/list-words.ts';
import { cell } from './cell.ts';
import type { RowDate } from './row-facts.ts';

const seenMilliseconds = 3000;

type Marked = { task: TaskRow; actor: AppActor | null; isWaiting: boolean };

/** Functions instead of components: scrolling renders five rows per frame, and each component costs time. */
export function rowMarks({ task, actor, isWaiting }: Marked) {
  const { id, hasNotes, checklistDone, checklistTotal, recurrence } = task;
  if (!hasNotes && checklistTotal === 0 && recurrence === null && actor === null && !isWaiting) return null;
  return (
    <span {...cell} class="marks">
      {actor !== null && <UnseenActor id={id} actor={actor} />}
      {checklistTotal > 0 && mark('list', listWords.checklist, `${checklistDone}/${checklistTotal}`)}
      {hasNotes && mark('note', listWords.hasNotes)}
      {recurrence !== null && mark('repeat', listWords.repeats)}
      {isWaiting && (
        <span class="chip">
          <Icon name="clock" small />
          {listWords.waiting}
        </span>
      )}
    </span>
  );
}

function mark(icon: IconName, spoken: string, text?: string) {
  return (
    <span role="img" title={spoken} aria-label={text === undefined ? spoken : `${text} ${spoken}`}>
      {Icon({ name: icon, small: true })}
      {text !== undefined && <span class="num">{text}</span>}
    </span>
  );
}

/** The actor of the last change, until the row was visible for three seconds. */
function UnseenActor({ id, actor }: { id: string; actor: AppActor }) {
  const { actors } = useStore();
  const chip = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const row = chip.current?.closest('[data-row]');
    if (row == null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting === true && document.visibilityState === 'visible') {
        timer = setTimeout(() => actors.markSeen('task', id), seenMilliseconds);
      }
    });
    observer.observe(row);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [actor, id, actors]);
  return <ActorChip actor={actor} chip={chip} />;
}

export function rowDates(dates: readonly RowDate[], project: string | null) {
  if (project === null && dates.length === 0) return null;
  return (
    <span {...cell} class={project === null ? 'm' : 'm with-project'} tabIndex={-1} data-cell="date">
      {project !== null && (
        <span class="where cut" dir="auto">
          {project}
        </span>
      )}
      {dates.map(dateText)}
    </span>
  );
}

function dateText({ text, look, icon, spoken }: RowDate) {
  return (
    <time class={look ?? undefined}>
      {icon !== null && Icon({ name: icon, small: true })}
      {spoken !== null && <span class="vh">{spoken} </span>}
      {text}
    </time>
  );
}
