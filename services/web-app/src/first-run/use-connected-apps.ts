import { useEffect, useState } from 'preact/hooks';
import { type AppConnections, connectedAppsPath } from '#shared/app/app-protocol.ts';

const intervalMilliseconds = 5000;

/** The names of connected apps, asked for while none is there and the page can be seen. */
export function useConnectedApps(): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    if (names.length > 0) return;
    const ask = () => {
      if (document.visibilityState === 'hidden') return;
      fetchNames().then(setNames, () => {});
    };
    ask();
    const timer = setInterval(ask, intervalMilliseconds);
    return () => clearInterval(timer);
  }, [names.length > 0]);
  return names;
}

async function fetchNames(): Promise<readonly string[]> {
  const response = await fetch(connectedAppsPath, { cache: 'no-store' });
  if (!response.ok) return [];
  const { apps }: AppConnections = await response.json();
  return apps.map(({ name }) => name);
}
