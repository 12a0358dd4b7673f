import { assistantPath } from '#shared/http/protected-resource-urls.ts';
import { copiedAddress } from '../html/copied-address.ts';
import { type Html, html } from '../html/html.ts';

/** The address of the assistant server, and how each assistant is given it. */
export function connectAssistant(baseUrl: string): Html {
  const address = baseUrl + assistantPath;
  return html`<section class="card stack">
<h2>Connect an assistant</h2>
<p>Give it this address. It brings you here, where you decide what it may do.</p>
${copiedAddress(new URL(address))}
${isThisDevice(baseUrl) && html`<p class="warning">This service runs on this device alone: an assistant must run here too, such as Claude Code, Cursor or VS Code. Those on the web can’t reach it.</p>`}
<div class="ways">
${waysOf(address).map(({ name, steps }) => html`<details><summary>${name}</summary><ol class="steps">${steps.map((step) => html`<li><div>${step}</div></li>`)}</ol></details>\n`)}</div>
</section>
`;
}

type Way = { name: string; steps: readonly Html[] };

const allow = html`Sign in here if you are asked to, and choose <b>Allow</b>.`;

function waysOf(address: string): Way[] {
  return [
    {
      name: 'Claude',
      steps: [
        html`In Claude open <b>Settings → Connectors</b> and choose <b>Add custom connector</b>.`,
        html`Paste the address and choose <b>Add</b>, then <b>Connect</b>.`,
        allow,
      ],
    },
    {
      name: 'Claude Code',
      steps: [
        html`Run this in a terminal:${command(`claude mcp add --transport http tasks ${address}`)}`,
        html`In Claude Code type <code>/mcp</code>, choose <b>tasks</b> and then <b>Authenticate</b>.`,
        allow,
      ],
    },
    {
      name: 'ChatGPT',
      steps: [
        html`In ChatGPT open <b>Settings → Apps &amp; Connectors → Advanced settings</b> and switch on <b>Developer mode</b>.`,
        html`Go back, choose <b>Create</b>, paste the address and choose <b>OAuth</b>.`,
        allow,
      ],
    },
    {
      name: 'Cursor',
      steps: [
        html`Open <b>Cursor Settings → Tools &amp; MCP</b>, choose <b>New MCP Server</b> and add this:${command(
          JSON.stringify({ mcpServers: { tasks: { url: address } } }, null, 2),
        )}`,
        html`Choose <b>Connect</b> beside <b>tasks</b>.`,
        allow,
      ],
    },
    {
      name: 'VS Code',
      steps: [
        html`Run this in a terminal:${command(
          `code --add-mcp '${JSON.stringify({ name: 'tasks', type: 'http', url: address })}'`,
        )}`,
        html`In the chat choose <b>Agent</b>; VS Code asks to open this page.`,
        allow,
      ],
    },
    {
      name: 'Any other',
      steps: [
        html`Add a remote MCP server (Streamable HTTP) with the address. It registers itself: there is no key to copy.`,
        allow,
      ],
    },
  ];
}

function command(text: string): Html {
  return html`<pre><code>${text}</code></pre>`;
}

function isThisDevice(baseUrl: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
}
