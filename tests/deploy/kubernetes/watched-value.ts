/**
 * A value that notices which of its members are asked for. The validators of kubernetes-models ask for each field that
 * they know and pass over the others, so what nobody asked for is unknown. A member without a value counts as unknown too:
 * the server takes it for one that is not there.
 */
export function watchReads<Value extends object>(value: Value): { watched: Value; unread(): string[] } {
  const readMembers = new Map<object, Set<string>>();

  function watch<Part extends object>(part: Part): Part {
    const reads = readMembers.get(part) ?? new Set();
    readMembers.set(part, reads);
    return new Proxy(part, {
      get(target, name) {
        if (typeof name === 'string') reads.add(name);
        const member: unknown = Reflect.get(target, name);
        return isObject(member) ? watch(member) : member;
      },
    });
  }

  function unreadBelow(part: object, place: string): string[] {
    return Object.entries(part).flatMap(([name, member]) => {
      const here = `${place}/${name}`;
      if (!readMembers.get(part)?.has(name) || member === null) return [here];
      return isObject(member) ? unreadBelow(member, here) : [];
    });
  }

  return { watched: watch(value), unread: () => unreadBelow(value, '') };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
