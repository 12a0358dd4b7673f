import { PageError } from '../html/page-error.ts';
import { homePath } from '../sign-in/sign-in-paths.ts';

const explanations: Readonly<Record<string, string>> = {
  invalid_client:
    'The app that sent you here is not known to this server. Try to connect it again from the app.',
  invalid_redirect_uri:
    'The app asked to send you to an address it has not registered. ' +
    'To keep your account safe, you stay here.',
};

/**
 * For a request with an invalid client or redirect URI: an error page without a redirect (RFC 6749 §4.1.2.1).
 */
export function refusedAuthorization(error: string, description?: string): PageError {
  const explanation =
    explanations[error] ??
    'The app sent a request that can’t be answered. Try to connect it again from the app.';
  return new PageError({
    status: 400,
    title: 'This app can’t be connected',
    message: `${explanation} (${error}${description === undefined ? '' : `: ${description}`})`,
  });
}

export function expiredAuthorization(): PageError {
  return new PageError({
    status: 400,
    title: 'This request has expired',
    message:
      'It is no longer waiting for you. If you have just answered it, you are done. ' +
      'Else go back to the app and connect it again.',
  });
}

/** For a browser that is not the one the app has opened, as after a link that was read on a phone. */
export function waitingElsewhere(isSignedIn: boolean): PageError {
  return new PageError({
    status: 400,
    title: 'Go back to where you started',
    message:
      (isSignedIn ? 'Your account is ready, and you are signed in here. ' : '') +
      'The app waits in another browser: ' +
      'go back to the window where you started, and sign in there to go on.',
    way: isSignedIn ? { label: 'Go to your tasks', path: homePath } : undefined,
  });
}
