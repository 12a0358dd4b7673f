import { deviceStorage } from './device-storage.ts';

const name = 'tasks-account';

/** Whose copy may be shown before the server has answered. */
export function presentAccount(): string | null {
  return deviceStorage.getItem(name);
}

export function setPresentAccount(id: string): void {
  deviceStorage.setItem(name, id);
}

/** Nothing is shown until the server has said who is signed in. */
export function hidePresentAccount(): void {
  deviceStorage.removeItem(name);
}
