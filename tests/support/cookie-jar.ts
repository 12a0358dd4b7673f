type Cookie = { name: string; value: string; path: string };

export type CookieJar = {
  /** The Cookie header for a request of that path; '' when there is none. */
  header(path: string): string;
  keep(setCookieHeaders: readonly string[]): void;
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  clear(): void;
};

/** The cookies of one host (RFC 6265 §5.3 and §5.4, without domains and clocks). */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  const put = (cookie: Cookie): unknown => cookies.set(`${cookie.path} ${cookie.name}`, cookie);
  return {
    header: (path) =>
      [...cookies.values()]
        .filter((cookie) => isBelow(path, cookie.path))
        .toSorted((left, right) => right.path.length - left.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
    keep(headers) {
      for (const header of headers) {
        const { isGone, ...cookie } = parseSetCookie(header);
        if (isGone) cookies.delete(`${cookie.path} ${cookie.name}`);
        else put(cookie);
      }
    },
    get: (name) => [...cookies.values()].find((cookie) => cookie.name === name)?.value,
    set: (name, value) => put({ name, value, path: '/' }),
    clear: () => cookies.clear(),
  };
}

function parseSetCookie(header: string): Cookie & { isGone: boolean } {
  const [pair = '', ...attributes] = header.split(/;\s*/);
  const [name = '', ...value] = pair.split('=');
  const attribute = (wanted: string): string | undefined =>
    attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
  const expires = attribute('expires');
  return {
    name,
    value: value.join('='),
    path: attribute('path') ?? '/',
    isGone: attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now()),
  };
}

function isBelow(path: string, cookiePath: string): boolean {
  return path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
}
