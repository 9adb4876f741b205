// Loaded into the server's process by the workload, before the server: sends its parent the delays of the event loop
// once a second.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** One second of the server's process. */
export interface LoopSecond {
  /** Longest delay of the event loop, ms. */
  delayMs: number;
  /** CPU time of the thread of the event loop, ms. */
  threadMs: number;
  /** CPU time of all threads of the process, ms. */
  processMs: number;
}

const resolution = 10;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let thread = process.threadCpuUsage();
let all = process.cpuUsage();

const milliseconds = ({ user, system }: { user: number; system: number }) => (user + system) / 1000;

setInterval(() => {
  const second: LoopSecond = {
    delayMs: Math.max(0, delays.max / 1e6 - resolution),
    threadMs: milliseconds(process.threadCpuUsage(thread)),
    processMs: milliseconds(process.cpuUsage(all)),
  };
  thread = process.threadCpuUsage();
  all = process.cpuUsage();
  delays.reset();
  if (process.connected) process.send?.(second);
}, 1000).unref();
process.channel?.unref();
