import type { Transport } from '@modelcontextprotocol/client'

/** An MCP server: a program that speaks on its standard input and output, or an address (Streamable HTTP). */
export type McpServer =
  | {
      readonly command: string
      readonly args?: readonly string[]
      /** Added to the few variables that a program needs; nothing else of the environment is passed on. */
      readonly env?: { readonly [name: string]: string }
      readonly cwd?: string
    }
  | { readonly url: string; readonly headers?: { readonly [name: string]: string } }

/** A tool as its server lists it. */
export interface McpTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined
}

/** What of the official client is used. */
export interface McpClient {
  listTools(page: {
    cursor?: string
  }): Promise<{ readonly tools: readonly McpTool[]; readonly nextCursor?: string | undefined }>
  callTool(
    call: { name: string; arguments: { [name: string]: unknown } },
    options: {
      signal: AbortSignal
      timeout: number
      resetTimeoutOnProgress: boolean
      onprogress: (report: McpProgress) => void
    },
  ): Promise<{
    readonly content?: readonly unknown[]
    readonly structuredContent?: unknown
    readonly isError?: boolean | undefined
  }>
}

export interface McpProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface Connection {
  readonly opened: Promise<{ readonly client: McpClient }>
  /** The end of what the program has printed beside its messages. */
  stderr(): string
  close(): Promise<void>
}

const PACKAGE = '@modelcontextprotocol/client'
const STDERR_KEPT = 2000

export async function connect(server: McpServer): Promise<Connection> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client').catch((cause) => {
    throw new Error(`MCP servers need the package ${PACKAGE}: npm install ${PACKAGE}`, { cause })
  })
  const client = new Client({ name: 'millrace', version: '0.1.0' })
  let stderr = ''
  async function transportOf(): Promise<Transport> {
    if ('url' in server) {
      const { url, headers = {} } = server
      return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    }
    const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
    const { command, args = [], env = {}, cwd } = server
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'pipe',
      ...(cwd !== undefined && { cwd }),
    })
    transport.stderr?.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk}`.slice(-STDERR_KEPT)
    })
    return transport
  }
  const transport = await transportOf()
  // A connection that is lost shows at the next call.
  client.onerror = () => undefined
  const opened = client.connect(transport).then(() => ({ client: client as unknown as McpClient }))
  opened.catch(() => undefined)
  return {
    opened,
    stderr: () => stderr,
    async close() {
      if ('terminateSession' in transport)
        await (transport as { terminateSession(): Promise<void> }).terminateSession().catch(() => undefined)
      await client.close()
    },
  }
}
