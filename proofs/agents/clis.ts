import type { ScriptedCall } from '../../recorders/provider/script.ts'

/** A command line program as the proof needs it. */
export interface Cli {
  /** The name of its preset. */
  readonly name: string
  readonly packageName: string
  /** Variables of the server, which its preset passes on. */
  variables(provider: string): { readonly [name: string]: string }
  /** What the person has set in the program, by the file's path below the home. */
  settings(provider: string): { readonly [path: string]: string }
  /** The native calls that run a command, and read a file. */
  readonly run: (command: string) => ScriptedCall
  readonly read: (path: string) => ScriptedCall
  /** The names under which the product shows the two. */
  readonly shown: { readonly run: string; readonly read: string }
  /** What the product shows of a call as its input; undefined if the program does not say it, only a title. */
  readonly inputOf: ((call: ScriptedCall['input'], folder: string) => unknown) | undefined
  /** Why it asks before it reads a file. */
  readonly asksToRead?: string
  /** The last text of a run in which a call was denied, and why it is not that of the script. */
  readonly afterDenial?: { readonly text: string | undefined; readonly because: string }
  /** Empty folders that the program itself makes outside of its own and does not remove, and why. The proof removes them. */
  readonly leaves?: { readonly folders: readonly string[]; readonly because: string }
  /** What the program says of a call that a stop cuts off, if it says more than nothing. */
  readonly stopped?: { readonly states: readonly string[]; readonly because: string }
}

const KEY = 'not-a-real-key'
const json = (value: object): string => JSON.stringify(value, undefined, 2)
const asSent = (input: ScriptedCall['input']) => input

const MODEL = 'pilot-1'

export const clis: readonly Cli[] = [
  {
    name: 'claude-code',
    packageName: '@anthropic-ai/claude-code',
    variables: (provider) => ({
      ANTHROPIC_BASE_URL: provider,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    settings: () => ({}),
    run: (command) => ({ name: 'Bash', input: { command, description: 'Writes it down' } }),
    read: (path) => ({ name: 'Read', input: { file_path: path } }),
    shown: { run: 'Bash', read: 'Read' },
    inputOf: asSent,
  },
  {
    name: 'codex',
    packageName: '@openai/codex',
    variables: () => ({ OPENAI_LOOP_KEY: KEY }),
    settings: (provider) => ({ '.codex/config.toml': codexSettings(provider) }),
    run: (cmd) => ({ name: 'exec_command', input: { cmd } }),
    read: (path) => ({ name: 'exec_command', input: { cmd: `cat ${path}` } }),
    shown: { run: 'command_execution', read: 'command_execution' },
    asksToRead: 'it reads by commands, and its policy “untrusted” asks about each',
    leaves: {
      folders: ['.git', '.codex', '.agents', '.aws', `codex-daemon-${process.getuid?.() ?? 0}`].map(
        (name) => `/tmp/${name}`,
      ),
      because: 'its sandbox lets commands write to /tmp and protects these names in it',
    },
    inputOf: (input) => ({ command: `/bin/bash -lc '${(input as { readonly cmd: string }).cmd}'` }),
  },
  {
    name: 'gemini-cli',
    packageName: '@google/gemini-cli',
    variables: (provider) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: provider, GEMINI_MODEL: MODEL }),
    settings: () => ({
      '.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      }),
    }),
    run: (command) => ({ name: 'run_shell_command', input: { command, description: 'Writes it down' } }),
    read: (path) => ({ name: 'read_file', input: { file_path: path } }),
    shown: { run: 'execute', read: 'read' },
    inputOf: undefined,
    stopped: { states: ['done', 'cancelled'], because: 'it says “completed”, if it says it in time' },
  },
  {
    name: 'opencode',
    packageName: 'opencode-ai',
    variables: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
    settings: (provider) => ({
      '.config/opencode/opencode.json': json({
        autoupdate: false,
        share: 'disabled',
        model: `loop/${MODEL}`,
        small_model: `loop/${MODEL}`,
        permission: { bash: 'ask', edit: 'ask' },
        experimental: { continue_loop_on_deny: true },
        provider: {
          loop: {
            npm: '@ai-sdk/openai-compatible',
            name: 'loop',
            options: { baseURL: `${provider}/v1`, apiKey: KEY },
            models: { [MODEL]: { name: 'Pilot' } },
          },
        },
      }),
    }),
    run: (command) => ({ name: 'bash', input: { command, description: 'Writes it down' } }),
    read: (filePath) => ({ name: 'read', input: { filePath } }),
    shown: { run: 'execute', read: 'read' },
    inputOf: (input, cwd) => ('command' in input ? { ...input, cwd } : input),
    stopped: { states: ['done', 'cancelled'], because: 'it says “completed”, if it says it in time' },
  },
  {
    name: 'qwen-code',
    packageName: '@qwen-code/qwen-code',
    variables: (provider) => ({ OPENAI_BASE_URL: `${provider}/v1`, OPENAI_API_KEY: KEY, OPENAI_MODEL: MODEL }),
    settings: () => ({
      '.qwen/settings.json': json({
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      }),
    }),
    run: (command) => ({
      name: 'run_shell_command',
      input: { command, description: 'Writes it down', is_background: false },
    }),
    read: (path) => ({ name: 'read_file', input: { file_path: path } }),
    shown: { run: 'execute', read: 'read' },
    inputOf: asSent,
    afterDenial: { text: undefined, because: 'it ends its turn when a call is denied' },
    stopped: { states: ['failed', 'cancelled'], because: 'it says “failed”, if it says it in time' },
  },
  {
    name: 'copilot',
    packageName: '@github/copilot',
    variables: (provider) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${provider}/v1`,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: MODEL,
    }),
    settings: () => ({}),
    run: (command) => ({ name: 'bash', input: { command, description: 'Writes it down' } }),
    read: (path) => ({ name: 'view', input: { path } }),
    shown: { run: 'execute', read: 'read' },
    inputOf: (input) => {
      const { command } = input as { readonly command?: string }
      return command === undefined ? input : { command, commands: [command] }
    },
    afterDenial: { text: 'Info: Operation cancelled by user', because: 'it ends its turn when a call is denied' },
  },
]

function codexSettings(provider: string): string {
  return `
model = "${MODEL}"
model_provider = "loop"
check_for_update_on_startup = false

[model_providers.loop]
name = "loop"
base_url = "${provider}/v1"
env_key = "OPENAI_LOOP_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[analytics]
enabled = false
`
}
