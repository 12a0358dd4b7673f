import type { Environment } from '#shared/config/read-env.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import type { ConsoleOutput } from './console-output.ts';
import { type KeptPart, keepRunning } from './keep-running.ts';
import { type ServiceProcess, startService } from './service-process.ts';

export type LocalServices = {
  /** The port where a service answers now; undefined while it is down. */
  portOf(service: ServiceName): number | undefined;
  /** Lets both answer what is under way. */
  stop(): Promise<void>;
};

export type LocalServicesRequest = {
  entries: Readonly<Record<ServiceName, string>>;
  environment: Environment;
  output: ConsoleOutput;
  signal: AbortSignal;
};

/** Starts both services at the same time and keeps them running. Rejects when one of them can't be started. */
export async function startServices(request: LocalServicesRequest): Promise<LocalServices> {
  const givingUp = new AbortController();
  const signal = AbortSignal.any([request.signal, givingUp.signal]);
  const starts = [
    keepService('auth-server', { ...request, signal }),
    keepService('resource-api', { ...request, signal }),
  ] as const;
  try {
    const [authServer, resourceApi] = await Promise.all(starts);
    const services = { 'auth-server': authServer, 'resource-api': resourceApi };
    return {
      portOf: (service) => services[service].current()?.port,
      stop: () => stopAll(Object.values(services)),
    };
  } catch (error) {
    givingUp.abort();
    const outcomes = await Promise.allSettled(starts);
    await stopAll(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
    throw error;
  }
}

async function stopAll(services: readonly { stop(): Promise<void> }[]): Promise<void> {
  await Promise.all(services.map((service) => service.stop()));
}

function keepService(name: ServiceName, request: LocalServicesRequest): Promise<KeptPart<ServiceProcess>> {
  const { entries, environment, output } = request;
  return keepRunning(
    {
      name,
      report: (message) => output.log('warn', message),
      start: async (signal) => {
        const onLine = (line: string) => output.serviceLine(name, line);
        const service = await startService({ name, entry: entries[name], environment, onLine, signal });
        output.log('info', `${name} is running, process ${service.pid}`);
        return service;
      },
    },
    request.signal,
  );
}
