import { PageError } from '../html/page-error.ts';

/** For a browser that comes with a request nobody waits for any longer. */
export function expiredAuthorization(): PageError {
  return new PageError({
    status: 400,
    title: 'This request has expired',
    message:
      'It is no longer waiting for you. If you have just answered it, you are done. Else go back to the app and connect it again.',
  });
}
