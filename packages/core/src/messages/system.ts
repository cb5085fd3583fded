import type { PlainMessage } from './plain.ts'

interface Separated {
  readonly system: string | undefined
  readonly messages: readonly PlainMessage[]
}

/** The messages of the system that come first, as one text beside the others. */
export function withSystem(messages: readonly PlainMessage[]): Separated {
  const start = messages.findIndex(({ role }) => role !== 'system')
  const first = start === -1 ? messages : messages.slice(0, start)
  const text = first.map((message) => (message.role === 'system' ? message.text : '')).join('\n\n')
  return { system: text === '' ? undefined : text, messages: start === -1 ? [] : messages.slice(start) }
}
