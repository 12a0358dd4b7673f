import { type Html, html } from '#shared/html/html.ts';
import { permitExport } from '../account-data/export-permit-service.ts';
import { askForDeletion } from '../accounts/account-deletion-service.ts';
import { ownerOf } from '../browser/browser-session-service.ts';
import { guardedButton } from '../html/form.ts';
import { leadToSignIn } from '../sign-in/passed-address.ts';
import { keptNotice, dataPath as path } from '../sign-in/sign-in-paths.ts';
import { clearBrowser } from '../sign-in/sign-out.ts';
import { whenFresh } from './fresh-sign-in.ts';
import type { SettingsRequest, SettingsTab } from './settings-tab.ts';

const exportPath = `${path}/export`;
const deletePath = `${path}/delete`;

export const dataTab: SettingsTab = {
  path,
  label: 'Data',
  icon: 'data',
  notices: {
    [keptNotice]:
      'You signed in, so your account will not be deleted. Connect your apps and create your tokens again.',
  },
  show: async (request) => showData(request, false),
  forms: {
    [exportPath]: whenFresh(async (request) => {
      await permitExport(request.session, ownerOf(request.user));
      showData(request, true);
    }),
    [deletePath]: whenFresh(async (request) => {
      const { context, session, user } = request;
      await askForDeletion(session, user.account.id, context.config.accountDeletionDays);
      clearBrowser(request);
      leadToSignIn(request, { notice: 'deletion-asked' });
    }),
  },
};

function showData(request: SettingsRequest, isExportAllowed: boolean): void {
  const { user, csrf, context } = request;
  const body = html`<section class="card stack">
<h2>Export</h2>
<p>One file with everything: areas, projects, tasks, notes, the logbook and the Trash, as JSON.</p>
${
  isExportAllowed
    ? exportProgress
    : html`<form method="post" action="${exportPath}" class="scripted">
${csrf(exportPath)}
<button class="btn primary">Export everything</button>
</form>
<noscript><p class="error">Exporting needs JavaScript, which is off in this browser.</p></noscript>`
}
</section>
${user.account.status === 'active' && importCard}
<section class="card stack">
<h2>Delete the account</h2>
<p>Everything stops at once: browsers, apps and tokens. ${deletionTime(context.config.accountDeletionDays)}
Backups keep a copy until they expire.</p>
${guardedButton({
  opener: 'Delete my account…',
  consequence:
    'All your tasks, projects and notes will be deleted. Export them first if you want to keep them.',
  button: 'Delete my account',
  action: deletePath,
  csrf: csrf(deletePath),
})}
</section>`;
  request.sendPage({ title: 'Data', body });
}

function deletionTime(days: number): Html {
  if (days === 0) return html`Your data is erased at once and cannot be restored.`;
  const time = days === 1 ? 'a day' : `${days} days`;
  return html`Your data is erased after ${time}; signing in before then keeps the account.`;
}

const exportProgress = html`<div class="stack" data-export>
<progress aria-label="Exported" max="1" value="0"></progress>
<p role="status">The file is being created.</p>
</div>`;

const importCard = html`<section class="card stack">
<h2>Import</h2>
<p>A file that was exported here can be imported into an empty account, as a whole or not at all.
It must fit <a href="/settings/plan">your plan</a>: deadlines, or more projects and areas, need Premium.</p>
<form class="stack scripted" data-import>
<div class="field">
<label for="file">File</label>
<input type="file" id="file" name="file" accept=".json,application/json"
aria-describedby="file-error" required>
<p class="error" id="file-error" role="alert" hidden></p>
</div>
<progress aria-label="Imported" max="1" value="0" hidden></progress>
<p role="status" hidden></p>
<button class="btn">Import the file</button>
</form>
<noscript><p class="error">Importing needs JavaScript, which is off in this browser.</p></noscript>
</section>
`;
