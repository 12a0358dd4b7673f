import { useEffect, useState } from 'preact/hooks';
import { type AppConnection, type AppConnections, connectedAppsPath } from '#shared/app/app-protocol.ts';

const intervalMilliseconds = 5000;

/** Connected apps; null until the first response. Polled while there are none, and reread on focus. */
export function useConnectedApps(): readonly AppConnection[] | null {
  const [apps, setApps] = useState<readonly AppConnection[] | null>(null);
  const isWaiting = apps === null || apps.length === 0;
  useEffect(() => {
    const ask = () => {
      if (document.visibilityState === 'hidden') return;
      fetchApps().then(setApps, () => {});
    };
    ask();
    const timer = isWaiting ? setInterval(ask, intervalMilliseconds) : undefined;
    window.addEventListener('focus', ask);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', ask);
    };
  }, [isWaiting]);
  return apps;
}

async function fetchApps(): Promise<readonly AppConnection[]> {
  const response = await fetch(connectedAppsPath, { cache: 'no-store' });
  if (!response.ok) throw new Error(`the connected apps could not be read: ${response.status}`);
  const { apps }: AppConnections = await response.json();
  return apps;
}
