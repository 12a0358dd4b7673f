import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { isKnownZone } from '../dates/civil-date.ts';
import { deviceStorage } from '../store/device-storage.ts';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { Strip } from './strip.tsx';

const hiddenName = 'hidden-zone';

/** Warns that the browser does not know the account's time zone and uses the device's, until dismissed. */
export function ZoneStrip() {
  const store = useStore();
  const [hidden, setHidden] = useState(deviceStorage.getItem(hiddenName));
  const zone = store.account.value?.timezone;
  if (zone === undefined || zone === hidden || isKnownZone(zone)) return null;
  const hide = () => {
    deviceStorage.setItem(hiddenName, zone);
    setHidden(zone);
  };
  return (
    <Strip
      icon="clock"
      kind="plain"
      acts={
        <>
          <Button text={words.hide} kind="quiet" onPress={hide} />
          <a class="btn" href="/settings">
            {screenWords.settings}
          </a>
        </>
      }
    >
      {words.unknownZone(zone, store.timeZone.value)}
    </Strip>
  );
}
