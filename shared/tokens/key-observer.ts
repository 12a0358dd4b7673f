/** Told how a process gets on with the keys it reads; must not throw. */
export type KeyObserver = {
  /** `currentSince`: when the key that signs became the current one, where the reader knows it. */
  keysLoaded(currentSince?: Date): void;
  loadFailed(): void;
};
