import type { AppConnection } from '#shared/app/app-protocol.ts';
import { useActivity } from '../records/use-activity.ts';
import { hrefOf } from '../router.ts';
import { PageHead } from '../screens/page-head.tsx';
import { connectionWords as words } from '../words/connection-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { AssistantWays } from './assistant-ways.tsx';
import { ConnectedApp } from './connected-app.tsx';
import { CopiedAddress } from './copied-address.tsx';
import { useConnectedApps } from './use-connected-apps.ts';

/** How to connect an assistant, and the latest activity of each connected app. */
export function ConnectionsScreen() {
  const apps = useConnectedApps();
  return (
    <>
      <PageHead title={screenWords.assistants} />
      <div class="connections">
        {apps !== null && apps.length > 0 && <ConnectedApps apps={apps} />}
        <section class="card" aria-labelledby="connect">
          <h2 id="connect">{words.connect}</h2>
          <p>{words.hint}</p>
          <CopiedAddress />
          <AssistantWays />
          {apps?.length === 0 && (
            <div class="wait">
              <span class="pulse" />
              <span role="status">{words.waiting}</span>
            </div>
          )}
        </section>
      </div>
    </>
  );
}

function ConnectedApps({ apps }: { apps: readonly AppConnection[] }) {
  // One list for all is kept up to date: with one for each, many apps would reach the limit of requests.
  const { list, entries } = useActivity();
  const recent = list.state === 'loading' ? null : entries;
  return (
    <section class="card" aria-labelledby="connected">
      <h2 id="connected">{words.connected}</h2>
      <p>{words.ownWord}</p>
      <ul class="apps">
        {apps.map((app) => (
          <ConnectedApp key={app.id} app={app} recent={recent} />
        ))}
      </ul>
      <p class="links">
        <a href={hrefOf({ screen: 'activity' })}>{words.history}</a>
        <a href="/settings/apps">{words.manage}</a>
      </p>
    </section>
  );
}
