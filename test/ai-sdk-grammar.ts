import type { Chunk } from '../packages/core/src/wire/wire.ts'

type Fault = string | undefined

interface Seen {
  isOpen: boolean
  isStepOpen: boolean
  hasStarted: boolean
  readonly blocks: Set<string>
  readonly inputs: Set<string>
  readonly calls: Set<string>
}

type Check = (chunk: Chunk, seen: Seen) => Fault

const fault = (isFault: boolean, what: string): Fault => (isFault ? what : undefined)
const blockOf = ({ type, id }: Chunk) => `${String(type).split('-')[0]} ${id}`
const callOf = ({ toolCallId }: Chunk) => String(toolCallId)

const startBlock: Check = (chunk, { blocks }) => {
  const block = blockOf(chunk)
  const isOpen = blocks.has(block)
  blocks.add(block)
  return fault(isOpen, 'starts a block that is open')
}
const insideBlock: Check = (chunk, { blocks }) => fault(!blocks.has(blockOf(chunk)), 'is outside its block')
const endBlock: Check = (chunk, { blocks }) => fault(!blocks.delete(blockOf(chunk)), 'ends a block that is not open')
const endInput: Check = (chunk, { inputs }) => fault(!inputs.delete(callOf(chunk)), 'is not the end of an input')
const ofCall: Check = (chunk, { calls, inputs }) =>
  fault(!calls.has(callOf(chunk)) || inputs.has(callOf(chunk)), 'comes before its call has an input')

const checks: { readonly [type: string]: Check } = {
  start(_, seen) {
    const isFault = seen.isOpen
    seen.isOpen = true
    seen.hasStarted = true
    return fault(isFault, 'starts a response that is open')
  },
  finish(_, seen) {
    seen.isOpen = false
    return fault(seen.isStepOpen || seen.blocks.size + seen.inputs.size > 0, 'leaves something open')
  },
  'start-step'(_, seen) {
    const isFault = seen.isStepOpen || seen.inputs.size > 0
    seen.isStepOpen = true
    return fault(isFault, 'starts a step inside a step or an input')
  },
  'finish-step'(_, seen) {
    const isFault = !seen.isStepOpen
    seen.isStepOpen = false
    return fault(isFault, 'ends a step that is not open')
  },
  'text-start': startBlock,
  'text-delta': insideBlock,
  'text-end': endBlock,
  'reasoning-start': startBlock,
  'reasoning-delta': insideBlock,
  'reasoning-end': endBlock,
  'tool-input-start'(chunk, { inputs, calls }) {
    const isFault = calls.has(callOf(chunk))
    inputs.add(callOf(chunk))
    calls.add(callOf(chunk))
    return fault(isFault, 'starts a call twice')
  },
  'tool-input-delta': (chunk, { inputs }) => fault(!inputs.has(callOf(chunk)), 'is outside its input'),
  'tool-input-available': endInput,
  'tool-input-error': endInput,
  'tool-output-available': ofCall,
  'tool-output-error': ofCall,
  'tool-output-denied': ofCall,
  'tool-approval-request': ofCall,
}

/** What is wrong with the order of a run's chunks, one sentence each. */
export function aiSdkFaults(chunks: readonly Chunk[]): readonly string[] {
  const seen = {
    isOpen: false,
    isStepOpen: false,
    hasStarted: false,
    blocks: new Set<string>(),
    inputs: new Set<string>(),
    calls: new Set<string>(),
  }
  const faults = chunks.flatMap((chunk, index) => {
    const isAfterFinish = seen.hasStarted && chunk.type === 'error' && index === chunks.length - 1
    const isOutside = !seen.isOpen && chunk.type !== 'start' && !isAfterFinish
    const wrong = [fault(isOutside, 'is outside the response'), checks[String(chunk.type)]?.(chunk, seen)]
    return wrong.filter((sentence) => sentence !== undefined).map((sentence) => `${chunk.type} ${sentence}`)
  })
  if (seen.isOpen) faults.push('The response is not finished')
  return faults
}
