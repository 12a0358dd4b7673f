import { deviceStorage } from './device-storage.ts';

const name = 'tasks-account';

/** The account whose local copy may be shown before the server responds. */
export function presentAccount(): string | null {
  return deviceStorage.getItem(name);
}

export function setPresentAccount(id: string): void {
  deviceStorage.setItem(name, id);
}

/** Shows nothing until the server has named the signed-in account. */
export function hidePresentAccount(): void {
  deviceStorage.removeItem(name);
}
