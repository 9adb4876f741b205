import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@tara/proof/process';
import { z } from 'zod';
import { findService } from './find.ts';

const program = findService('caddy');

interface ProxyOptions {
  /** Where it listens on this machine. */
  port: number;
  /** Hosts and ports of the nodes; each request goes to one of them at random. */
  nodes: readonly string[];
  /** Paths that go elsewhere, by the host and port that they go to: as from this machine itself. */
  others: Readonly<Record<string, string>>;
}

/** A running proxy in front of nodes. */
export interface Proxy {
  /** How many requests each node answered, by its host and port. */
  countRequests(): Promise<Map<string, number>>;
  stop(): Promise<void>;
}

/** A line of its log of requests, as far as it is read. */
const Line = z.object({ resp_headers: z.object({ 'X-Node': z.tuple([z.string()]).optional() }) });

/**
 * The settings of the proxy: docs/operations.md has the same for operators. A node that does not answer `/readyz` with 200 gets no requests. One
 * that could not be connected to has another node tried; one that broke off has not, because the request may have been carried out.
 */
const settings = ({ port, nodes, others }: ProxyOptions, folder: string) => `{
	admin off
	auto_https off
	grace_period 1s
	log {
		output stdout
	}
}
http://:${port} {
	bind 127.0.0.1
	log {
		output file ${join(folder, 'requests.log')}
	}
	${Object.entries(others)
    .map(
      ([path, to]) => `handle ${path}* {
		reverse_proxy ${to} {
			header_up -X-Forwarded-For
			header_up -X-Forwarded-Proto
			header_up -X-Forwarded-Host
		}
	}`,
    )
    .join('\n\t')}
	handle {
		reverse_proxy ${nodes.join(' ')} {
			lb_policy random
			lb_try_duration 1s
			lb_try_interval 100ms
			health_uri /readyz
			health_interval 500ms
			health_timeout 2s
			fail_duration 1s
			header_down X-Node {http.reverse_proxy.upstream.hostport}
		}
	}
	handle_errors {
		@away expression {http.error.status_code} == 503
		handle @away {
			header Retry-After 2
			respond \`{"message":"Try again in a moment.","code":503,"type":"general_unavailable"}\` 503
		}
		handle {
			respond \`{"message":"The node did not answer.","code":502,"type":"general_unavailable"}\` 502
		}
	}
}
`;

/** Starts Debian's Caddy in front of nodes. It passes websockets on. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  if (program === null) throw new Error('caddy is not installed.');
  const folder = await mkdtemp(join(tmpdir(), 'tara-proxy-'));
  const file = join(folder, 'Caddyfile');
  await writeFile(file, settings(options, folder));
  const server = await startProcess([program, 'run', '--config', file, '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder },
    until: /serving initial configuration/,
  });
  if (!server.isRunning()) throw new Error(`The proxy ended:\n${Object.values(server.output()).join('')}`);
  return {
    countRequests: async () => {
      const counts = new Map(options.nodes.map((node) => [node, 0]));
      for (const line of (await readFile(join(folder, 'requests.log'), 'utf8')).split('\n')) {
        if (line === '') continue;
        const [node] = Line.parse(JSON.parse(line)).resp_headers['X-Node'] ?? [];
        if (node !== undefined) counts.set(node, (counts.get(node) ?? 0) + 1);
      }
      return counts;
    },
    stop: async () => {
      await server.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
