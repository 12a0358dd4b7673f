import { readFileSync } from 'node:fs';

const names = ['side', 'surface', 'text', 'muted', 'line', 'accent', 'accent-fill', 'on-accent'] as const;

type Colours = Readonly<Record<(typeof names)[number], string>>;

const tokens = readFileSync(new URL('../../../web-app/src/styles/tokens.css', import.meta.url), 'utf8');
const [lightTokens = '', darkTokens = ''] = tokens.split('@media (prefers-color-scheme: dark)');

/** The app's, by value: mail programs know no custom properties. */
export const lightColours = readColours(lightTokens);
export const darkColours = readColours(darkTokens);

function readColours(css: string): Colours {
  const lines = css.split('\n').map((line) => line.trim());
  const colourOf = (name: string): string => {
    const start = `--${name}: #`;
    const line = lines.find((one) => one.startsWith(start));
    if (line === undefined) throw new Error(`tokens.css has no colour --${name} in both schemes`);
    return line.slice(start.length - 1, -';'.length);
  };
  return Object.fromEntries(names.map((name) => [name, colourOf(name)])) as Colours;
}
