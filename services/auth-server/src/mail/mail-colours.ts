import { readFileSync } from 'node:fs';

const names = ['side', 'surface', 'text', 'muted', 'line', 'accent', 'accent-fill', 'on-accent'] as const;

type Colours = Readonly<Record<(typeof names)[number], string>>;

const tokens = readFileSync(new URL('../../../web-app/src/styles/tokens.css', import.meta.url), 'utf8');

/** The app's, by value: mail programs know neither custom properties nor `light-dark()`. */
export const lightColours = readColours(0);
export const darkColours = readColours(1);

function readColours(place: 0 | 1): Colours {
  const colourOf = (name: string): string => {
    const [, colours = ''] = new RegExp(`--${name}: (?:light-dark\\()?(#.+?)\\)?;`).exec(tokens) ?? [];
    const [light, dark = light] = colours.split(', ');
    const colour = [light, dark][place];
    if (!colour) throw new Error(`tokens.css has no colour --${name}`);
    return colour;
  };
  return Object.fromEntries(names.map((name) => [name, colourOf(name)])) as Colours;
}
