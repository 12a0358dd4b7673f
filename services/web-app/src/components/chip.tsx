import type { Ref } from 'preact';
import type { AppActor } from '#shared/app/app-protocol.ts';
import { actorIcons, Icon } from './icon.tsx';

/** The actor of an unseen change of a row. */
export function ActorChip({ actor, chip }: { actor: AppActor; chip?: Ref<HTMLSpanElement> }) {
  return (
    <span ref={chip} class="chip who-did">
      <Icon name={actorIcons[actor.kind]} small />
      <span class="cut" dir="auto">
        {actor.name}
      </span>
    </span>
  );
}
