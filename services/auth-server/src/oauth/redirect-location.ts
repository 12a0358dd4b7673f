import { isDeepStrictEqual } from 'node:util';

/**
 * Where the package sends the browser, with the redirect target's own query as the client registered it: the package
 * writes that query anew in its own spelling, and it must be retained (RFC 6749 §3.1.2).
 */
export function retainQuery(location: string, redirectUri: string): string {
  const [sent, registered] = [URL.parse(location), URL.parse(redirectUri)];
  if (sent === null || registered === null || registered.search === '') return location;
  if (withoutQuery(sent) !== withoutQuery(registered)) return location;
  const own = [...registered.searchParams];
  const all = [...sent.searchParams];
  // Else a parameter of the answer has taken the place of one of the same name.
  if (!isDeepStrictEqual(all.slice(0, own.length), own)) return location;
  return `${redirectUri}&${new URLSearchParams(all.slice(own.length))}`;
}

function withoutQuery({ href, search }: URL): string {
  return href.slice(0, href.length - search.length);
}
