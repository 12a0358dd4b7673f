import { navigate } from '../router.ts';
import type { OpenTaskMessage } from './open-task-message.ts';

/** Shows the task of a pressed notification; for a digest, Today. */
export function followOpenedReminders(signal: AbortSignal): void {
  const open = ({ data }: MessageEvent<OpenTaskMessage | undefined>) => {
    if (data?.openTask !== undefined) navigate({ screen: 'today' }, { task: data.openTask });
  };
  navigator.serviceWorker?.addEventListener('message', open, { signal });
}
