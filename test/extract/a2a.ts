import type { Extract, ExtractFrom, Unread } from './extract.ts'

interface Part {
  readonly root?: Part
  readonly text?: string
  readonly metadata?: { readonly [key: string]: unknown }
  readonly data?: { readonly name?: string; readonly args?: unknown }
}

/** The fields of every result, in each spelling of the protocol. */
interface Result {
  readonly [field: string]: unknown
}

const fieldOf = (value: unknown, ...names: readonly string[]) =>
  names.map((name) => (value as Result | undefined)?.[name]).find((found) => found !== undefined && found !== null)

const listOf = (value: unknown): readonly Part[] =>
  (Array.isArray(value) ? (value as readonly Part[]) : []).map((part) => part.root ?? part)

const partsOf = (value: unknown) => listOf(fieldOf(value, 'parts', 'content'))

const mark = ({ metadata = {} }: Part, name: string) =>
  Object.entries(metadata).find(([key]) => key === name || key.endsWith(`_${name}`))?.[1]

interface Run {
  readonly kind: 'text' | 'reasoning'
  readonly artifact: string
  text: string
  isOpen: boolean
}

export const unread: Unread = {
  'a2a/odd-records.jsonl': 'Results that the protocol does not have: none of them is drawn.',
}

export const extract: ExtractFrom = (values) => {
  const runs: Run[] = []
  const tools: { name: string; input: unknown }[] = []
  const messages = new Set<unknown>()
  const calls = new Set<string>()

  const close = (artifact?: string) => {
    for (const run of runs) if (artifact === undefined || run.artifact === artifact) run.isOpen = false
  }
  const say = (kind: Run['kind'], artifact: string, text: string) => {
    const open = runs.findLast((run) => run.artifact === artifact)
    if (open?.isOpen && open.kind === kind) open.text += text
    else {
      close(artifact)
      runs.push({ kind, artifact, text, isOpen: true })
    }
  }
  const readPart = (part: Part, artifact: string, hasText: boolean) => {
    if (part.text === undefined) close(artifact)
    if (mark(part, 'type') === 'function_call')
      tools.push({ name: part.data?.name ?? 'tool', input: part.data?.args ?? {} })
    else if (part.text !== undefined && mark(part, 'thought') === true) say('reasoning', artifact, part.text)
    else if (part.text !== undefined && hasText) say('text', artifact, part.text)
  }
  const readMessage = (message: unknown, hasText: boolean) => {
    const id = fieldOf(message, 'messageId', 'message_id')
    if (message === undefined || (id !== undefined && messages.has(id))) return
    messages.add(id ?? message)
    const name = `message ${String(id ?? messages.size)}`
    for (const part of partsOf(message)) readPart(part, name, hasText)
    close(name)
  }
  const readArtifact = (raw: unknown, isAppended: boolean) => {
    const id = String(fieldOf(raw, 'artifactId', 'artifact_id') ?? '')
    if (isAppended) for (const part of partsOf(raw)) readPart(part, id, true)
    else replace(id, partsOf(raw))
  }
  /** An artifact that is sent again: its text replaces what is open of it; its other parts are new if they differ. */
  const replace = (id: string, parts: readonly Part[]) => {
    const earlier = runs.filter((run) => run.artifact === id && run.kind === 'text')
    const before = earlier.map((run) => run.text).join('')
    const text = parts.flatMap((part) => (mark(part, 'thought') === true ? [] : [part.text ?? ''])).join('')
    const others = parts.filter((part) => part.text === undefined && !calls.has(JSON.stringify(part)))
    for (const part of parts) calls.add(JSON.stringify(part))
    const last = earlier.at(-1)
    if (last === undefined) for (const part of parts) readPart(part, id, true)
    else {
      const ended = before.slice(0, before.length - last.text.length)
      if (!text.startsWith(before) && last.isOpen && text.startsWith(ended)) last.text = text.slice(ended.length)
      else if (text.startsWith(before)) text === before || say('text', id, text.slice(before.length))
      else {
        for (const run of earlier) Object.assign(run, { artifact: `${id} before`, isOpen: false })
        say('text', id, text)
      }
      for (const part of others) readPart(part, id, true)
    }
  }
  const readStatus = (status: unknown, isFinal: boolean) => {
    const state = String(fieldOf(status, 'state')).replace('TASK_STATE_', '').toLowerCase()
    const message = fieldOf(status, 'message', 'update')
    const words = partsOf(message).map(({ text = '' }) => text)
    const isSaid = runs.some(({ text }) => text.trim() === words.join('').trim())
    if (isFinal || /completed|required/.test(state)) close()
    readMessage(message, state === 'completed' && !isSaid)
  }

  for (const value of values) {
    const result = fieldOf(value, 'result') ?? value
    const kind = fieldOf(result, 'kind')
    const named = (word: string, ...members: readonly string[]) =>
      kind === word ? result : fieldOf(result, ...members)
    const isBare = fieldOf(result, 'id') !== undefined && fieldOf(result, 'status') !== undefined
    const task = isBare ? result : named('task', 'task')
    for (const artifact of (fieldOf(task, 'artifacts') as readonly unknown[] | undefined) ?? [])
      readArtifact(artifact, false)
    if (task !== undefined) readStatus(fieldOf(task, 'status'), false)
    const update = named('status-update', 'statusUpdate', 'status_update')
    if (update !== undefined) readStatus(fieldOf(update, 'status'), fieldOf(update, 'final') === true)
    const made = named('artifact-update', 'artifactUpdate', 'artifact_update')
    if (made !== undefined) {
      const artifact = fieldOf(made, 'artifact')
      readArtifact(artifact, fieldOf(made, 'append') === true)
      if (fieldOf(made, 'lastChunk', 'last_chunk') === true)
        close(String(fieldOf(artifact, 'artifactId', 'artifact_id') ?? ''))
    }
    readMessage(named('message', 'message', 'msg'), true)
    const history = (fieldOf(task, 'history') as readonly unknown[] | undefined) ?? []
    const last = history.at(-1)
    if (/completed$/i.test(String(fieldOf(fieldOf(task, 'status'), 'state'))) && runs.length === 0)
      readMessage(last, true)
  }
  return resultOf(runs, tools)
}

function resultOf(runs: readonly Run[], tools: Extract['tools']): Extract {
  const prose = (kind: Run['kind']) =>
    runs.filter((run) => run.kind === kind && run.text !== '').map(({ text }) => text)
  return { text: prose('text'), reasoning: prose('reasoning'), tools }
}
