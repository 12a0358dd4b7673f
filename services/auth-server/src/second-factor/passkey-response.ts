/** The browser's WebAuthn response, as sent by the page's script; undefined if it names no passkey. */
export function readPasskeyResponse<Sent extends { id: string }>(text: string): Sent | undefined {
  const sent = parse(text);
  const { id }: { id?: unknown } = Object(sent);
  // The library checks the rest.
  return typeof id === 'string' && /^[\w-]+$/.test(id) ? (sent as Sent) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
