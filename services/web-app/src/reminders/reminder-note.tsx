import { type AppReminderChannels, appSessionPath } from '#shared/app/app-protocol.ts';
import { useRead } from '../records/use-read.ts';
import { reminderWords as words } from '../words/reminder-words.ts';

/** A note if no channel would deliver a reminder. */
export function ReminderNote() {
  const channels = useRead<AppReminderChannels>(`${appSessionPath}/reminders`);
  if (typeof channels !== 'object' || channels.push || channels.mail) return null;
  return (
    <p class="pick-note" role="status">
      {words.nothingSent} <a href="/settings/reminders">{words.turnOn}</a>
    </p>
  );
}
