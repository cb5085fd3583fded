import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { brokenOff, MODEL, PILOT_TASK, PROMPT, scenario, TODOS } from '../provider/scenario.ts'
import { type Recording, record, type Stage } from '../recording.ts'

const recorders = resolve(import.meta.dirname, '..')

const script = scenario({
  todos: [[{ name: 'update_plan', input: { plan: TODOS.map(({ content, status }) => ({ step: content, status })) } }]],
  pilot: [
    [{ name: 'spawn_agent', input: { message: PILOT_TASK } }],
    [{ name: 'wait_agent', input: (spawned) => ({ targets: [JSON.parse(spawned).agent_id], timeout_ms: 30_000 }) }],
  ],
})

await record('codex-exec', 'recorded-tools.jsonl', script, play)
await record('codex-exec', 'recorded-broken-off.jsonl', brokenOff, play)

async function play(recording: Recording, stage: Stage): Promise<void> {
  const home = join(stage.folder, '.codex')
  mkdirSync(home)
  writeFileSync(join(home, 'config.toml'), configFor(stage))
  const child = spawn(
    process.execPath,
    [
      join(recorders, 'node_modules/@openai/codex/bin/codex.js'),
      'exec',
      '--json',
      '--skip-git-repo-check',
      // The scripted model runs no command, and the sandbox is not available everywhere.
      '--dangerously-bypass-approvals-and-sandbox',
      '-C',
      stage.folder,
      PROMPT,
    ],
    {
      env: { PATH: process.env.PATH, HOME: stage.folder, CODEX_HOME: home, LOOP_KEY: 'not-a-real-key' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  recording.addText(await text(child.stdout))
}

function configFor({ provider }: Stage): string {
  return `
model = "${MODEL}"
model_provider = "loop"
check_for_update_on_startup = false

[model_providers.loop]
name = "loop"
base_url = "${provider.url}/v1"
env_key = "LOOP_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[analytics]
enabled = false

[tools.update_plan]
enabled = true

[mcp_servers.harbour]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(join(recorders, 'harbour-server.ts'))}]
`
}
