import { assistantWays, isThisDevice, type StepPart, thisDeviceWarning } from '../app/assistant-ways.ts';
import { assistantPath } from '../http/protected-resource-urls.ts';
import { type Html, html } from './html.ts';

/** With a button that copies it, where there is script. A narrow page breaks it before its path. */
export function copiedAddress(baseUrl: string): Html {
  const address = html`<code id="address">${baseUrl}<wbr>${assistantPath}</code>`;
  return html`<div class="copy" data-copy="#address">${address}</div>`;
}

/** The address of the assistant server, and how each assistant is given it. */
export function addressAndWays(baseUrl: string): Html {
  const ways = assistantWays(baseUrl + assistantPath).map(
    ({ name, steps }) =>
      html`<details><summary>${name}</summary><ol class="steps">${steps.map(stepItem)}</ol></details>\n`,
  );
  return html`${copiedAddress(baseUrl)}
${isThisDevice(baseUrl) && html`<p class="warning">${thisDeviceWarning}</p>`}
<div class="ways">
${ways}</div>`;
}

function stepItem(parts: readonly StepPart[]): Html {
  return html`<li><div>${parts.map(stepPart)}</div></li>`;
}

function stepPart(part: StepPart): Html | string {
  if (typeof part === 'string') return part;
  if ('press' in part) return html`<b>${part.press}</b>`;
  if ('type' in part) return html`<code>${part.type}</code>`;
  return html`<pre><code>${part.command}</code></pre>`;
}
