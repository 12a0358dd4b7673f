/** A piece of a step: text, a label to press, something to type, or a whole command on lines of its own. */
export type StepPart = string | { press: string } | { type: string } | { command: string };

/** How one assistant is given the address of the assistant server. */
type AssistantWay = {
  name: string;
  /** It asks the service from its vendor's cloud. */
  isInCloud?: true;
  steps: readonly (readonly StepPart[])[];
};

const allow: readonly StepPart[] = ['Sign in here if you are asked to, and choose ', { press: 'Allow' }, '.'];

/** For the app and for Settings: of the assistants that can reach it. `address`: of the assistant server. */
export function assistantWays(address: string): readonly AssistantWay[] {
  const ways: readonly AssistantWay[] = [
    {
      name: 'Claude on the web and desktop',
      isInCloud: true,
      steps: [
        [
          'In Claude open ',
          { press: 'Settings → Connectors' },
          ' and choose ',
          { press: 'Add custom connector' },
          '.',
        ],
        ['Paste the address and choose ', { press: 'Add' }, ', then ', { press: 'Connect' }, '.'],
        allow,
      ],
    },
    {
      name: 'Claude Code',
      steps: [
        ['Run this in a terminal:', { command: `claude mcp add --transport http tasks ${address}` }],
        [
          'In Claude Code type ',
          { type: '/mcp' },
          ', choose ',
          { press: 'tasks' },
          ' and then ',
          { press: 'Authenticate' },
          '.',
        ],
        allow,
      ],
    },
    {
      name: 'ChatGPT',
      isInCloud: true,
      steps: [
        [
          'In ChatGPT open ',
          { press: 'Settings → Apps & Connectors → Advanced settings' },
          ' and switch on ',
          { press: 'Developer mode' },
          '.',
        ],
        ['Go back, choose ', { press: 'Create' }, ', paste the address and choose ', { press: 'OAuth' }, '.'],
        allow,
      ],
    },
    {
      name: 'VS Code',
      steps: [
        [
          'Run this in a terminal:',
          { command: `code --add-mcp '${JSON.stringify({ name: 'tasks', type: 'http', url: address })}'` },
        ],
        ['In the chat choose ', { press: 'Agent' }, '; VS Code asks to open this page.'],
        allow,
      ],
    },
    {
      name: 'Cursor',
      steps: [
        [
          'Open ',
          { press: 'Cursor Settings → Tools & MCP' },
          ', choose ',
          { press: 'New MCP Server' },
          ' and add this:',
          { command: JSON.stringify({ mcpServers: { tasks: { url: address } } }, null, 2) },
        ],
        ['Choose ', { press: 'Connect' }, ' beside ', { press: 'tasks' }, '.'],
        allow,
      ],
    },
    {
      name: 'Any other',
      steps: [
        [
          'Add a remote MCP server (Streamable HTTP) with the address. ' +
            'It registers itself: there is no key to copy.',
        ],
        allow,
      ],
    },
  ];
  return ways.filter(({ isInCloud }) => !isInCloud || !isThisDevice(address));
}

export const thisDeviceWarning =
  'This service runs only on this device: the assistant must run here, too, ' +
  'such as Claude Code, Cursor or VS Code. Web assistants can’t reach it.';

/** Whether assistants on other devices can't reach the service. */
export function isThisDevice(origin: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
}
