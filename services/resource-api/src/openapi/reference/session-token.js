let current;

/** A short-lived access token of the browser's session, with its account; undefined where nobody is signed in. */
export async function sessionToken() {
  if (current === undefined || current.staleAt < Date.now()) current = await askForToken();
  return current;
}

async function askForToken() {
  const response = await fetch('/app/session/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) return;
  const token = await response.json();
  // The session may end sooner; the request is then refused as any other.
  return { ...token, staleAt: Date.now() + token.expiresIn * 800 };
}
