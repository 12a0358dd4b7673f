import { type Html, html } from '#shared/html/html.ts';

type PasskeyButton = {
  label: string;
  /** The form field for the browser's response. */
  field: string;
  /** WebAuthn's options as JSON (§5.1.8, §5.1.9). */
  options: object;
  makesOne?: boolean;
  /** Also offered where the browser fills in the user's name (§5.1.4, conditional mediation). */
  isOfferedInField?: boolean;
};

/** A button that requests a passkey and submits the form. Created by the page's script, which it requires. */
export function passkeyButton(button: PasskeyButton): Html {
  const { label, field, options, makesOne = false, isOfferedInField = false } = button;
  return html`<input type="hidden" name="${field}">
<div class="stack" data-passkey="${makesOne ? 'create' : 'get'}" data-options="${JSON.stringify(options)}"
data-field="${field}" data-label="${label}"${isOfferedInField && html` data-offered-in-field`}></div>
`;
}
