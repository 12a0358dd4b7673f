import { copiedAddress } from '#shared/html/assistant-address.ts';
import { type Html, html } from '#shared/html/html.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { findSignedInUser } from '../browser/browser-session-service.ts';
import type { Context } from '../context.ts';
import { icon } from '../html/icon.ts';
import { type Page, sendPage } from '../html/page.ts';
import { productName } from '../html/text.ts';
import type { Route } from '../http/route.ts';
import { homePath, signInPath, signUpPath } from '../sign-in/sign-in-paths.ts';

/** Redirects signed-in users to the web app. */
export const frontPageRoute: Route = {
  path: '/',
  method: 'get',
  async handler({ context, req, res }) {
    if ((await findSignedInUser(context, req)) !== undefined) return res.redirect(303, homePath);
    sendPage(res, frontPage(context));
  },
};

function frontPage({ config }: Context): Page {
  const isSignUpOpen = config.signUp === 'open';
  const body = html`<section class="hero">
<div>
<h1>Your tasks, and the assistants that help with them</h1>
<p class="lead">A calm list for you. A REST API and an assistant server for everything else.
Both work on the same tasks, and you see and undo whatever they change.</p>
<p class="row">${isSignUpOpen && html`<a class="btn big primary" href="${signUpPath}">Create an account</a>`}
<a class="btn big${!isSignUpOpen && ' primary'}" href="${signInPath}">Sign in</a></p>
</div>
${samplePeek}
</section>
<section class="trio">
<div class="card">${icon('bot')}
<h2>Connect an assistant</h2>
<p class="muted">Give it this address; it sends you here to allow what it asks for.</p>
${copiedAddress(config.baseUrl)}
</div>
<div class="card">${icon('code')}
<h2>Call the API</h2>
<p class="muted">Create a personal token under <a href="/settings/api">Settings</a>,
then read and write tasks, projects and areas.
The <a href="${apiRootPath}/docs">reference</a> shows every call and tries it out.</p>
</div>
<div class="card">${icon('lock')}
<h2>Yours alone</h2>
<p class="muted">It runs on your own server.
You choose who may read and write, and can revoke it at any time.</p>
</div>
</section>`;
  const links = html`<a class="btn quiet hide-phone" href="${apiRootPath}/docs">API reference</a>
<a class="btn quiet" href="${signInPath}">Sign in</a>`;
  return { title: productName, body, layout: { kind: 'front', links } };
}

const botMark = html`<span class="bot">${icon('bot')}</span>`;
const byAssistant = html`<span class="chip who-did">${icon('bot', 'small')}Assistant</span>`;

/** An illustration of the app, hidden from screen readers: the text of the page describes it. */
const samplePeek: Html = html`<div class="card peek" aria-hidden="true">
<p class="title">Today</p>
<div class="strip">${botMark}<span>Your assistant planned your day</span><span>Undo</span></div>
<ul>
${row('Call the dentist', html`<span class="when">${icon('bell', 'small')}10:30</span>`)}
${row('Review the quarterly report', html`<span class="when late">${icon('flag', 'small')}today</span>`)}
${row('Pack the kitchen', html`<span class="count">${icon('list', 'small')}1/4</span>${byAssistant}`)}
${row('Water the plants', html`<span class="count">${icon('repeat', 'small')}</span>`, true)}
</ul>
</div>`;

function row(title: string, details: Html, isDone = false): Html {
  const box = html`<span class="box">${icon('check', 'small')}</span>`;
  const words = html`<span class="words"><span>${title}</span>${details}</span>`;
  return html`<li${isDone && html` class="is-done"`}>${box}${words}</li>\n`;
}
