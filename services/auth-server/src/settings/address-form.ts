import { type Html, html } from '#shared/html/html.ts';
import { askForAddressChange, readAddressChange } from '../accounts/address-change-service.ts';
import { findPendingAddress } from '../accounts/mail-link-repository.ts';
import { ownerOf } from '../browser/browser-session-service.ts';
import { fieldErrors, inputField } from '../html/form.ts';
import { formatTimestamp, untrustedText } from '../html/text.ts';
import { mailOrigin } from '../mail/mail-facts.ts';
import { countLinkOf, countLinkTo } from '../sign-in/sign-in-limits.ts';
import type { SettingsRequest } from './settings-tab.ts';

export const addressFormPath = '/settings/address';
export const cancelAddressPath = '/settings/address/cancel';

/** `headers`: of a response to too many requests. */
export type AddressForm = { email: string; error: string; headers?: Record<string, string> };

/** Sends a link to the new address; returns the state of the form. Does the same for a taken address. */
export async function requestAddressChange(
  { context, session, user }: SettingsRequest,
  form: URLSearchParams,
): Promise<AddressForm | undefined> {
  const email = (form.get('new_email') ?? '').trim();
  try {
    const change = await readAddressChange(session, user.account.id, { email });
    const link = await countLinkOf(context, user.account.id);
    if (!link.isAllowed) {
      const { headers, tryAgain } = link;
      return { email, headers, error: `Too many links were asked for. ${tryAgain}` };
    }
    await askForAddressChange(session, ownerOf(user), change);
    if (await countLinkTo(context.limiters.addressLink, email))
      await context.mail?.requestLink({ kind: 'address-change', change, origin: mailOrigin(session) });
    return undefined;
  } catch (error) {
    const { new_email: [message = ''] = [] } = fieldErrors(error, {
      email: { field: 'new_email', subject: 'This' },
    });
    return { email, error: message };
  }
}

/** Without mail it refers to the operator. */
export async function addressCard(request: SettingsRequest, sent?: AddressForm): Promise<Html> {
  const { context, csrf } = request;
  const byOperator = html`<p>This service cannot send mail.
Its operator can change the address of your account.</p>`;
  const form = html`<p>We send a link to the new address: your address changes when you open it.
The present address can revert that for a week, unless you return to a recent one.</p>
<form method="post" action="${addressFormPath}" class="stack">
${csrf(addressFormPath)}
${inputField({
  name: 'new_email',
  label: 'New e-mail address',
  type: 'email',
  autocomplete: 'email',
  value: sent?.email,
  errors: sent && [sent.error],
})}
<button class="btn primary">Send a link to it</button>
</form>`;
  return html`<section class="card stack">
<h2>E-mail address</h2>
${await pendingChange(request)}
${context.mail === undefined ? byOperator : form}
</section>
`;
}

async function pendingChange({ session, user, csrf }: SettingsRequest): Promise<Html | undefined> {
  const pending = await findPendingAddress(session.em, user.account.id, session.clock.now());
  if (pending === undefined) return undefined;
  const { email, expiresAt } = pending;
  return html`<p class="notice">Your address changes to <strong>${untrustedText(email)}</strong>
when you open the link that was sent there.
It works until ${formatTimestamp(expiresAt, user.account.timezone)}.</p>
<div class="row">
<form method="post" action="${addressFormPath}">
${csrf(addressFormPath)}
<input type="hidden" name="new_email" value="${email}">
<button class="btn">Send the link again</button>
</form>
<form method="post" action="${cancelAddressPath}">
${csrf(cancelAddressPath)}
<button class="btn">Cancel the change</button>
</form>
</div>`;
}
