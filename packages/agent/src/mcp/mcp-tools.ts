import { defineTool, type Tool } from '../tool.ts'
import { untilAbort } from '../until-abort.ts'
import { callMcpTool } from './call-tool.ts'
import { connect, type McpClient, type McpServer, type McpTool } from './connect.ts'
import { toolIdsOf } from './tool-ids.ts'

/** MCP servers by name. */
export interface McpServers {
  readonly [name: string]: McpServer
}

const NAME = /^[a-zA-Z0-9_-]{1,32}$/
/** A server that lists tools without an end is not listened to any longer. */
const MOST_PAGES = 100

/**
 * The tools of MCP servers, named `mcp__SERVER__NAME`. A person is asked before each call, unless the server says that the
 * tool only reads. The connections are closed when the signal fires: in an agent, `ctx.signal` fires at the end of the run.
 * Rejects, with the server's name, if one of them cannot be used.
 */
export async function mcpTools(servers: McpServers, signal: AbortSignal): Promise<readonly Tool[]> {
  const closing = new AbortController()
  try {
    const both = AbortSignal.any([signal, closing.signal])
    return (await Promise.all(Object.entries(servers).map(([name, server]) => toolsOf(name, server, both)))).flat()
  } catch (error) {
    // Of those that have connected nobody will hear.
    closing.abort()
    throw error
  }
}

async function toolsOf(name: string, server: McpServer, signal: AbortSignal): Promise<readonly Tool[]> {
  if (!NAME.test(name))
    throw new TypeError(`The name of an MCP server is 1 to 32 letters, digits, _ and -, unlike "${name}".`)
  signal.throwIfAborted()
  const connection = await connect(server)
  const close = () => void connection.close().catch(() => undefined)
  signal.addEventListener('abort', close, { once: true })
  try {
    const { client } = await untilAbort(connection.opened, signal)
    const listed = await untilAbort(listTools(client), signal)
    const ids = toolIdsOf(name, listed)
    return listed.map((tool, index) => toolOf(client, tool, ids[index] as string))
  } catch (error) {
    close()
    const printed = connection.stderr().trim()
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The MCP server "${name}" cannot be used: ${reason}${printed === '' ? '' : `\n${printed}`}`, {
      cause: error,
    })
  }
}

async function listTools(client: McpClient): Promise<readonly McpTool[]> {
  const tools: McpTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor })
    tools.push(...listed.tools)
    cursor = listed.nextCursor
    if (cursor === undefined) break
  }
  return tools
}

function toolOf(client: McpClient, tool: McpTool, id: string): Tool {
  return defineTool<{ readonly [name: string]: unknown }>({
    id,
    description: tool.description ?? tool.title ?? tool.name,
    input: {
      '~standard': {
        version: 1,
        vendor: 'mcp',
        // The server checks its input itself, by keywords that are not ours to know.
        validate: (value) =>
          typeof value === 'object' && value !== null && !Array.isArray(value)
            ? { value: value as { readonly [name: string]: unknown } }
            : { issues: [{ message: 'must be an object' }] },
        jsonSchema: { input: () => tool.inputSchema as Record<string, unknown> },
      },
    },
    approve: tool.annotations?.readOnlyHint !== true,
    call: (input, ctx) => callMcpTool(client, { id, name: tool.name }, input, ctx),
  }) as Tool
}
