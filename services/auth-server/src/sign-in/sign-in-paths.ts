export const signInPath = '/sign-in';
export const signUpPath = '/sign-up';

export function pathWithReturn(path: string, returnTo: string): string {
  return `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}
