import { Counter, type Registry } from 'prom-client';

/** Counts a call of an assistant's tool. */
export type CountToolCall = (tool: string, outcome: 'success' | 'failure') => void;

export function countToolCalls(registry: Registry): CountToolCall {
  const calls = new Counter({
    name: 'assistant_tool_calls_total',
    help: 'Calls of the assistant server’s tools; a failure is told to the assistant as such.',
    labelNames: ['tool', 'outcome'],
    registers: [registry],
  });
  return (tool, outcome) => calls.inc({ tool, outcome });
}
