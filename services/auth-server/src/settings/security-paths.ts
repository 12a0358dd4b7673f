import { securityPath } from '../sign-in/sign-in-paths.ts';

export const passwordFormPlace = '/settings#password';
export const appSetUpPath = `${securityPath}/authenticator`;
export const confirmAppPath = `${securityPath}/authenticator/confirm`;
