import test from 'ava';
import { programs } from '../../deploy/container/program.ts';
import { environmentOf } from './kubernetes/environment.ts';
import { everyRendering } from './kubernetes/kustomize.ts';
import { ofKind } from './kubernetes/manifest.ts';
import { except, migrationOf, servicesOf, workloadsOf } from './kubernetes/workload.ts';

const every = everyRendering.flatMap(workloadsOf);
const services = everyRendering.flatMap(servicesOf);

test('pods run as a user that is nobody on the node, and not as root', (t) => {
  const faults = except(every, ({ pod, container }) => {
    const {
      runAsNonRoot,
      runAsUser = 0,
      runAsGroup = 0,
    } = { ...pod.securityContext, ...container.securityContext };
    return runAsNonRoot === true && runAsUser >= 10_000 && runAsGroup >= 10_000;
  });
  t.deepEqual(faults, []);
});

test('pods have the seccomp profile of their runtime', (t) => {
  t.deepEqual(
    except(every, ({ pod }) => pod.securityContext?.seccompProfile?.type === 'RuntimeDefault'),
    [],
  );
});

test('containers have no capability and can gain none', (t) => {
  const faults = except(every, ({ container: { securityContext } }) => {
    const { capabilities, allowPrivilegeEscalation, privileged = false } = securityContext ?? {};
    const dropped = capabilities?.drop?.join() === 'ALL' && capabilities.add === undefined;
    return dropped && allowPrivilegeEscalation === false && !privileged;
  });
  t.deepEqual(faults, []);
});

test('pods share no namespace, port or folder with their node', (t) => {
  const faults = except(every, ({ pod, container }) => {
    const shares = pod.hostNetwork || pod.hostPID || pod.hostIPC;
    const ports = (container.ports ?? []).some(({ hostPort }) => hostPort !== undefined);
    return !shares && !ports && !(pod.volumes ?? []).some(({ hostPath }) => hostPath !== undefined);
  });
  t.deepEqual(faults, []);
});

test('the namespace refuses pods that are not restricted', (t) => {
  const namespaces = everyRendering.flatMap((rendering) => ofKind(rendering, 'Namespace'));
  t.is(namespaces.length, everyRendering.length);
  for (const { metadata } of namespaces) {
    t.is(metadata.labels?.['pod-security.kubernetes.io/enforce'], 'restricted');
  }
});

test('the root of a container is read only, and /tmp is its own', (t) => {
  const faults = except(every, ({ container }) => {
    const mounts = (container.volumeMounts ?? []).map(({ mountPath }) => mountPath);
    return container.securityContext?.readOnlyRootFilesystem === true && mounts.includes('/tmp');
  });
  t.deepEqual(faults, []);
});

test('an empty folder has a size limit, within what the pod may take of the node’s disk', (t) => {
  const mebibytes = (size = '') => Number(/^(\d+)Mi$/.exec(size)?.[1]);
  const faults = except(every, ({ pod, container }) => {
    const folders = (pod.volumes ?? []).flatMap(({ emptyDir }) => (emptyDir ? [emptyDir.sizeLimit] : []));
    const total = folders.reduce<number>((sum, size) => sum + mebibytes(String(size)), 0);
    return total <= mebibytes(String(container.resources?.limits?.['ephemeral-storage']));
  });
  t.deepEqual(faults, []);
});

test('every volume is mounted and every mount is a volume', (t) => {
  const faults = except(everyRendering.flatMap(servicesOf), ({ pod, container }) => {
    const volumes = (pod.volumes ?? []).map(({ name }) => name).toSorted();
    const mounts = (container.volumeMounts ?? []).map(({ name }) => name).toSorted();
    return volumes.join() === mounts.join();
  });
  t.deepEqual(faults, []);
});

test('no pod holds a token of the Kubernetes API, nor does its account give one', (t) => {
  t.deepEqual(
    except(every, ({ pod }) => pod.automountServiceAccountToken === false),
    [],
  );
  for (const account of everyRendering.flatMap((rendering) => ofKind(rendering, 'ServiceAccount'))) {
    t.is(account.automountServiceAccountToken, false, account.metadata.name);
  }
});

for (const rendering of everyRendering) {
  test(`each workload of ${rendering.name} has a service account of its own`, (t) => {
    const used = workloadsOf(rendering).map(({ pod }) => pod.serviceAccountName ?? 'default');
    const made = ofKind(rendering, 'ServiceAccount').map(({ metadata }) => metadata.name);
    t.deepEqual(used.toSorted(), made.toSorted());
  });
}

test('nobody is given a right at the Kubernetes API', (t) => {
  const kinds = everyRendering.flatMap(({ objects }) => objects.map(({ kind }) => kind));
  t.deepEqual(
    kinds.filter((kind) => /Role/.test(kind)),
    [],
  );
});

test('the addresses of other Services are not put into the environment', (t) => {
  t.deepEqual(
    except(every, ({ pod }) => pod.enableServiceLinks === false),
    [],
  );
});

test('what a container needs of processor, memory and disk is reserved, and its memory and disk have that limit', (t) => {
  const faults = except(every, ({ container }) => {
    const { requests = {}, limits = {} } = container.resources ?? {};
    const reserved = ['cpu', 'memory', 'ephemeral-storage'].every((name) => requests[name] !== undefined);
    const isLimited = ['memory', 'ephemeral-storage'].every((name) => limits[name] === requests[name]);
    return reserved && isLimited;
  });
  t.deepEqual(faults, []);
});

test('processor time is not throttled', (t) => {
  t.deepEqual(
    except(every, ({ container }) => container.resources?.limits?.cpu === undefined),
    [],
  );
});

test('a service has a minute and more to start', (t) => {
  const faults = except(services, ({ container: { startupProbe } }) => {
    const { periodSeconds = 10, failureThreshold = 3, httpGet } = startupProbe ?? {};
    return httpGet?.path === '/livez' && periodSeconds * failureThreshold >= 60;
  });
  t.deepEqual(faults, []);
});

test('a service is alive while its event loop answers, whatever its stores do', (t) => {
  const faults = except(services, ({ container: { livenessProbe } }) => {
    const { periodSeconds = 10, failureThreshold = 3, httpGet } = livenessProbe ?? {};
    const answers = httpGet?.path === '/livez' && httpGet.port === 'management';
    return answers && periodSeconds * failureThreshold >= 30;
  });
  t.deepEqual(faults, []);
});

test('that a service drains is noticed before it stops to accept', (t) => {
  for (const rendering of everyRendering) {
    const faults = except(servicesOf(rendering), (workload) => {
      const { periodSeconds = 10, failureThreshold = 3, httpGet } = workload.container.readinessProbe ?? {};
      const delay = Number(environmentOf(rendering, workload).SHUTDOWN_DELAY_MILLISECONDS) / 1_000;
      const asks = httpGet?.path === '/readyz' && httpGet.port === 'management';
      return asks && periodSeconds <= 2 && periodSeconds * failureThreshold < delay;
    });
    t.deepEqual(faults, []);
  }
});

test('the load balancer has five seconds and more to leave a service that stops', (t) => {
  for (const rendering of everyRendering) {
    const faults = except(
      servicesOf(rendering),
      (workload) => Number(environmentOf(rendering, workload).SHUTDOWN_DELAY_MILLISECONDS) >= 5_000,
    );
    t.deepEqual(faults, []);
  }
});

test('a pod is given more time to end than delay, grace and closing take together', (t) => {
  const closingSeconds = 6;
  for (const rendering of everyRendering) {
    const faults = except(servicesOf(rendering), (workload) => {
      const { SHUTDOWN_DELAY_MILLISECONDS: delay, SHUTDOWN_GRACE_MILLISECONDS: grace } = environmentOf(
        rendering,
        workload,
      );
      const needed = (Number(delay) + Number(grace)) / 1_000 + closingSeconds;
      return (workload.pod.terminationGracePeriodSeconds ?? 30) > needed;
    });
    t.deepEqual(faults, []);
  }
});

test('no hook keeps SIGTERM from a service', (t) => {
  t.deepEqual(
    except(every, ({ container }) => container.lifecycle === undefined),
    [],
  );
});

test('nothing runs before a service: it waits for its migrations by itself', (t) => {
  t.deepEqual(
    except(every, ({ pod }) => pod.initContainers === undefined),
    [],
  );
});

test('each container is started as a program that the image has', (t) => {
  const names = programs.map(({ name }) => name);
  const started = everyRendering.flatMap((rendering) => [...servicesOf(rendering), migrationOf(rendering)]);
  for (const { place, container } of started) {
    t.is(container.command, undefined, place);
    const expected = container.name === 'migration' ? 'migrate' : container.name;
    t.deepEqual(container.args, [expected], place);
    t.true(names.includes(expected), place);
  }
});
