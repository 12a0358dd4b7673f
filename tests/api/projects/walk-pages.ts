import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page } from '#tests/support/api-types.ts';

/** A list's path with these parameters, which are encoded. */
export function listPath(path: string, parameters: Record<string, string>): string {
  return `${path}?${new URLSearchParams(parameters)}`;
}

/** Follows nextCursor from the first page to the last; `between` runs before each further page. */
export async function walkPages<Item>(
  client: ApiClient,
  path: string,
  parameters: Record<string, string>,
  between: (pages: readonly Page<Item>[]) => Promise<unknown> = async () => undefined,
): Promise<Page<Item>[]> {
  const pages: Page<Item>[] = [];
  for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null) {
    if (cursor !== undefined) await between(pages);
    const query = cursor === undefined ? parameters : { ...parameters, cursor };
    const { status, body } = await client.get<Page<Item>>(listPath(path, query));
    if (status !== 200) throw new Error(`page ${pages.length + 1} is answered with ${status}`);
    pages.push(body);
  }
  return pages;
}

export function idsOf(pages: readonly Page<{ id: string }>[]): string[] {
  return pages.flatMap(({ items }) => items.map(({ id }) => id));
}
