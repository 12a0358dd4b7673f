const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  // Ordered: browsers also include the names of their predecessors.
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

const longestUnknown = 60;

/** `Firefox on Linux`; for an unknown program the start of its user agent. */
export function describeUserAgent(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'a program without a name';
  return describeBrowser(userAgent) ?? userAgent.slice(0, longestUnknown);
}

/** Contains no text of the user agent; undefined for an unknown browser. */
export function describeBrowser(userAgent: string): string | undefined {
  const [browser] = browsers.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  const [system] = systems.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  if (browser === undefined) return undefined;
  return system === undefined ? browser : `${browser} on ${system}`;
}
