/** Creates through the public API, as anybody would. */
export type ApiClient = {
  /** @returns the id of what was created, now or by an earlier run of the same calls */
  create(path: string, body: object): Promise<string>;
};

export type ApiClientOptions = {
  apiRoot: string;
  token: string;
  /** Makes the idempotency keys: a creation whose answer got lost is not made twice. */
  runId: string;
  /** The ids that an earlier run of the same calls got. */
  created: readonly string[];
  onCreated(created: readonly string[]): void;
  signal: AbortSignal;
};

export function createApiClient(options: ApiClientOptions): ApiClient {
  const created = [...options.created];
  let calls = 0;
  return {
    create: async (path, body) => {
      const known = created[calls];
      calls += 1;
      if (known !== undefined) return known;
      const id = await post(options, `${options.runId}-${calls}`, path, body);
      created.push(id);
      options.onCreated(created);
      return id;
    },
  };
}

async function post(
  options: ApiClientOptions,
  idempotencyKey: string,
  path: string,
  body: object,
): Promise<string> {
  const response = await fetch(`${options.apiRoot}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${options.token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    },
    body: JSON.stringify(body),
    signal: options.signal,
  });
  const answer: unknown = await response.json();
  if (response.ok && answer instanceof Object && 'id' in answer) return String(answer.id);
  throw new Error(`POST ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
}
