import { createServer } from 'node:net';

const problems = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is in use by another program. Stop that one, or choose another port, such as PORT=${port < 65535 ? port + 1 : port - 1}; PORT=0 takes a free one.`,
  EACCES: (host, port) =>
    `Port ${port} of ${host} may not be opened by this user. Choose one above 1023, such as PORT=3000.`,
  EADDRNOTAVAIL: (host) =>
    `HOST=${host} is no address of this machine. Unset it, or set 0.0.0.0 for all of them.`,
};

/** Why the server could not listen on PORT and HOST, with the way out; null when it can, or when the server says it itself. */
export function portProblem({ PORT, HOST }) {
  const host = HOST?.trim() || '127.0.0.1';
  const port = Number(PORT?.trim() || 3000);
  return new Promise((done) => {
    if (!(Number.isInteger(port) && port >= 0 && port <= 65535)) return done(null);
    const probe = createServer();
    probe.once('error', ({ code }) => done(problems[code]?.(host, port) ?? null));
    probe.listen(port, host, () => probe.close(() => done(null)));
  });
}
