import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

describe('the example of several mocks', () => {
  const withoutServers = (text: string) =>
    text.replaceAll(/^#.*\n|\n(?=\n)|^ *server .*\n|^ *# .*\n/gm, '').trim();

  test('has for Kubernetes the same upstream and control token', () => {
    const file = readFileSync('examples/scale-out/kubernetes.yaml', 'utf8');
    const objects = parseAllDocuments(file).map((one) => one.toJS());
    const [secret, { spec }] = objects;
    const copy = secret.stringData['billing-shards.conf'];
    const shards = readFileSync('examples/scale-out/billing-shards.conf', 'utf8');
    expect(withoutServers(copy)).toBe(withoutServers(shards));
    const hosts = [...copy.matchAll(/server (\S+):4010 max_fails=0;/g)].map(([, host]) => host);
    const services = objects.filter(({ kind }) => kind === 'Service');
    const names = services.map(({ metadata }) => metadata.name);
    expect(names).toEqual([...hosts, 'billing']);
    expect(hosts).toHaveLength(spec.replicas);
  });

  test('has for Envoy the same mocks and control token', () => {
    const shards = readFileSync('examples/scale-out/billing-shards.conf', 'utf8');
    const envoy = readFileSync('examples/scale-out/envoy.yaml', 'utf8');
    const [listener, cluster] = [parse(envoy).static_resources].flatMap(
      ({ listeners, clusters }) => [listeners[0], clusters[0]],
    );
    const endpoints = cluster.load_assignment.endpoints[0].lb_endpoints;
    const ports = endpoints.map(
      ({ endpoint }: { endpoint: { address: { socket_address: { port_value: number } } } }) =>
        String(endpoint.address.socket_address.port_value),
    );
    expect(ports).toEqual([...shards.matchAll(/server \S+:(\d+)/g)].map(([, port]) => port));
    const [, token = ''] = /"(.*)" 1;/.exec(shards) ?? [];
    expect(JSON.stringify(listener)).toContain(`{"exact":${JSON.stringify(token)}}`);
  });
});
