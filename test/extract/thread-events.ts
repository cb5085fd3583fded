import type { ExtractFrom, Unread } from './extract.ts'

export const unread: Unread = {
  'thread-events/odd.jsonl': 'Events of other shapes are kept as raw.',
}

interface ThreadEvent {
  readonly type?: string
  readonly data?: string | { readonly content?: unknown; readonly token?: string } | Call
  readonly thread_id?: string
  readonly events?: readonly ThreadEvent[]
}

interface Call {
  readonly toolName?: string
  readonly name?: string
  readonly input?: unknown
  readonly arguments?: unknown
}

export const extract: ExtractFrom = (values) => {
  const text: string[] = []
  const reasoning: string[] = []
  const tools: { name: string; input: unknown }[] = []
  let held: string[] = []
  let tokens = ''
  const release = () => {
    reasoning.push(...held)
    held = []
  }
  /** The thoughts of events that the text repeats between tags are not sent twice. */
  const say = (raw: string) => {
    reasoning.push(...held.filter((each) => !new RegExp(`<think>\\s*${each}\\s*</think>`).test(raw)))
    held = []
    if (raw !== '') text.push(raw)
  }
  const take = (event: ThreadEvent) => {
    const { type = '' } = event
    const data = event.thread_id === undefined ? event.data : JSON.parse(String(event.data))
    const content = typeof data === 'string' ? data : String(data?.content ?? '')
    if (type === 'AGENT_TOKEN') {
      tokens += data.token ?? ''
      return
    }
    if (type === 'TOOL_CALL') {
      if (tokens !== '') say(tokens)
      release()
      tools.push({ name: data.toolName ?? data.name, input: data.input ?? data.arguments })
    } else if (type === 'THINKING') held.push(content)
    else if (type === 'AGENT_MESSAGE') say(content)
    else if (/(?:MESSAGE|PROMPT)$/.test(type)) {
      release()
      text.push(content)
    }
    tokens = ''
  }
  for (const value of values as readonly ThreadEvent[]) for (const event of value?.events ?? [value]) take(event)
  release()
  return { text, reasoning, tools }
}
