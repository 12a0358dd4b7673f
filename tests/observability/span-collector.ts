import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';

export type CollectedSpan = {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  attributes: Record<string, unknown>;
  hasFailed: boolean;
};

/** `hang`: takes what is sent and never answers. */
type CollectorMode = 'accept' | 'refuse' | 'hang';

export type SpanCollector = {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** Everything that arrived, as text. */
  texts: string[];
  setMode(mode: CollectorMode): void;
  /** Messages that wait for their answer at the moment. */
  unanswered(): number;
  close(): Promise<void>;
};

/** Stands in for an OpenTelemetry collector: OTLP over HTTP, as JSON. */
export async function startSpanCollector(initialMode: CollectorMode = 'accept'): Promise<SpanCollector> {
  let mode = initialMode;
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const held = new Set<ServerResponse>();
  const server = createServer(async (req, res) => {
    const message = (await json(req)) as Message;
    texts.push(JSON.stringify([req.url, req.headers, message]));
    if (mode === 'hang') {
      held.add(res);
      res.once('close', () => held.delete(res));
      return;
    }
    if (mode === 'accept' && req.url === '/v1/traces') spans.push(...spansOf(message));
    res.writeHead(mode === 'accept' ? 200 : 400, { 'Content-Type': 'application/json' }).end('{}');
  });
  const { port, close } = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    texts,
    setMode: (wanted) => {
      mode = wanted;
    },
    unanswered: () => held.size,
    close,
  };
}

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type Message = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Pick<CollectedSpan, 'traceId' | 'spanId' | 'parentSpanId' | 'name'> & {
        attributes: Attribute[];
        status: { code?: number };
      })[];
    }[];
  }[];
};

const errorStatus = 2;

function spansOf({ resourceSpans }: Message): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ traceId, spanId, parentSpanId, name, attributes, status }) => ({
        service: String(readAttributes(resource.attributes)['service.name']),
        traceId,
        spanId,
        parentSpanId,
        name,
        attributes: readAttributes(attributes),
        hasFailed: status.code === errorStatus,
      })),
    ),
  );
}

function readAttributes(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}
