import { apiRootPath, assistantPath } from '#shared/http/protected-resource-urls.ts';
import { findSignedInUser } from '../browser/browser-session-service.ts';
import type { Context } from '../context.ts';
import { type Html, html } from '../html/html.ts';
import { productName, sendPage } from '../html/page.ts';
import type { Route } from '../http/route.ts';
import { homePath, signInPath, signUpPath } from '../sign-in/sign-in-paths.ts';

export function frontPageRoute(context: Context): Route {
  return {
    path: '/',
    method: 'get',
    async handler(req, res) {
      if ((await findSignedInUser(context, req)) !== undefined) return res.redirect(303, homePath);
      const heading = html`Your tasks, for scripts and assistants`;
      sendPage(res, { title: productName, heading, body: frontPage(context) });
    },
  };
}

function frontPage({ config }: Context): Html {
  return html`<p class="lead">Keep your tasks in projects and areas, and let scripts and assistants work with them through a REST API. Scripts bring a personal token; apps and assistants ask for your permission (OAuth 2.0), which you can take back at any time.</p>
<p class="row">${signInLinks(config.signUp === 'open')}
<a class="button" href="${apiRootPath}/docs">API reference</a></p>
<section class="card stack">
<h2>Connect an assistant</h2>
<p>Give it this address. It sends you here to sign in and to allow what it asks for.</p>
<p class="row" data-copy="#address"><code id="address">${config.baseUrl}${assistantPath}</code></p>
</section>
<section class="card stack">
<h2>Call the API yourself</h2>
<p>Create a personal token under <a href="/settings/api">Settings → API</a>; the <a href="${apiRootPath}/docs">reference</a> shows every call and tries it out.</p>
</section>`;
}

function signInLinks(isSignUpOpen: boolean): Html {
  return html`<a class="button primary" href="${signInPath}">Sign in</a>
${isSignUpOpen && html`<a class="button" href="${signUpPath}">Create an account</a>`}`;
}
