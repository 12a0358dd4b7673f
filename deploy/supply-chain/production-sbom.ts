import { type LockedPackage, packageName } from './lock-file.ts';

/** What of CycloneDX 1.5 is read here. */
export type SoftwareBill = {
  metadata: { component: { 'bom-ref': string; name: string } };
  components: { 'bom-ref': string; name: string; version: string; scope?: string; hashes?: object[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/**
 * The bill of what is delivered: the packages that are not for developers alone, and how they depend on each other.
 * npm's own `--omit dev` also leaves out packages that both need, Express among them.
 */
export function withoutDevelopment(
  bill: SoftwareBill,
  packages: ReadonlyMap<string, LockedPackage>,
  name: string,
): SoftwareBill {
  const delivered = [...packages].filter(([, { dev }]) => !dev);
  const references = new Set(delivered.map(([folder, { version }]) => `${packageName(folder)}@${version}`));
  const root = bill.metadata.component['bom-ref'];
  return {
    ...bill,
    // npm takes the name of the folder.
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name } },
    components: bill.components.filter((component) => references.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => ref === root || references.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => references.has(other)) })),
  };
}
