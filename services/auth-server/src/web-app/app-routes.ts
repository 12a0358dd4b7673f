import { appPath, pageScriptPath } from '#shared/app/app-protocol.ts';
import { appRecordScreens, appScreens } from '#shared/app/app-screens.ts';
import { notFound, serviceUnavailable } from '#shared/errors/errors.ts';
import { readCookie } from '../browser/browser-cookies.ts';
import type { Exchange, Route } from '../http/route.ts';
import { pathWithReturn, signInPath } from '../sign-in/sign-in-paths.ts';
import { readAppFile } from './app-files.ts';

const shellPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types notes worker',
].join('; ');

/** Permissions policy: the app only writes to the clipboard. */
const closedFeatures = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
const permissionsPolicy = ['clipboard-write=(self)', ...closedFeatures.map((name) => `${name}=()`)].join(
  ', ',
);

const shellHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': shellPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': permissionsPolicy,
  'X-Frame-Options': 'DENY',
};

const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
};

/** CSP of the service worker, which fetches for pages of the app and loads no further script. */
const workerPolicy = "default-src 'none'; connect-src 'self'";

/** The web app's files, as public as the program's source: no account's data is in them. */
export const appRoutes: readonly Route[] = [
  {
    path: appPath,
    method: 'get',
    async handler({ req, res }) {
      res.redirect(308, `${appPath}/${req.originalUrl.slice(appPath.length)}`);
    },
  },
  { path: `${appPath}/sw.js`, method: 'get', handler: sendWorker },
  {
    path: `${appPath}/manifest.webmanifest`,
    method: 'get',
    handler: (exchange) => sendFile(exchange, { name: 'manifest.webmanifest', cache: 'no-cache' }),
  },
  {
    path: pageScriptPath,
    method: 'get',
    handler: (exchange) => sendFile(exchange, { name: 'page.js', cache: 'no-cache' }),
  },
  { path: `${appPath}/assets/:name`, method: 'get', handler: sendAsset },
  ...['', ':screen', ':screen/:id'].map(
    (screen): Route => ({ path: `${appPath}/${screen}`, method: 'get', handler: sendShell }),
  ),
];

/** One page for all screens: the app reads the URL. Without a session it leads to the sign-in. */
async function sendShell({ context, req, res }: Exchange): Promise<void> {
  const { config } = context;
  const isScreen = isScreenPath(req.path);
  const isOpened = req.headers['sec-fetch-dest'] === 'document';
  if (isScreen && isOpened && readCookie(context, req, 'session') === undefined)
    return res.redirect(303, pathWithReturn(signInPath, req.originalUrl));
  const shell = await readAppFile(config.webAppDirectory, 'index.html', req);
  if (shell === undefined) throw serviceUnavailable(new Error('WEB_APP_DIRECTORY holds no build of the app'));
  if (shell.encoding !== undefined) res.set('Content-Encoding', shell.encoding);
  res
    .status(isScreen ? 200 : 404)
    .set({ ...shellHeaders, Vary: 'Accept-Encoding', ...(!isScreen && { 'Cache-Control': 'no-store' }) })
    .send(shell.content);
}

/** Whether a screen has this path; the app shows «not found» for others. */
function isScreenPath(path: string): boolean {
  const [screen, id, ...rest] = path.slice(appPath.length + 1).split('/');
  if (id === undefined) return ['', ...appScreens].some((name) => name === screen);
  return rest.length === 0 && appRecordScreens.some((name) => name === screen) && /^[\w-]+$/.test(id);
}

async function sendWorker(exchange: Exchange): Promise<void> {
  exchange.res.set('Content-Security-Policy', workerPolicy);
  await sendFile(exchange, { name: 'sw.js', cache: 'no-cache' });
}

async function sendAsset(exchange: Exchange): Promise<void> {
  const { name } = exchange.req.params;
  if (typeof name !== 'string' || !/^[\w-]+(\.[\w-]+)*\.(css|js|png|svg|txt)$/.test(name)) throw notFound();
  // Its name has the hash of its content.
  await sendFile(exchange, {
    name: `assets/${name}`,
    cache: 'public, max-age=31536000, immutable',
  });
}

async function sendFile(
  { context, req, res }: Exchange,
  { name, cache }: { name: string; cache: string },
): Promise<void> {
  const file = await readAppFile(context.config.webAppDirectory, name, req);
  if (file === undefined) throw notFound();
  if (file.encoding !== undefined) res.set('Content-Encoding', file.encoding);
  const extension = name.slice(name.lastIndexOf('.') + 1);
  res
    .set({
      'Content-Type': mediaTypes[extension] ?? 'application/octet-stream',
      'Cache-Control': cache,
      'Cross-Origin-Resource-Policy': 'same-origin',
      Vary: 'Accept-Encoding',
    })
    .send(file.content);
}
