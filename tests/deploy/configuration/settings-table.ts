import type { Setting } from './settings.ts';

const begin = '<!-- settings: begin -->';
const end = '<!-- settings: end -->';

/** The table of the operator's guide. */
export function tableOf(settings: readonly Setting[]): string {
  const rows = settings.map(({ name, services, isRequired, defaultValue, accepts }) => {
    const fallback = defaultValue === undefined ? 'none' : `\`${defaultValue}\``;
    const service = services.length > 1 ? 'both' : services.join();
    return `| \`${name}\` | ${service} | ${isRequired ? '**required**' : fallback} | ${accepts || 'any text'} |`;
  });
  return ['| variable | service | default | accepts |', '|---|---|---|---|', ...rows].join('\n');
}

/** What stands between the marks. */
export function tableIn(guide: string): string {
  return guide.split(begin)[1]?.split(end)[0]?.trim() ?? '';
}

export function withTable(guide: string, table: string): string {
  return guide.replace(new RegExp(`${begin}.*${end}`, 's'), () => `${begin}\n\n${table}\n\n${end}`);
}

/** Name and default of the rows of the README's table whose default is a value. */
export function defaultsDocumented(readme: string): Map<string, string> {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| `([^`]+)`.* \|/gm)];
  return new Map(rows.map(([, name = '', value = '']) => [name, value]));
}
