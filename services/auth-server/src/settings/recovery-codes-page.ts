import { html } from '#shared/html/html.ts';
import type { SettingsPage } from './settings-tab.ts';

/** The only page that shows the codes. `next`: a path of this site. */
export function recoveryCodesPage(codes: readonly string[], next: string): SettingsPage {
  const body = html`<section class="card stack">
<p><strong>Keep these codes where you find them without your phone</strong>:
on paper, or in a password manager. They are shown only once.</p>
<p>Each can be used once instead of your passkey or app.</p>
<pre class="secret" id="codes">${codes.join('\n')}</pre>
<div class="row" data-copy="#codes"></div>
<p>Other browsers stay signed in. You can <a href="/settings/sessions">sign them out</a>.</p>
<p><a class="btn primary" href="${next}">I have saved them: continue</a></p>
</section>
`;
  return { title: 'Your recovery codes', body };
}
