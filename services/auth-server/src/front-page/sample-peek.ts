import { type Html, html } from '../html/html.ts';
import { icon } from '../html/icon.ts';

/** A picture of the app, made of text: whoever does not see it loses nothing. */
export const samplePeek: Html = html`<div class="card peek" aria-hidden="true">
<p class="title">Today</p>
<div class="strip"><span class="bot">${icon('bot')}</span><span>Your assistant planned your day</span><span>Undo</span></div>
<ul>
${row(html`<span>Call the dentist</span><span class="when">${icon('bell', 'small')}10:30</span>`)}
${row(html`<span>Review the quarterly report</span><span class="when late">${icon('flag', 'small')}today</span>`)}
${row(html`<span>Pack the kitchen</span><span class="count">${icon('list', 'small')}1/4</span><span class="chip who-did">${icon('bot', 'small')}Assistant</span>`)}
${row(html`<span>Water the plants</span><span class="count">${icon('repeat', 'small')}</span>`, true)}
</ul>
</div>`;

function row(words: Html, isDone = false): Html {
  return html`<li${isDone && html` class="is-done"`}><span class="box">${icon('check', 'small')}</span><span class="words">${words}</span></li>\n`;
}
