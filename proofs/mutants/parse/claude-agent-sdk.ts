import type { Mutant } from '../mutant.ts'

const claude = 'packages/core/src/parse/claude-agent-sdk'

export const mutants: readonly Mutant[] = [
  {
    file: `${claude}.ts`,
    find: "if (typeof content !== 'string' && !Array.isArray(content)) return unmapped(line)",
    replace: "if (typeof content !== 'string' && !Array.isArray(content)) return SILENT",
    promise: 'a line without content is kept as raw',
  },
  {
    file: `${claude}/user-lines.ts`,
    find: "typeof message === 'string' || Array.isArray(message.content)",
    replace: "typeof message === 'string' || message !== null",
    promise: 'a user line without content is kept as raw',
  },
  {
    file: `${claude}/recognize.ts`,
    find: '? FOREIGN : 0',
    replace: '? ALIKE : 0',
    promise: 'a session of another program is not recognised as Claude Code',
  },
  {
    file: `${claude}/assistant.ts`,
    find: 'if (streamed === undefined) return addBlock(out, message, block)',
    replace: 'if (streamed === undefined || text !== "") return addBlock(out, message, block)',
    promise: 'a whole line does not repeat what was streamed',
  },
  {
    file: `${claude}/threads.ts`,
    find: 'if (agentId === undefined) return main',
    replace: "if (agentId !== '') return main",
    promise: 'a subagent and the main agent do not share messages',
  },
  {
    file: `${claude}/lines.ts`,
    find: 'addTo(messageId, -1) === 0 ? [messageId] : []',
    replace: 'addTo(messageId, -1) === 0 ? [] : []',
    promise: 'a superseded message is retracted',
  },
  {
    file: `${claude}/subagents.ts`,
    find: 'if (isSubagent(callId) && runsOn)',
    replace: 'if (isSubagent(callId) && !runsOn)',
    promise: 'a subagent in the background ends with its task',
  },
  {
    file: `${claude}/assistant.ts`,
    find: 'if (!call?.hasInput && !call?.isAnswered) out.push(event)',
    replace: 'out.push(event)',
    promise: 'a call has one input, whichever line has it first',
  },
  {
    file: `${claude}/endings.ts`,
    find: '      ending = undefined\n',
    replace: '',
    promise: 'a turn that was cut off is not a success because the turn before was one',
  },
  {
    file: `${claude}/endings.ts`,
    find: "scope: 'run', mode: 'add'",
    replace: "scope: 'run', mode: 'snapshot'",
    promise: 'the tokens of turns add up',
  },
  {
    file: `${claude}/endings.ts`,
    find: 'if (cost < processCost) earlierCost += processCost',
    replace: 'if (cost < processCost) earlierCost = processCost',
    promise: 'the cost of a third process is added to those of both before it',
  },
  {
    file: `${claude}/calls.ts`,
    find: 'openQuestions.delete(approvalId)\n',
    replace: 'openQuestions.clear()\n',
    promise: 'a second question stays open when the first is answered',
  },
  {
    file: `${claude}/lines.ts`,
    find: 'if (messageIds.includes(messageId)) continue',
    replace: 'if (messageIds.includes(messageId) || agentId !== undefined) continue',
    promise: 'a superseded line of a subagent is emptied',
  },
  {
    file: `${claude}/user-lines.ts`,
    find: 'const ownResult = index === 0 ? structured : undefined',
    replace: 'const ownResult = structured',
    promise: 'the structured result of a line belongs to its first block',
  },
  {
    file: `${claude}/assistant.ts`,
    find: 'const repeatedCount = isMore ? marks.length : 0',
    replace: 'const repeatedCount = 0',
    promise: 'a line that repeats the message so far adds only what is new',
  },
  {
    file: `${claude}/threads.ts`,
    find: "...(event.type === 'source' && { sourceId: `${agentId}/${event.sourceId}` }),",
    replace: '',
    promise: 'the sources of two subagents have ids of their own',
  },
  {
    file: `${claude}/subagents.ts`,
    find: '!announced.has(callId) || calls.get(callId)?.isLaunched',
    replace: '!announced.has(callId)',
    promise: 'a subagent that was only launched does not end with the result of its call',
  },
  {
    file: `${claude}.ts`,
    find: '{ isSidechain: true, ...present({ agentId: data.agentId }) }',
    replace: '{ parent_tool_use_id: data.agentId ?? null }',
    promise: 'a subagent that no call is named for is not shown as called',
  },
  {
    file: `${claude}/assistant.ts`,
    find: 'out.push(open === undefined ? event : { ...event, messageId: open.messageId })',
    replace: 'out.push(open === undefined ? event : { ...event })',
    promise: 'counts in the stream belong to the open message',
  },
  {
    file: `${claude}/user-lines.ts`,
    find: "(origin?.kind ?? 'human') !== 'human'",
    replace: "(origin?.kind ?? 'human') === 'program'",
    promise: 'a notification in the user role is not a prompt of a person',
  },
]
