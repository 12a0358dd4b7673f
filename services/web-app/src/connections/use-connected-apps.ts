import { useEffect, useState } from 'preact/hooks';
import { type AppConnection, type AppConnections, connectedAppsPath } from '#shared/app/app-protocol.ts';

const intervalMilliseconds = 5000;

/** Connected apps, asked for while none is there and the page can be seen; null until the first response. */
export function useConnectedApps(): readonly AppConnection[] | null {
  const [apps, setApps] = useState<readonly AppConnection[] | null>(null);
  const isWaiting = apps === null || apps.length === 0;
  useEffect(() => {
    if (!isWaiting) return;
    const ask = () => {
      if (document.visibilityState === 'hidden') return;
      fetchApps().then(setApps, () => {});
    };
    ask();
    const timer = setInterval(ask, intervalMilliseconds);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return apps;
}

async function fetchApps(): Promise<readonly AppConnection[]> {
  const response = await fetch(connectedAppsPath, { cache: 'no-store' });
  if (!response.ok) return [];
  const { apps }: AppConnections = await response.json();
  return apps;
}
