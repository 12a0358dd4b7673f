import { useEffect, useRef } from 'preact/hooks';
import type { AppActor } from '#shared/app/app-protocol.ts';
import { ActorChip } from '../components/chip.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { useStore } from '../store/store-context.ts';
import { listWords } from '../words/list-words.ts';
import { cell } from './cell.ts';
import type { RowDate, RowFacts } from './row-facts.ts';

const seenMilliseconds = 3000;

type Marked = { id: string; facts: RowFacts; actor: AppActor | null; isWaiting: boolean };

/** Functions instead of components: scrolling renders five rows per frame, and each component costs time. */
export function rowMarks({ id, facts, actor, isWaiting }: Marked) {
  const { hasNotes, checklist, repeats } = facts;
  if (!hasNotes && checklist === null && !repeats && actor === null && !isWaiting) return null;
  return (
    <span {...cell} class="marks">
      {actor !== null && <UnseenActor id={id} actor={actor} />}
      {checklist !== null && mark('list', listWords.checklist, checklist)}
      {hasNotes && mark('note', listWords.hasNotes)}
      {repeats && mark('repeat', listWords.repeats)}
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

export function rowDates(facts: RowFacts, project: string | null) {
  const { reminder, due, deadline } = facts;
  if (project === null && reminder === null && due === null && deadline === null) return null;
  return (
    <span {...cell} class={project === null ? 'm' : 'm with-project'} tabIndex={-1} data-cell="date">
      {project !== null && (
        <span class="where cut" dir="auto">
          {project}
        </span>
      )}
      {reminder !== null && dateText(reminder)}
      {due !== null && dateText(due)}
      {deadline !== null && dateText(deadline)}
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
