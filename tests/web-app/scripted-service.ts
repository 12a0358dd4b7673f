import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { replaceChecklist } from '#resource-api/tasks/checklist.ts';
import {
  type AppAccount,
  type AppTask,
  type AppTaskDetail,
  commandHeader,
  newTaskFields,
} from '#shared/app/app-protocol.ts';

type Task = AppTaskDetail;
type Call = {
  method: string;
  path: string;
  body: Record<string, unknown>;
  key: string | null;
  command: string | null;
};
/** What happens to the next matching call: a response instead of the work or after it, or a failure. */
type Fault = { status: number; body?: object; retryAfter?: number; isDone?: true } | 'before' | 'after';

/** As much of the service as the outbox needs, in memory, with faults on demand. */
export class ScriptedService {
  readonly tasks = new Map<string, Task>();
  readonly calls: Call[] = [];
  isOnline = true;
  readonly #account: AppAccount = {
    id: randomUUID(),
    email: 'a@example.com',
    timezone: 'UTC',
    plan: 'free',
    status: 'active',
  };
  #feed: { id: string; stamp: string }[] = [];
  #kept = new Map<string, Response>();
  /** Each task as it was before a command. */
  readonly #before = new Map<unknown, Task>();
  #faults: { matches: (call: Call) => boolean; fault: Fault }[] = [];
  #held: Promise<void> | undefined;
  #listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();

  fault(method: string, fault: Fault): void {
    this.#faults.push({ matches: (call) => call.method === method && isOperation(call), fault });
  }

  /** Writes are done, and their answers wait until the returned function is called. */
  holdAnswers(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  /** The commands that were to be taken back. */
  undone(): unknown[] {
    return this.calls.filter(({ path }) => path === '/app/api/v1/undo').map(({ body }) => body.command);
  }

  writes(): Call[] {
    const writes = this.calls.filter((call) => call.method !== 'GET' && isOperation(call));
    return writes.map((call) => (call.body.patch ? { ...call, body: Object(call.body.patch) } : call));
  }

  /** What another client does. */
  add(fields: Partial<Task>): Task {
    const at = this.#stamp();
    const task: Task = {
      ...newTaskFields,
      id: randomUUID(),
      title: '',
      status: 'open',
      list: 'inbox',
      projectId: null,
      sectionId: null,
      recurrence: null,
      inTrash: false,
      completedAt: null,
      cancelledAt: null,
      createdAt: at,
      updatedAt: at,
      hasNotes: false,
      checklistTotal: 0,
      checklistDone: 0,
      rank: -this.#feed.length,
      dayRank: null,
      description: null,
      descriptionHtml: '',
      checklist: [],
      ...fields,
    };
    return this.put(task, at);
  }

  put(task: Task, at = this.#stamp()): Task {
    const { description, checklist } = task;
    const done = checklist.filter((item) => item.completed).length;
    const counts = { checklistTotal: checklist.length, checklistDone: done, hasNotes: description !== null };
    const next = { ...task, ...counts, updatedAt: at };
    this.tasks.set(task.id, next);
    this.#feed.push({ id: task.id, stamp: at });
    const event = new TextEncoder().encode(`data: {"seq":${this.#feed.length}}\n\n`);
    for (const listener of this.#listeners) listener.enqueue(event);
    return next;
  }

  #stamp(): string {
    return new Date(Date.UTC(2026, 10, 23) + this.#feed.length + 1).toISOString();
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    await delay(0);
    if (!this.isOnline || init.signal?.aborted) throw new TypeError('Failed to fetch');
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    const headers = new Headers(init.headers);
    const [key, command] = [headers.get('Idempotency-Key'), headers.get(commandHeader)];
    const call: Call = { method: init.method ?? 'GET', path: String(input), body, key, command };
    this.calls.push(call);
    const fault = this.#takeFault(call);
    if (fault === 'before') throw new TypeError('Failed to fetch');
    if (typeof fault === 'object' && !fault.isDone) return refusal(fault);
    const response = this.#kept.get(key ?? '')?.clone() ?? this.#answer(call, init.signal ?? undefined);
    if (key !== null && response.ok) this.#kept.set(key, response.clone());
    await this.#hold(call);
    if (typeof fault === 'object') return refusal(fault);
    if (fault === 'after') throw new TypeError('Failed to fetch');
    return response;
  };

  async #hold(call: Call): Promise<void> {
    if (call.method !== 'GET' && isOperation(call)) await this.#held;
  }

  #takeFault(call: Call): Fault | undefined {
    const place = this.#faults.findIndex(({ matches }) => matches(call));
    return place === -1 ? undefined : this.#faults.splice(place, 1)[0]?.fault;
  }

  #answer(call: Call, signal: AbortSignal | undefined): Response {
    const url = new URL(call.path, 'http://x');
    const account = this.#account;
    if (url.pathname === '/app/session/token') {
      return Response.json({ accessToken: 'token', expiresIn: 300, account });
    }
    const own = url.pathname.replace('/app/api/v1', '');
    const position = { seq: this.#feed.length, stamp: this.#feed.at(-1)?.stamp ?? null };
    const rows = { areas: [], projects: [], sections: [] };
    if (own === '/snapshot') {
      const tasks = [...this.tasks.values()].filter((task) => !task.inTrash).map(withoutTexts);
      return Response.json({ ...position, account, ...rows, tasks, closedTaskCounts: {} });
    }
    if (own === '/changes') {
      const changed = new Set(this.#feed.slice(Number(url.searchParams.get('after'))).map(({ id }) => id));
      const tasks = [...changed].flatMap((id) => this.tasks.get(id) ?? []).map(withoutTexts);
      const upserts = { ...rows, tasks };
      const rest = { more: false, account, upserts, gone: [], actors: [], closedTaskCounts: {} };
      return Response.json({ reset: false, ...position, ...rest });
    }
    if (own === '/rows') {
      const ids: string[] = Array.isArray(call.body.ids) ? call.body.ids : [];
      const tasks = ids.flatMap((id) => this.tasks.get(id) ?? []);
      return Response.json({ tasks, projects: [], notSent: [] });
    }
    if (own === '/undo') {
      const before = this.#before.get(call.body.command);
      if (before !== undefined) this.put(before);
      return Response.json({ undone: 1, kept: [], keptRecords: 0, stamps: [] });
    }
    if (own === '/live') return this.#stream(signal);
    if (call.method === 'PATCH' && own.startsWith('/tasks/')) return this.#writeVersion(call, own.slice(7));
    return this.#write(call, url.pathname.replace(/^.*\/tasks\/?/, '').split('/'));
  }

  #stream(signal: AbortSignal | undefined): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#listeners.add(controller);
        signal?.addEventListener('abort', () => {
          this.#listeners.delete(controller);
          controller.error(new TypeError('aborted'));
        });
      },
    });
    return new Response(body);
  }

  #writeVersion(call: Call, id: string): Response {
    if (this.tasks.get(id)?.updatedAt !== call.body.updatedAt)
      return Response.json({ errorCode: 'version_changed' }, { status: 409 });
    return this.#write({ ...call, body: Object(call.body.patch) }, [id]);
  }

  #write({ method, body, command }: Call, [id = '', action]: string[]): Response {
    if (id === '') return Response.json(publicTask(this.add(body)), { status: 201 });
    const task = this.tasks.get(id);
    if (task === undefined)
      return Response.json({ errorCode: 'not_found', message: 'Gone' }, { status: 404 });
    this.#before.set(command, task);
    if (method === 'DELETE') {
      this.put({ ...task, inTrash: true });
      return new Response(null, { status: 204 });
    }
    if ('occurrence' in body && (task.dueDate ?? task.deadlineDate) !== body.occurrence) {
      return Response.json({ errorCode: 'invalid_state', message: 'On another day' }, { status: 409 });
    }
    const completed: Partial<Task> =
      task.recurrence === null
        ? { status: 'completed', completedAt: this.#stamp() }
        : { dueDate: '2026-12-01' };
    const given: { checklist?: Task['checklist'] } = body;
    const items = given.checklist && { checklist: replaceChecklist(task.checklist, given.checklist) };
    const changed = action === 'complete' ? completed : { ...body, ...items };
    return Response.json(publicTask(this.put({ ...task, ...changed })));
  }
}

/** Of the public API, or of what the app has of its own for a task. */
const isOperation = ({ path }: Call): boolean =>
  path.startsWith('/api/') || /\/(complete|skip|reopen|tasks\/[^/]+)$/.test(path);

function refusal({ status, body = {}, retryAfter }: Exclude<Fault, string>): Response {
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return Response.json(body, { status, headers });
}

function withoutTexts({ description: _, descriptionHtml: _html, checklist: _items, ...task }: Task): AppTask {
  return task;
}

function publicTask({
  rank: _,
  dayRank: _day,
  hasNotes: _notes,
  checklistTotal: _t,
  checklistDone: _d,
  ...task
}: Task) {
  return task;
}
