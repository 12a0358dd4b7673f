import type { Ref } from 'preact';
import { Icon } from './icon.tsx';

type Actor = { kind: 'app' | 'token' | 'browser' | 'operator'; name: string };

/** Who changed a row that has not been seen since. */
export function ActorChip({ actor, chip }: { actor: Actor; chip?: Ref<HTMLSpanElement> }) {
  return (
    <span ref={chip} class="chip who-did">
      <Icon name={actor.kind === 'token' ? 'code' : 'bot'} small />
      <span dir="auto">{actor.name}</span>
    </span>
  );
}

/** A change of this row has not been sent. */
export function WaitingChip({ label }: { label: string }) {
  return (
    <span class="chip">
      <Icon name="clock" small />
      {label}
    </span>
  );
}
