import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { replacingAddress } from './address.ts';

const ToolResult = z.object({
  content: z.tuple([z.looseObject({ type: z.literal('text'), text: z.string() })]),
  isError: z.boolean().default(false),
});

/** Starts a published MCP server, with another address of the provider, and connects to it by its input and output. */
export async function connectServer(program: string, address: string, env: Record<string, string>) {
  const args = [...replacingAddress(address), program];
  const client = new Client({ name: 'tara-conformance', version: '0.1.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return {
    /** What a tool answers, which is JSON. Throws an Error with its text when it failed. */
    async callTool(name: string, input: Record<string, unknown>): Promise<unknown> {
      const result = ToolResult.parse(await client.callTool({ name, arguments: input }));
      const [{ text }] = result.content;
      if (result.isError) throw new Error(text);
      return JSON.parse(text);
    },
    /** Ends the server. */
    close: () => client.close(),
  };
}
