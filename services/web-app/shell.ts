import { appPath } from '#shared/app/app-protocol.ts';

/** Names of built files. */
type ShellFiles = {
  script: string;
  preloaded: readonly string[];
  style: string;
  laterStyle: string;
  notices: string;
  mark: string;
  touchIcon: string;
};

type InstalledIcon = { name: string; sizes: string; type: string; purpose: 'any' | 'maskable' };

const title = 'Tasks';
/** `--side` of tokens.css: neither can be read from a style sheet. */
const themeColours = { light: '#f5f5f3', dark: '#121316' };

const urlOf = (name: string): string => `${appPath}/${name}`;

/**
 * The page of every screen. It holds no account's data. Browsers do not translate it: they replace texts, and
 * what changes later would not be shown.
 */
export function writeShell({
  script,
  preloaded,
  style,
  laterStyle,
  notices,
  mark,
  touchIcon,
}: ShellFiles): string {
  return `<!doctype html>
<html lang="en" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport"
 content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${themeColours.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${themeColours.dark}" media="(prefers-color-scheme: dark)">
<title>${title}</title>
<link rel="stylesheet" href="${urlOf(style)}">
<link rel="stylesheet" href="${urlOf(laterStyle)}" media="not all" id="later-style">
${preloaded.map((name) => `<link rel="modulepreload" href="${urlOf(name)}">\n`).join('')}
<link rel="manifest" href="${urlOf('manifest.webmanifest')}">
<link rel="icon" href="${urlOf(mark)}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${urlOf(touchIcon)}">
<link rel="license" href="${urlOf(notices)}">
<script type="module" blocking="render" src="${urlOf(script)}"></script>
</head>
<body>
<div id="app"></div>
<noscript><div class="empty"><h1>The app needs JavaScript</h1>
<p>Your account, your tokens and your connected apps are under <a href="/settings">Settings</a>,
which works without.</p></div></noscript>
</body>
</html>
`;
}

/** What an installed app is called and looks like (W3C Web Application Manifest). */
export function writeManifest(icons: readonly InstalledIcon[]): string {
  return JSON.stringify({
    id: `${appPath}/`,
    name: title,
    short_name: title,
    description: 'Your tasks, shared with the assistants you trust.',
    lang: 'en',
    start_url: `${appPath}/`,
    scope: `${appPath}/`,
    display: 'standalone',
    background_color: themeColours.light,
    theme_color: themeColours.light,
    icons: icons.map(({ name, ...icon }) => ({ src: urlOf(name), ...icon })),
    shortcuts: [
      { name: 'Today', url: `${appPath}/` },
      { name: 'Upcoming', url: `${appPath}/upcoming` },
      { name: 'Inbox', url: `${appPath}/inbox` },
    ],
  });
}
