import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/compat'

export const compat: Stage = {
  name: 'compat',
  tests: [folder, 'packages/core/src/fold/event-builder'],
  mutants: [
    {
      file: `${folder}/event-builder/segments.ts`,
      find: 'slot.result ??= segments.length',
      replace: 'slot.result ??= slot.own + 1',
      promise: 'a result is where it arrived',
    },
    {
      file: `${folder}/event-builder/segments.ts`,
      find: 'return segments.slice()',
      replace: 'return segments',
      promise: 'a draft never changes',
    },
    {
      file: `${folder}/event-builder/segments.ts`,
      find: 'is_complete: isDone || part.is_complete',
      replace: 'is_complete: part.is_complete',
      promise: 'reasoning that has ended has no open part',
    },
    {
      file: `${folder}/event-builder/segments.ts`,
      find: "error ?? (state === 'done' ? undefined : state)",
      replace: 'error',
      promise: 'a call that was cut off has an error',
    },
    {
      file: `${folder}/event-builder.ts`,
      find: "...(state === 'interrupted' && { completion_status: 'interrupted' as const }),",
      replace: '',
      promise: 'an Event that was cut off is interrupted',
    },
    {
      file: 'packages/core/src/fold/event-builder.ts',
      find: 'if (current.block?.parts === undefined && current.lastParts?.complete(part)) return',
      replace: '',
      promise: 'the end of a part that comes after a call does not repeat its text',
    },
    {
      file: `${folder}/thread-processor/items.ts`,
      find: 'return claimed.has(thought.id) ? [] : [thinking(thought.content, time - before',
      replace: 'return [thinking(thought.content, time - before',
      promise: 'a thought of an event is not shown again in its message',
    },
    {
      file: `${folder}/thread-processor/items.ts`,
      find: "const messageType = isThought ? 'thinking' : role",
      replace: 'const messageType = role',
      promise: 'a thought that is being written is of its own type',
    },
    {
      file: `${folder}/thread-processor/timeline.ts`,
      find: 'if (ephemeral.every((item) => timeOf(item) >= newest)) return stored.concat(ephemeral)',
      replace: 'return stored.concat(ephemeral)',
      promise: 'a timeline is in the order of time',
    },
    {
      file: `${folder}/thread-processor.ts`,
      find: 'areOwn ? this.#reader.freshItems(processed, ephemeral) : ephemeralItems',
      replace: 'ephemeralItems',
      promise: 'a streaming message that is stored is shown once',
    },
    {
      file: `${folder}/thread-processor.ts`,
      find: 'isGrown ? totalsOf(items, this.#totals.get(before)) : totalsOf(items)',
      replace: 'totalsOf(items, this.#totals.get(before))',
      promise: 'the totals are those of the shown items',
    },
  ],
}
