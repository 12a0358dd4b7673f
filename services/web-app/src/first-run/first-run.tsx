import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { CopiedAddress } from '../connections/copied-address.tsx';
import { useConnectedApps } from '../connections/use-connected-apps.ts';
import { formatKeys } from '../keys/key-map.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { hrefOf, location } from '../router.ts';
import { deviceStorage } from '../store/device-storage.ts';
import { isOpenTask } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { connectionWords } from '../words/connection-words.ts';
import { firstRunWords as words } from '../words/first-run-words.ts';
import { actionLabels } from '../words/key-words.ts';

const storageName = 'first-run';
const isHidden = signal(deviceStorage.getItem(storageName) === 'hidden');

/** Of an account without an open task and a connected app, until it is hidden: how to add and connect. */
export function FirstRun() {
  const store = useStore();
  if (isHidden.value || !store.isLoaded.value) return null;
  const hasTask = store.rows.tasks.all().some(isOpenTask);
  return hasTask ? null : <FirstRunCard />;
}

function FirstRunCard() {
  const apps = useConnectedApps();
  // Announces apps that are connected while the card is shown.
  const [wasConnected, setWasConnected] = useState<boolean | null>(null);
  useEffect(() => {
    if (wasConnected === null && apps !== null) setWasConnected(apps.length > 0);
  }, [apps, wasConnected]);
  if (wasConnected !== false) return null;
  return (
    <>
      <p class="lead">{words.lead}</p>
      <div class="first-run">
        <button type="button" class="add-row add-card" onClick={() => openOverlay({ kind: 'quick-add' })}>
          <Icon name="plus" />
          <span class="grow">
            <span class="vh">{words.add}: </span>
            {words.placeholder}
          </span>
          <kbd class="hide-phone">{formatKeys('n')}</kbd>
        </button>
        <ConnectCard names={(apps ?? []).map(({ name }) => name)} />
        <div class="key-line">
          <span class="hide-phone">
            <kbd>{formatKeys('Mod+k')}</kbd> {actionLabels.palette}
          </span>
          {location.value.route.screen !== 'today' && (
            <span class="hide-phone">
              <kbd>G</kbd> <kbd>T</kbd> {actionLabels.goToday}
            </span>
          )}
          <span class="hide-phone">
            <kbd>?</kbd> {actionLabels.keys}
          </span>
          <Button
            text={words.hide}
            kind="text"
            onPress={() => {
              deviceStorage.setItem(storageName, 'hidden');
              isHidden.value = true;
              document.getElementById('main')?.focus();
            }}
          />
        </div>
      </div>
    </>
  );
}

function ConnectCard({ names }: { names: readonly string[] }) {
  const isConnected = names.length > 0;
  return (
    <section class="card">
      <div class="intro">
        <span class="bot large">
          <Icon name="bot" />
        </span>
        <div class="grow">
          <h2>{connectionWords.connect}</h2>
          <p>{words.hint}</p>
        </div>
      </div>
      <CopiedAddress />
      <ol class="steps">
        <Step parts={words.openSettings} />
        <Step parts={[words.pasteAddress]} />
        <Step parts={words.say} />
      </ol>
      <div class={isConnected ? 'wait is-connected' : 'wait'}>
        <span class="pulse" />
        <span class="grow" role="status" dir="auto">
          {isConnected ? words.connected(names) : connectionWords.waiting}
        </span>
        <a class="btn text" href={hrefOf({ screen: 'assistants' })}>
          {words.stepByStep}
        </a>
        <a class="btn text" href="/settings/api">
          {words.withScript}
        </a>
      </div>
    </section>
  );
}

/** The middle part is emphasised: what to press or say. */
function Step({ parts: [before, strong, after] }: { parts: readonly string[] }) {
  return (
    <li>
      <span>
        {before}
        {strong !== undefined && <b>{strong}</b>}
        {after}
      </span>
    </li>
  );
}
