import type { ToolSegment } from '../fold/shapes.ts'
import type { Losses } from './losses.ts'
import type { PlainMessages } from './plain.ts'

/** What a provider accepts as the id of a call, and the id that a call gets that has another one. */
export interface IdRule {
  readonly accepts: RegExp
  readonly mint: (number: number) => string
}

export const idRules = {
  anthropic: { accepts: /^[a-zA-Z0-9_-]+$/, mint: (number) => `call_${number}` },
  openai: { accepts: /^[\s\S]{1,64}$/, mint: (number) => `call_${number}` },
  mistral: { accepts: /^[a-zA-Z0-9]{9}$/, mint: (number) => `call${String(number).padStart(5, '0')}` },
} as const satisfies { readonly [rule: string]: IdRule }

/** The ids of the calls of one request: each is accepted, and none is used twice. */
export interface CallIds {
  idOf(call: ToolSegment): string
}

export function createCallIds(rule: IdRule, { messages, losses }: PlainMessages): CallIds {
  const ids = new Map<ToolSegment, string>()
  const used = new Set<string>()
  let count = 0

  function claim(call: ToolSegment): string {
    const given = givenIdOf(call)
    let id = given
    while (!rule.accepts.test(id) || used.has(id)) id = rule.mint(++count)
    used.add(id)
    ids.set(call, id)
    return id
  }

  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const part of message.parts) {
      if (part.kind !== 'call' && part.kind !== 'provider-call') continue
      if (claim(part.call) !== givenIdOf(part.call)) losses.add('call-id', message.chatEvent.id, part.call.callId)
    }
  }
  return { idOf: (call) => ids.get(call) ?? claim(call) }
}

/** The provider's final id of a call: a stream may correct the one it began with. */
function givenIdOf({ callId, meta }: ToolSegment): string {
  const final = meta?.openai?.call_id
  return typeof final === 'string' ? final : callId
}

/** The name of a tool with the characters that every provider accepts. */
export function toolNameOf(call: ToolSegment, id: string, losses: Losses, longest = 64): string {
  const name = call.name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, longest) || 'tool'
  if (name !== call.name) losses.add('tool-name', id, call.callId)
  return name
}
