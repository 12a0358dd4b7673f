// Runs in a page of another origin than ours: an app without a server of its own, with the MCP SDK inside.
import { auth, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';

const redirectUrl = `${location.origin}/callback`;

function read(name) {
  const kept = sessionStorage.getItem(name);
  return kept === null ? undefined : JSON.parse(kept);
}

function keep(name, value) {
  sessionStorage.setItem(name, JSON.stringify(value));
}

const provider = {
  redirectUrl,
  clientMetadata: { client_name: 'Assistant in a page', redirect_uris: [redirectUrl] },
  state() {
    keep('state', crypto.randomUUID());
    return read('state');
  },
  clientInformation: () => read('client'),
  saveClientInformation: (client) => keep('client', client),
  tokens: () => read('tokens'),
  saveTokens: (tokens) => keep('tokens', tokens),
  discoveryState: () => read('discovery'),
  saveDiscoveryState: (discovery) => keep('discovery', discovery),
  saveCodeVerifier: (verifier) => keep('verifier', verifier),
  codeVerifier: () => read('verifier'),
  redirectToAuthorization: (url) => location.assign(url),
  invalidateCredentials: (what) =>
    what === 'all' ? sessionStorage.clear() : sessionStorage.removeItem(what),
};

/** Everything of an answer that a page is allowed to see. */
async function show(response) {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: isJson ? JSON.parse(text) : text,
  };
}

/** Begins where every assistant begins: with an API that refuses. */
async function connect(apiAddress) {
  const refused = await fetch(apiAddress);
  const challenge = extractWWWAuthenticateParams(refused);
  keep('address', apiAddress);
  return auth(provider, { serverUrl: apiAddress, ...challenge });
}

async function finish() {
  const answer = new URLSearchParams(location.search);
  if (answer.get('state') !== read('state')) throw new Error('this is not the answer to what was asked');
  const [authorizationCode, iss] = [answer.get('code'), answer.get('iss')];
  return auth(provider, { serverUrl: read('address'), authorizationCode, iss });
}

window.assistant = {
  connect,
  finish,
  refresh: () => auth(provider, { serverUrl: read('address') }),
  tokens: () => read('tokens'),
  async get(address) {
    const headers = { authorization: `Bearer ${read('tokens')?.access_token}` };
    return show(await fetch(address, { headers }));
  },
  async post(address, fields) {
    return show(await fetch(address, { method: 'POST', body: new URLSearchParams(fields) }));
  },
  clientId: () => read('client').client_id,
};
