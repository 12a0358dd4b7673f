import { type Html, html } from '#shared/html/html.ts';
import { type PlanLimits, planLimits } from '#shared/plans.ts';
import { findAccountUsage } from '../accounts/account-usage.ts';
import { maximumLiveTokens } from '../api-tokens/api-token-service.ts';
import { maximumApps } from '../oauth/grant-repository.ts';
import type { SettingsRequest, SettingsTab } from './settings-tab.ts';

/** The plan's limits and their usage. */
export const planTab: SettingsTab = {
  path: '/settings/plan',
  label: 'Plan',
  icon: 'card',
  show: showPlan,
};

const megabyteBytes = 1_024 * 1_024;

async function showPlan({ context, session, user, sendPage }: SettingsRequest): Promise<void> {
  const { id, plan } = user.account;
  const { accountStorageBytes, planContact, requestsPerTokenPerMinute, requestsPerAddressPerMinute } =
    context.config;
  const limits = planLimits[plan];
  const used = await findAccountUsage(session, id);
  const body = html`<section class="card stack">
<h2>Your plan: ${plan === 'premium' ? 'Premium' : 'Free'}</h2>
<dl>
<dt>Tasks, notes, repeats</dt> <dd>As many as you like</dd>
<dt>Active projects</dt> <dd>${share(used.projects, limits.projects)}</dd>
<dt>Areas</dt> <dd>${share(used.areas, limits.areas)}</dd>
<dt>Deadlines</dt> <dd>${limits.hasDeadlines ? 'Included' : 'Not included'}</dd>
<dt>Logbook</dt> <dd>${logbook(limits)}</dd>
<dt>Storage</dt> <dd>${storage(used.storedBytes, accountStorageBytes)}</dd>
<dt>Personal tokens</dt> <dd>${share(used.tokens, maximumLiveTokens)}</dd>
<dt>Connected apps</dt> <dd>${share(used.apps, maximumApps)}</dd>
<dt>Requests a minute</dt> <dd>${requestsPerTokenPerMinute} for each token or app,
${requestsPerAddressPerMinute} from one address</dd>
</dl>
<p class="fine">Storage holds tasks and projects with their notes,
their history, and responses stored for retries.</p>
${contact(planContact)}
</section>`;
  sendPage({ title: 'Plan', body });
}

function share(used: number, limit: number | null): string {
  return limit === null ? `${used}, as many as you like` : `${used} of ${limit}`;
}

function logbook({ logbookDays }: PlanLimits): string {
  return logbookDays === null ? 'Everything' : `The last ${logbookDays} days`;
}

function storage(usedBytes: number, limitBytes: number): Html {
  const share = `${(usedBytes / megabyteBytes).toFixed(1)} of ${limitBytes / megabyteBytes} MB`;
  return html`<label>${share} <meter min="0" max="${String(limitBytes)}" high="${String(0.9 * limitBytes)}"
value="${String(usedBytes)}"></meter></label>`;
}

function contact(address: string | undefined): Html {
  if (address === undefined)
    return html`<p>For another plan, or more storage, ask the operator of this service.</p>`;
  const href = address.startsWith('https:') ? address : `mailto:${address}`;
  return html`<p>For another plan, or more storage, contact <a href="${href}">${address}</a>.</p>`;
}
