import type { Setting } from './settings.ts';

/** The table of the operator's guide. */
export function tableOf(settings: readonly Setting[]): string {
  const rows = settings.map(({ name, services, isRequired, defaultValue, accepts }) => {
    const fallback = defaultValue === undefined ? 'none' : `\`${defaultValue}\``;
    const service = services.length > 1 ? 'both' : services.join();
    return `| \`${name}\` | ${service} | ${isRequired ? '**required**' : fallback} | ${accepts || 'any text'} |`;
  });
  return ['| variable | service | default | accepts |', '|---|---|---|---|', ...rows].join('\n');
}

/** Name and default of the rows of the README's table whose default is a value. */
export function defaultsDocumented(readme: string): Map<string, string> {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| `([^`]+)`.* \|/gm)];
  return new Map(rows.map(([, name = '', value = '']) => [name, value]));
}
