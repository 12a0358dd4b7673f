/** What a page says after a form has been done, by a word in the browser's cookie: never text that a request brings along. */
const notices = {
  'timezone-saved': 'Your time zone is saved.',
  'password-changed':
    'Your password is changed. All apps are disconnected, and all other browsers are signed out.',
  'password-changed-tokens-revoked':
    'Your password is changed. All apps are disconnected, all other browsers are signed out, and your personal tokens are revoked.',
  'token-revoked': 'The token is revoked: its next request is refused.',
  'app-disconnected': 'The app is disconnected: its next request is refused.',
  'session-ended': 'That browser is signed out.',
  'sessions-ended': 'All other browsers are signed out.',
} as const;

export type Notice = keyof typeof notices;

export function noticeText(word: string | undefined): string | undefined {
  return word !== undefined && isNotice(word) ? notices[word] : undefined;
}

function isNotice(word: string): word is Notice {
  return Object.hasOwn(notices, word);
}
