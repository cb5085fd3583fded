import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'
import {
  brokenOff,
  MODEL,
  PILOT_TASK,
  PROMPT,
  scenario,
  TIDE,
  TODOS,
  thenLater,
  WIND_FAILURE,
} from '../provider/scenario.ts'
import type { Call, Script } from '../provider/script.ts'
import { record, type Stage } from '../recording.ts'

type Case = {
  readonly script: Script
  readonly partial: boolean
  readonly env: { readonly [name: string]: string }
}

const agentCall = (inBackground: boolean): Call => ({
  name: 'Agent',
  input: {
    subagent_type: 'pilot',
    description: 'Slack water',
    prompt: PILOT_TASK,
    run_in_background: inBackground,
  },
})

/** One list that is written at once, and a subagent in the foreground. */
const atOnce = {
  script: scenario({ todos: [[{ name: 'TodoWrite', input: { todos: TODOS } }]], pilot: [[agentCall(false)]] }),
  env: { CLAUDE_CODE_ENABLE_TASKS: '0', CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' },
}

/** A list of tasks that are created and updated one by one, and a subagent whose answer starts a second turn. */
const inBackground = {
  script: thenLater(
    '<task-notification>',
    scenario({
      todos: [
        TODOS.map(({ content, activeForm }) => ({
          name: 'TaskCreate',
          input: { subject: content, description: `${content}.`, activeForm },
        })),
        TODOS.flatMap(({ status }, index) =>
          status === 'pending' ? [] : [{ name: 'TaskUpdate', input: { taskId: String(index + 1), status } }],
        ),
      ],
      pilot: [[agentCall(true)]],
    }),
  ),
  env: {},
}

const cases: { readonly [file: string]: Case } = {
  'recorded-partial.jsonl': { ...atOnce, partial: true },
  'recorded-whole.jsonl': { ...atOnce, partial: false },
  'recorded-background.jsonl': { ...inBackground, partial: true },
  'recorded-broken-off.jsonl': { script: brokenOff, partial: true, env: { CLAUDE_CODE_MAX_RETRIES: '0' } },
}

for (const [file, one] of Object.entries(cases)) {
  await record('claude-agent-sdk', file, one.script, async (recording, stage) => {
    try {
      for await (const message of query({ prompt: PROMPT, options: optionsFor(stage, one) })) recording.add(message)
    } catch (error) {
      // Thrown after the last message, which holds the same error.
      if (one.script !== brokenOff) throw error
    }
  })
}

function optionsFor({ provider, folder }: Stage, { partial, env }: Case) {
  return {
    model: MODEL,
    cwd: folder,
    settingSources: [],
    includePartialMessages: partial,
    forwardSubagentText: true,
    permissionMode: 'acceptEdits' as const,
    tools: ['Agent', 'Read', 'TodoWrite', 'TaskCreate', 'TaskUpdate'],
    allowedTools: ['mcp__harbour__get_tide', 'mcp__harbour__get_wind'],
    mcpServers: { harbour: harbour() },
    agents: { pilot: { description: 'Knows the waters.', prompt: 'You know the waters.', tools: ['Read'] } },
    env: {
      ...env,
      PATH: process.env.PATH,
      HOME: folder,
      TMPDIR: folder,
      CLAUDE_CODE_TMPDIR: folder,
      ANTHROPIC_BASE_URL: provider.url,
      ANTHROPIC_API_KEY: 'not-a-real-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      // Otherwise the tools of a server are hidden until a search finds them.
      ENABLE_TOOL_SEARCH: 'false',
    },
  }
}

function harbour() {
  return createSdkMcpServer({
    name: 'harbour',
    tools: [
      tool('get_tide', 'The times of high water.', { harbour: z.string(), days: z.number() }, async () => ({
        content: [{ type: 'text', text: TIDE }],
      })),
      tool('get_wind', 'The wind at the harbour.', { harbour: z.string() }, async () => {
        throw new Error(WIND_FAILURE)
      }),
    ],
  })
}
