import { type AppConnection, connectedAppsPath } from '#shared/app/app-protocol.ts';
import { initialOf } from '#shared/app/initial-of.ts';
import { formatTime } from '../dates/format-time.ts';
import { describeEntry } from '../records/describe-entry.ts';
import { useActivity } from '../records/use-activity.ts';
import { useStore } from '../store/store-context.ts';
import { connectionWords as words } from '../words/connection-words.ts';

/** An app with its latest activity, kept up to date. */
export function ConnectedApp({ app }: { app: AppConnection }) {
  const { timeZone, minute } = useStore();
  const { list, entries } = useActivity({ actor: app.id });
  const [last] = entries;
  const when = (timestamp: string) => formatTime(timestamp, timeZone.value, minute.value);
  const used = app.lastUsedAt === null ? words.neverUsed : words.used(when(app.lastUsedAt));
  const deed =
    last === undefined ? `${words.noDeed}, ${used}` : words.lastDeed(describeEntry(last), when(last.to));
  return (
    <li class="connected-app">
      <span class="app-logo" data-initial={initialOf(app.name)}>
        {app.hasLogo && <img src={`${connectedAppsPath}/${app.id}/logo`} alt="" />}
      </span>
      <div class="grow">
        <h3 class="cut">
          <bdi>{app.name}</bdi>
        </h3>
        {list.state !== 'loading' && <p>{list.state === 'failed' ? words.needsConnection : deed}</p>}
        {app.host !== null && <p class="muted">{words.describedBy(app.host)}</p>}
      </div>
    </li>
  );
}
