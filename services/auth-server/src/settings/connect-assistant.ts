import { assistantWays, isThisDevice, type StepPart, thisDeviceWarning } from '#shared/app/assistant-ways.ts';
import { assistantPath } from '#shared/http/protected-resource-urls.ts';
import { copiedAddress } from '../html/copied-address.ts';
import { type Html, html } from '../html/html.ts';

/** The address of the assistant server, and how each assistant is given it. */
export function connectAssistant(baseUrl: string): Html {
  const address = baseUrl + assistantPath;
  const ways = assistantWays(address).map(
    ({ name, steps }) =>
      html`<details><summary>${name}</summary><ol class="steps">${steps.map(stepItem)}</ol></details>\n`,
  );
  return html`<section class="card stack">
<h2>Connect an assistant</h2>
<p>Give it this address. It opens a page here, where you decide what it may do.</p>
${copiedAddress(new URL(address))}
${isThisDevice(baseUrl) && html`<p class="warning">${thisDeviceWarning}</p>`}
<div class="ways">
${ways}</div>
</section>
`;
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
