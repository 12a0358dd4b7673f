import { useEffect, useState } from 'preact/hooks';
import { type AppReminderChannels, appSessionPath } from '#shared/app/app-protocol.ts';
import { useStore } from '../store/store-context.ts';
import { reminderWords as words } from '../words/reminder-words.ts';

/** A note if no channel would deliver a reminder. */
export function ReminderNote() {
  const store = useStore();
  const [channels, setChannels] = useState<AppReminderChannels | null>(null);
  useEffect(() => {
    // Unknown while offline.
    store.read<AppReminderChannels>(`${appSessionPath}/reminders`).then(setChannels, () => undefined);
  }, []);
  if (channels === null || channels.push || channels.mail) return null;
  return (
    <p class="pick-note" role="status">
      {words.nothingSent} <a href="/settings/reminders">{words.turnOn}</a>
    </p>
  );
}
