/** Of the database `name` on the server that `serverUrl`, the URL of any of its databases, leads to. */
export function databaseUrlOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
