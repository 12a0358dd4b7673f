import { useRef, useState } from 'preact/hooks';
import { isThisDevice, thisDeviceWarning } from '#shared/app/assistant-ways.ts';
import { assistantPath } from '#shared/http/protected-resource-urls.ts';
import { connectionWords as words } from '../words/connection-words.ts';

export function assistantAddress(): string {
  return window.location.origin + assistantPath;
}

/** The address of the assistant server, with a button to copy or select it, and a note if it is local. */
export function CopiedAddress() {
  const [label, setLabel] = useState(words.copy);
  const shown = useRef<HTMLElement>(null);
  const copy = () => {
    navigator.clipboard.writeText(assistantAddress()).then(
      () => setLabel(words.copied),
      () => {
        if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
        setLabel(words.copyByHand);
      },
    );
  };
  return (
    <>
      <div class="copy">
        <span ref={shown}>{assistantAddress()}</span>
        <button type="button" class="btn" aria-live="polite" onClick={copy}>
          {label}
        </button>
      </div>
      {isThisDevice(window.location.origin) && <p class="warning">{thisDeviceWarning}</p>}
    </>
  );
}
