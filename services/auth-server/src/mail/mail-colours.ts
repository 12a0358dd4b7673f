import { readFileSync } from 'node:fs';

const names = ['side', 'surface', 'text', 'muted', 'line', 'accent', 'accent-fill', 'on-accent'] as const;

type Colours = Readonly<Record<(typeof names)[number], string>>;

const tokens = readFileSync(new URL('../../../web-app/src/styles/tokens.css', import.meta.url), 'utf8');

/** The app's, by value: mail programs know neither custom properties nor `light-dark()`. */
export const lightColours = readColours('light');
export const darkColours = readColours('dark');

function readColours(scheme: 'light' | 'dark'): Colours {
  const lines = tokens.split('\n').map((line) => line.trim());
  const colourOf = (name: string): string => {
    const line = lines.find((one) => one.startsWith(`--${name}: `)) ?? '';
    const [light, dark = light] = line.match(/#[0-9a-f]{6}/g) ?? [];
    const colour = scheme === 'light' ? light : dark;
    if (colour === undefined) throw new Error(`tokens.css has no colour --${name}`);
    return colour;
  };
  return Object.fromEntries(names.map((name) => [name, colourOf(name)])) as Colours;
}
