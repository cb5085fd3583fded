import type { Scenario } from '../scenarios.ts'
import { message, textBlock } from './message.ts'

export const blockScenarios: readonly Scenario[] = [
  { name: 'a text', round: (k) => message(k, ...textBlock(k, 'Hello.')) },
  {
    name: 'a thought, then an answer',
    round: (k) =>
      message(
        k,
        { type: 'block-start', blockId: `thought-r${k}`, kind: 'reasoning', variant: 'thinking' },
        { type: 'block-delta', blockId: `thought-r${k}`, text: 'Hm.' },
        { type: 'block-patch', blockId: `thought-r${k}`, signature: 'signed' },
        { type: 'block-end', blockId: `thought-r${k}` },
        ...textBlock(k, 'Yes.'),
      ),
  },
  {
    name: 'a block that is patched twice, also after its end',
    round: (k) =>
      message(
        k,
        { type: 'block-start', blockId: `patched-r${k}`, kind: 'text' },
        { type: 'block-delta', blockId: `patched-r${k}`, text: 'Helo' },
        { type: 'block-patch', blockId: `patched-r${k}`, text: 'Hello' },
        { type: 'block-delta', blockId: `patched-r${k}`, text: ', wold' },
        { type: 'block-patch', blockId: `patched-r${k}`, text: 'Hello, world', citations: [{ title: 'A' }] },
        { type: 'block-end', blockId: `patched-r${k}` },
        { type: 'block-patch', blockId: `patched-r${k}`, citations: [{ title: 'A' }, { title: 'B' }] },
      ),
  },
  {
    name: 'two blocks at once',
    round: (k) =>
      message(
        k,
        { type: 'block-start', blockId: `one-r${k}`, kind: 'text' },
        { type: 'block-start', blockId: `two-r${k}`, kind: 'reasoning' },
        { type: 'block-delta', blockId: `one-r${k}`, text: 'A' },
        { type: 'block-delta', blockId: `two-r${k}`, text: 'B' },
        { type: 'block-end', blockId: `one-r${k}` },
        { type: 'block-delta', blockId: `two-r${k}`, text: 'C' },
        { type: 'block-end', blockId: `two-r${k}`, interrupted: true },
      ),
  },
  {
    name: 'a thought in tags',
    round: (k) =>
      message(
        k,
        { type: 'block-start', blockId: `tagged-r${k}`, kind: 'text' },
        { type: 'block-delta', blockId: `tagged-r${k}`, text: '<think>Hm' },
        { type: 'block-delta', blockId: `tagged-r${k}`, text: '.</thi' },
        { type: 'block-delta', blockId: `tagged-r${k}`, text: 'nk>Yes.' },
        { type: 'block-end', blockId: `tagged-r${k}` },
      ),
  },
  {
    name: 'a message that is retracted, and its replacement',
    round: (k) => [
      ...message(k, ...textBlock(k, 'Wrong.')),
      { type: 'message-retract', messageIds: [`message-r${k}`] },
      { type: 'message-start', messageId: `again-r${k}`, role: 'assistant', model: 'model-2' },
      ...textBlock(k, 'Right.', 'right'),
      { type: 'message-end', messageId: `again-r${k}` },
    ],
  },
  {
    name: 'a question of the user and its answer',
    round: (k) => [
      { type: 'message-start', messageId: `user-r${k}`, role: 'user' },
      ...textBlock(k, 'Why?', 'asked'),
      { type: 'message-end', messageId: `user-r${k}` },
      ...message(k, ...textBlock(k, 'So.')),
    ],
  },
  {
    name: 'two messages at once',
    round: (k) => [
      { type: 'message-start', messageId: `one-r${k}`, role: 'assistant' },
      { type: 'message-start', messageId: `two-r${k}`, role: 'assistant' },
      { type: 'block-start', blockId: `first-r${k}`, kind: 'text', messageId: `one-r${k}` },
      { type: 'block-start', blockId: `second-r${k}`, kind: 'text', messageId: `two-r${k}` },
      { type: 'status', message: 'In the one opened last', level: 'info' },
      { type: 'block-delta', blockId: `first-r${k}`, text: 'A' },
      { type: 'block-delta', blockId: `second-r${k}`, text: 'B' },
      { type: 'block-end', blockId: `first-r${k}` },
      { type: 'message-end', messageId: `one-r${k}` },
      { type: 'block-end', blockId: `second-r${k}` },
      { type: 'message-end', messageId: `two-r${k}`, interrupted: true },
    ],
  },
  {
    name: 'a message of the user while the assistant speaks',
    round: (k) => {
      const inside = { messageId: `message-r${k}` }
      return message(
        k,
        { type: 'message-start', messageId: `steer-r${k}`, role: 'user' },
        { type: 'message-end', messageId: `steer-r${k}` },
        { type: 'block-start', blockId: `text-r${k}`, kind: 'text', ...inside },
        { type: 'block-delta', blockId: `text-r${k}`, text: 'Turning ' },
        { type: 'block-delta', blockId: `text-r${k}`, text: 'back.' },
        { type: 'block-end', blockId: `text-r${k}` },
      )
    },
  },
]
