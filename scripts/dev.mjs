// `npm run dev`: restarts the server when it changes, and updates the web in place. Open the web's address.
import { install } from './install.mjs';
import { killAfterMs } from './setup/drain.mjs';
import { portProblem } from './setup/port.mjs';
import { main, pinnedNode, run, runNode, tool } from './setup/run.mjs';

await main(async (args) => {
  const webPort = process.env.PORT ?? '3000';
  const serverPort = String(Number(webPort) + 1);
  for (const PORT of [webPort, serverPort]) {
    const problem = await portProblem({ PORT });
    if (problem !== null) throw new Error(problem);
  }
  const serverUrl = `http://127.0.0.1:${serverPort}`;
  const publicUrl = process.env.PUBLIC_URL ?? `http://localhost:${webPort}`;
  // By default the server allows its own port only, but the pages come from the web's port.
  const allowedOrigins = process.env.ALLOWED_ORIGINS ?? `http://127.0.0.1:${webPort},http://[::1]:${webPort}`;
  await install();
  let web;
  const server = runNode(['--watch', '--watch-preserve-output', 'server/src/main.ts', ...args], {
    env: { PORT: serverPort, PUBLIC_URL: publicUrl, ALLOWED_ORIGINS: allowedOrigins },
    killAfterMs: killAfterMs(),
  }).finally(() => web?.kill('SIGTERM'));
  await run(
    pinnedNode(),
    [
      tool('vite/bin/vite.js'),
      'web',
      '--config',
      'web/vite.config.ts',
      '--port',
      webPort,
      '--strictPort',
      '--logLevel',
      'warn',
    ],
    { env: { TARA_SERVER: serverUrl }, onStart: (child) => (web = child) },
  );
  process.kill(process.pid, 'SIGTERM');
  return server;
});
