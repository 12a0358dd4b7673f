/** What secrets look like, for those that can't be known beforehand. */
const PATTERNS: readonly [pattern: RegExp, replacement: string][] = [
  [/tms_[0-9A-Za-z]{43}/g, 'tms_***'],
  [/eyJ[\w-]+(\.[\w-]*)*/g, 'eyJ***'],
  [/(\/\/[^\s:/@]*):[^\s@/]+@/g, '$1:***@'],
  [/(Bearer|Basic) +[\w.~+/=-]+/gi, '$1 ***'],
];

/** A function that takes secrets out of a line: the given ones, and everything that looks like one. */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  return (line) => {
    const known = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), line);
    return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), known);
  };
}
