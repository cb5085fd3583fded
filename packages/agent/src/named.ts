import type { Agent, AgentAbilities, AgentHost, AgentInput, AgentRequest } from '@millrace/core/agent'
import { storedFileId, USER_MESSAGE } from '@millrace/core/api'
import type { ChatEvent } from '@millrace/core/fold'
import type { LoadFile } from '@millrace/core/messages'
import { ExecutionContext } from './execution-context.ts'

/** What people see of an agent, and what it can do. */
export interface Named {
  /** Default: the title in small letters. In a folder of agents the file's name is the name. */
  readonly name?: string
  readonly title: string
  readonly description?: string
  readonly can?: AgentAbilities
  /** `project`: where the server was started; `thread`: a folder of the thread's own; else a path. Default `project`. */
  readonly cwd?: string
  /** A sentence if it cannot run now. Called often; MUST be fast. */
  unavailable?(): string | undefined
}

/** What an agent knows of the conversation. */
export interface Memory {
  /** The chat events of the runs before, oldest first. */
  readonly history: readonly ChatEvent[]
  /** What the person says now. */
  readonly input: AgentInput
  /** What `ctx.session` was given in the run before, if the agent `can.session`. */
  readonly session?: string
  /** The content of an uploaded file, for `withFiles` of `@millrace/core/messages`. */
  readonly load: LoadFile
}

/** How the records of a run become: one JSON value a line. */
export type Records = (request: AgentRequest, ctx: ExecutionContext, host: AgentHost) => AsyncIterable<string>

/** An agent of the server's contract that streams records in a format of the registry. */
export function agentOf(named: Named, format: string, records: Records): Agent {
  const { title, name = nameOf(title), description, can, cwd } = named
  return {
    name,
    title,
    ...(description !== undefined && { description }),
    ...(can !== undefined && { can }),
    ...(cwd !== undefined && { cwd }),
    ...(named.unavailable !== undefined && { unavailable: () => named.unavailable?.() }),
    format,
    framing: 'json-lines',
    async *run(request, host) {
      for await (const text of records(request, ExecutionContext.of(request, host), host))
        yield encoder.encode(`${text}\n`)
    },
  }
}

export const memoryOf = (request: AgentRequest): Memory => {
  const { history, input, session } = request
  return {
    history,
    input: { messageId: USER_MESSAGE.messageId, text: input.text, files: input.files ?? [] },
    ...(session !== undefined && { session: session.id }),
    load: loaderOf(request),
  }
}

/** The files of the conversation that were uploaded. One that is gone is undefined. */
export function loaderOf({ file }: AgentRequest): LoadFile {
  return async ({ fileId, url }) => {
    const bytes = await file(storedFileId(url) ?? fileId).catch(() => undefined)
    return bytes === undefined ? undefined : { bytes: Buffer.from(bytes).toString('base64') }
  }
}

/** The name that an agent has by its title. */
export const nameOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'agent'

const encoder = new TextEncoder()
