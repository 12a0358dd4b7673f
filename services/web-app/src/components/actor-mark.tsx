import type { AppActor } from '#shared/app/app-protocol.ts';
import { useStore } from '../store/store-context.ts';
import { actorIcons, Icon } from './icon.tsx';

/** An icon, or the first letter of a person. */
export function ActorMark({ kind }: Pick<AppActor, 'kind'>) {
  const { account } = useStore();
  if (kind === 'browser') {
    return (
      <span class="bot you" aria-hidden="true">
        {account.value?.email.match(/./u)}
      </span>
    );
  }
  return (
    <span class={kind === 'app' ? 'bot' : 'bot script'}>
      <Icon name={actorIcons[kind]} />
    </span>
  );
}
