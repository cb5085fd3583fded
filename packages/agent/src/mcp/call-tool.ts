import type { ToolEvent } from '../events.ts'
import type { ExecutionContext } from '../execution-context.ts'
import type { McpClient, McpProgress } from './connect.ts'

/** A tool that reports nothing for so long has failed, in ms. */
const SILENCE = 10 * 60_000

/** A block of a result; each kind has some of the fields. */
interface Block {
  readonly type: string
  readonly text?: string
  readonly data?: string
  readonly mimeType?: string
  readonly uri?: string
  readonly name?: string
  readonly resource?: {
    readonly uri?: string
    readonly text?: string
    readonly blob?: string
    readonly mimeType?: string
  }
}

/** Calls a tool of an MCP server: its reports are progress, its images and other files are files of the run. */
export async function* callMcpTool(
  client: McpClient,
  { id, name }: { readonly id: string; readonly name: string },
  input: { readonly [name: string]: unknown },
  ctx: ExecutionContext,
): AsyncGenerator<ToolEvent> {
  const reports: McpProgress[] = []
  let bell = Promise.withResolvers<void>()
  const calling = client.callTool(
    { name, arguments: input },
    {
      signal: ctx.signal,
      timeout: SILENCE,
      resetTimeoutOnProgress: true,
      onprogress(report) {
        reports.push(report)
        bell.resolve()
      },
    },
  )
  let isDone = false
  const ended = calling.then(
    () => {
      isDone = true
    },
    () => {
      isDone = true
    },
  )
  while (!isDone || reports.length > 0) {
    for (const report of reports.splice(0)) yield { type: 'progress', toolName: id, data: dataOf(report) }
    if (isDone) continue
    bell = Promise.withResolvers()
    await Promise.race([bell.promise, ended])
  }
  const { content = [], structuredContent, isError } = await calling
  const texts: string[] = []
  for (const block of content as readonly Block[]) texts.push(await textOf(block, ctx))
  const text = texts.filter((each) => each !== '').join('\n')
  const output = text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : text
  yield { type: 'result', toolName: id, output, ...(isError === true && { isError }) }
}

function dataOf({ progress: done, total, message }: McpProgress): unknown {
  const percent = total === undefined || total <= 0 ? {} : { percent: Math.round((100 * done) / total) }
  if (message !== undefined && total === undefined) return `${message}\n`
  return { subtype: 'mcp_progress', done, ...percent, ...(message !== undefined && { message }) }
}

type Rows = { readonly [type: string]: (block: Block, ctx: ExecutionContext) => string | Promise<string> }

const rows: Rows = {
  text: ({ text = '' }) => text,
  image: ({ data, mimeType }, ctx) => fileText(data, mimeType, ctx),
  audio: ({ data, mimeType }, ctx) => fileText(data, mimeType, ctx),
  resource: ({ resource = {} }, ctx) => resource.text ?? fileText(resource.blob, resource.mimeType, ctx, resource.uri),
  resource_link: ({ uri = '', name = '' }) => `${name} ${uri}`.trim(),
}

function textOf(block: Block, ctx: ExecutionContext): string | Promise<string> {
  return Object.hasOwn(rows, block.type) ? (rows[block.type]?.(block, ctx) ?? '') : JSON.stringify(block)
}

/** Hands the file to the viewers, and names it for the model. */
async function fileText(
  data = '',
  mediaType = 'application/octet-stream',
  ctx: ExecutionContext,
  filename?: string,
): Promise<string> {
  await ctx.file({ mediaType, bytes: Buffer.from(data, 'base64'), ...(filename !== undefined && { filename }) })
  return `[file ${filename === undefined ? '' : `${filename}, `}${mediaType}]`
}
