/** The rows of the tables below a heading: what the first column names in back quotes, and the reason. */
export function documentedReasons(markdown: string, heading: string): Map<string, string> {
  const [, section = ''] = markdown.split(new RegExp(`^## ${heading}$`, 'm'));
  const [own = ''] = section.split(/^## /m);
  const rows = own.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm);
  return new Map([...rows].map(([, name = '', reason = '']) => [name, reason.trim()]));
}
