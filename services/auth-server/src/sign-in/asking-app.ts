import type { Context } from '../context.ts';
import { foreignText } from '../html/foreign-text.ts';
import { type Html, html } from '../html/html.ts';
import { findAuthorizationAt } from '../oauth/pending-authorization.ts';

/** What the app calls itself whose authorization waits at the path; undefined where none does. */
export async function findAskingApp(context: Context, returnTo: string): Promise<string | undefined> {
  const authorization = await findAuthorizationAt(context, returnTo);
  return authorization?.isDecided === false ? authorization.clientName : undefined;
}

/** Why somebody is to sign in, or to sign up. */
export function askingApp(clientName: string, step: 'Sign in' | 'Create an account'): Html {
  const name = foreignText(clientName);
  return html`<p>An app that calls itself <span class="claim">“${name}”</span> wants to use your tasks. ${step} to decide.</p>`;
}
