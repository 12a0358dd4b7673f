import { type ActivityEntry, type AppConnection, connectedAppsPath } from '#shared/app/app-protocol.ts';
import { initialOf } from '#shared/app/initial-of.ts';
import { formatTime } from '../dates/format-time.ts';
import { describeEntry } from '../records/describe-entry.ts';
import { useLastEntry } from '../records/use-activity.ts';
import { useStore } from '../store/store-context.ts';
import { connectionWords as words } from '../words/connection-words.ts';

type ConnectedAppProps = {
  app: AppConnection;
  /** The newest changes of the account; null until they are read. */
  recent: readonly ActivityEntry[] | null;
};

export function ConnectedApp({ app, recent }: ConnectedAppProps) {
  const store = useStore();
  const latest = recent?.find(({ actor }) => actor.id === app.id);
  const earlier = useLastEntry(app.id, recent !== null && latest === undefined);
  const last = latest ?? earlier;
  const when = (timestamp: string) => formatTime(timestamp, store);
  const used = app.lastUsedAt === null ? words.neverUsed : words.used(when(app.lastUsedAt));
  const describe = (entry: NonNullable<typeof last>): string => {
    if (entry === 'failed') return words.needsConnection;
    if (entry === 'none') return `${words.noDeed}, ${used}`;
    return words.lastDeed(describeEntry(entry), when(entry.to));
  };
  return (
    <li class="connected-app">
      <span class="app-logo" data-initial={initialOf(app.name)}>
        {app.hasLogo && <img src={`${connectedAppsPath}/${app.id}/logo`} alt="" />}
      </span>
      <div class="grow">
        <h3 class="cut">
          <bdi>{app.name}</bdi>
        </h3>
        {last !== undefined && <p>{describe(last)}</p>}
        {app.host !== null && <p class="muted">{words.describedBy(app.host)}</p>}
      </div>
    </li>
  );
}
