import type { AppConnection } from '#shared/app/app-protocol.ts';
import { assistantWays, type StepPart } from '#shared/app/assistant-ways.ts';
import { useActivity } from '../records/use-activity.ts';
import { hrefOf } from '../router.ts';
import { PageHead } from '../screens/page-head.tsx';
import { connectionWords as words } from '../words/connection-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { ConnectedApp } from './connected-app.tsx';
import { assistantAddress, CopiedAddress } from './copied-address.tsx';
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

function AssistantWays() {
  return (
    <div class="ways">
      {assistantWays(assistantAddress()).map(({ name, steps }) => (
        <details key={name}>
          <summary>{name}</summary>
          <ol class="steps">
            {steps.map((parts) => (
              <li key={parts}>
                <div>{parts.map(stepPart)}</div>
              </li>
            ))}
          </ol>
        </details>
      ))}
    </div>
  );
}

function stepPart(part: StepPart) {
  if (typeof part === 'string') return part;
  if ('press' in part) return <b>{part.press}</b>;
  if ('type' in part) return <code>{part.type}</code>;
  return (
    <pre>
      <code>{part.command}</code>
    </pre>
  );
}
