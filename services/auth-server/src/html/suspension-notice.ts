import { html } from './html.ts';

export const suspensionNotice = html`<p class="warning">Your account is suspended: everything can be read, nothing changed.
You can still revoke tokens, disconnect apps and sign browsers out. Ask whoever runs this service.</p>
`;
