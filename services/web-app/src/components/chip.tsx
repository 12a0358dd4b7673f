import type { Ref } from 'preact';
import type { AppActor } from '#shared/app/app-protocol.ts';
import { Icon } from './icon.tsx';

/** The actor of an unseen change of a row. */
export function ActorChip({ actor, chip }: { actor: AppActor; chip?: Ref<HTMLSpanElement> }) {
  return (
    <span ref={chip} class="chip who-did">
      <Icon name={actor.kind === 'token' ? 'code' : 'bot'} small />
      <span class="cut" dir="auto">
        {actor.name}
      </span>
    </span>
  );
}
