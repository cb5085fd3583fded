import { setTimeout } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** An MCP server of npm's official package, for both transports. */
export function createHarbour(): McpServer {
  const server = new McpServer({ name: 'harbour', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.registerTool(
    'get_tide',
    { description: 'High water.', inputSchema: z.object({ harbour: z.string() }), annotations: { readOnlyHint: true } },
    async ({ harbour }) => ({ content: [{ type: 'text', text: `High water at ${harbour}: 06:12.` }] }),
  )
  server.registerTool(
    'dredge.harbour',
    { description: 'Takes a while.', inputSchema: z.object({ metres: z.number() }) },
    async ({ metres }, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken
      for (let done = 1; done <= metres; done++) {
        if (progressToken === undefined) continue
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: done, total: metres, message: `${done} m` },
        })
        // The client drops a report that arrives in one piece with the result.
        await setTimeout(50)
      }
      return { content: [{ type: 'text', text: `Dredged ${metres} m.` }] }
    },
  )
  server.registerTool('chart', { description: 'A picture.', annotations: { readOnlyHint: true } }, async () => ({
    content: [
      { type: 'text', text: 'The chart:' },
      { type: 'image', data: Buffer.from('PNG').toString('base64'), mimeType: 'image/png' },
    ],
  }))
  server.registerTool('wreck', { description: 'Fails.', annotations: { readOnlyHint: true } }, async () => ({
    isError: true,
    content: [{ type: 'text', text: 'The mast broke.' }],
  }))
  server.registerTool('drift', { description: 'Never ends.', annotations: { readOnlyHint: true } }, async (ctx) => {
    await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve))
    return { content: [] }
  })
  return server
}
