import { BlockList, isIP } from 'node:net';

/** Whether an address is free of every per-address limit. `exempt`: valid addresses or CIDR ranges. */
export function createAddressExemption(exempt: readonly string[]): (address: string) => boolean {
  if (exempt.length === 0) return () => false;
  const ranges = new BlockList();
  for (const entry of exempt) {
    const [address = '', prefix] = entry.split('/');
    if (prefix === undefined) ranges.addAddress(address, familyOf(address));
    else ranges.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && ranges.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
