import * as current from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import * as earlierHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export type ToolResult = {
  text: string;
  content: Record<string, unknown>;
  isError: boolean;
};

type Progress = { progress: number; total?: number | undefined };

/** What every generation of the protocol's clients can do, in one shape. */
export type AssistantClient = {
  instructions(): string;
  listTools(): Promise<OfferedTool[]>;
  call(name: string, input?: object, onProgress?: (progress: Progress) => void): Promise<ToolResult>;
  listResources(): Promise<string[]>;
  readResource(uri: string): Promise<string>;
  close(): Promise<void>;
};

export type JsonSchema = {
  type?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  [keyword: string]: unknown;
};

export type OfferedTool = {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema | undefined;
  annotations?: Record<string, unknown> | undefined;
};

type Connect = (baseUrl: string, secret: string) => Promise<AssistantClient>;

const clientInfo = { name: 'desk-assistant', version: '1.0.0' };

function address(baseUrl: string): URL {
  return new URL(`${baseUrl}/mcp`);
}

function withToken(secret: string) {
  return { requestInit: { headers: { Authorization: `Bearer ${secret}` } } };
}

/** The SDK's present major, on the revision 2026-07-28 and on the ones that open with a handshake. */
function connectCurrent(mode: 'auto' | 'legacy'): Connect {
  return async (baseUrl, secret) => {
    const client = new current.Client(clientInfo, { versionNegotiation: { mode } });
    await client.connect(new current.StreamableHTTPClientTransport(address(baseUrl), withToken(secret)));
    const era = client.getProtocolEra();
    if (era !== (mode === 'auto' ? 'modern' : 'legacy')) throw new Error(`the client speaks ${era}`);
    return wrap(client);
  };
}

const connectEarlier: Connect = async (baseUrl, secret) => {
  const client = new EarlierClient(clientInfo);
  await client.connect(new earlierHttp.StreamableHTTPClientTransport(address(baseUrl), withToken(secret)));
  return wrap({
    getInstructions: () => client.getInstructions(),
    listTools: () => client.listTools(),
    callTool: (params, options) => client.callTool(params, undefined, options),
    listResources: () => client.listResources(),
    readResource: (params) => client.readResource(params),
    close: () => client.close(),
  });
};

export const clients: Readonly<Record<string, Connect>> = {
  'the client of 2026-07-28': connectCurrent('auto'),
  'the present client with a handshake': connectCurrent('legacy'),
  'the client of the SDK before': connectEarlier,
};

export const connectAssistant = connectCurrent('auto');

type SdkClient = {
  getInstructions(): string | undefined;
  listTools(): Promise<{ tools: unknown[] }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options?: { onprogress(progress: Progress): void },
  ): Promise<object>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  close(): Promise<void>;
};

function wrap(client: SdkClient): AssistantClient {
  return {
    instructions: () => client.getInstructions() ?? '',
    listTools: async () => (await client.listTools()).tools as OfferedTool[],
    async call(name, input = {}, onprogress) {
      const params = { name, arguments: { ...input } };
      return toToolResult(await client.callTool(params, onprogress && { onprogress }));
    },
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    async readResource(uri) {
      const { contents } = await client.readResource({ uri });
      return contents.map((content) => ('text' in content ? String(content.text) : '')).join('\n');
    },
    close: () => client.close(),
  };
}

function toToolResult(result: object): ToolResult {
  const {
    content = [],
    structuredContent = {},
    isError = false,
  } = result as {
    content?: { text?: string }[];
    structuredContent?: Record<string, unknown>;
    isError?: boolean;
  };
  return { text: content.map(({ text = '' }) => text).join('\n'), content: structuredContent, isError };
}
