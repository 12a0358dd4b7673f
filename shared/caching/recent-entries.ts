export type RecentEntries<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
};

/** Keeps the `capacity` entries that were used last. */
export function createRecentEntries<Value>(capacity: number): RecentEntries<Value> {
  // Iterates in the order of insertion: the first entry is the one not used for longest.
  const entries = new Map<string, Value>();

  function set(key: string, value: Value): void {
    entries.delete(key);
    entries.set(key, value);
    // Not before there are too many: to find the oldest, a Map passes over all that was deleted before it.
    if (entries.size <= capacity) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key) => void entries.delete(key),
  };
}
