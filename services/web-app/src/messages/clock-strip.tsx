import { useEffect, useState } from 'preact/hooks';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';
import { Strip } from './strip.tsx';

const hourMilliseconds = 3_600_000;

/** Warns if the device's clock, which determines dates, is wrong by hours. */
export function ClockStrip() {
  const isOnline = useStore().connection.value === 'online';
  const [hours, setHours] = useState(0);
  useEffect(() => {
    if (!isOnline) return;
    // Every response contains the service's time.
    fetch('/app/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' }).then(
      ({ headers }) => {
        const difference = Date.now() - Date.parse(headers.get('Date') ?? '');
        setHours(Math.trunc(difference / hourMilliseconds) || 0);
      },
      () => undefined,
    );
  }, [isOnline]);
  if (hours === 0) return null;
  return (
    <Strip icon="clock" kind="care">
      {words.wrongClock(hours)}
    </Strip>
  );
}
