import { basename, join } from 'node:path'
import type { Agent } from '../run/agent.ts'
import { findProgram } from './find-program.ts'
import { defaultLimits } from './limits.ts'
import { createProcessAgent, type ProcessOptions } from './process-agent.ts'
import type { ProcessSpec } from './spec.ts'

type Preset = Pick<
  ProcessSpec,
  'title' | 'command' | 'dialect' | 'install' | 'login' | 'authenticate' | 'loadPrefix'
> & {
  readonly env: readonly string[]
  readonly set?: ProcessSpec['set']
  /** The flag that chooses a model, if the dialect does not. */
  readonly modelFlag?: string
}

/** Programs that many people have. Each is found by its file; nothing is executed to find it. */
export const presets: { readonly [name: string]: Preset } = {
  'claude-code': {
    title: 'Claude Code',
    command: ['claude'],
    dialect: 'claude',
    env: ['ANTHROPIC_*', 'CLAUDE_*', 'AWS_*', 'GOOGLE_*', 'CLOUD_ML_REGION'],
    set: { DISABLE_AUTOUPDATER: '1' },
    install: 'npm install -g @anthropic-ai/claude-code',
    login: 'claude /login',
  },
  codex: {
    title: 'Codex',
    command: ['codex', 'app-server'],
    dialect: 'codex',
    env: ['OPENAI_*', 'CODEX_*'],
    set: { RUST_LOG: 'error' },
    install: 'npm install -g @openai/codex',
    login: 'codex login',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    command: ['gemini', '--acp'],
    dialect: 'acp',
    env: ['GEMINI_*', 'GOOGLE_*'],
    install: 'npm install -g @google/gemini-cli',
    login: 'gemini',
    modelFlag: '-m',
    // Before it loads a session, version 0.61 opens an empty one under the same id. Its file has the minute and the first characters of
    // the id in its name: in the minute in which the session began it is the session's own file, which is emptied; in another one, the
    // next start removes both files with these characters. The id of the request is trimmed before it is looked up, and in the name
    // the space becomes an underscore.
    loadPrefix: ' ',
  },
  opencode: {
    title: 'OpenCode',
    command: ['opencode', 'acp'],
    dialect: 'acp',
    env: ['OPENCODE_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*'],
    install: 'npm install -g opencode-ai',
    login: 'opencode auth login',
  },
  'qwen-code': {
    title: 'Qwen Code',
    command: ['qwen', '--acp'],
    dialect: 'acp',
    env: ['QWEN_*', 'OPENAI_*', 'DASHSCOPE_*'],
    install: 'npm install -g @qwen-code/qwen-code',
    login: 'qwen',
    modelFlag: '-m',
  },
  copilot: {
    title: 'GitHub Copilot',
    command: ['copilot', '--acp'],
    dialect: 'acp',
    env: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
    install: 'npm install -g @github/copilot',
    login: 'copilot login',
  },
  goose: {
    title: 'Goose',
    command: ['goose', 'acp'],
    dialect: 'acp',
    env: ['GOOSE_*', 'ANTHROPIC_*', 'OPENAI_*'],
    login: 'goose configure',
  },
  cursor: {
    title: 'Cursor',
    command: ['cursor-agent', 'acp'],
    dialect: 'acp',
    env: ['CURSOR_*'],
    login: 'cursor-agent login',
    authenticate: 'cursor_login',
  },
}

/** The spec of a preset, before a file changes it; undefined if there is none with the name. */
export function presetSpec(preset: string, model?: string): Omit<ProcessSpec, 'name'> | undefined {
  const row = Object.hasOwn(presets, preset) ? presets[preset] : undefined
  if (row === undefined) return undefined
  const { modelFlag, command, set = {}, ...fields } = row
  const chosen = modelFlag === undefined || model === undefined ? [] : [modelFlag, model]
  return {
    ...fields,
    command: [...command, ...chosen],
    set,
    sandbox: 'none',
    permissions: 'ask',
    cwd: 'project',
    limits: defaultLimits,
    ...(model !== undefined && { model }),
  }
}

/** The presets whose program this machine has, at each call. */
export function createPresets(options: ProcessOptions): () => readonly Agent[] {
  const description = `Works in “${basename(options.folder) || options.folder}”, the folder of this server, with your own account and settings.`
  const all = Object.keys(presets).flatMap((name) => {
    const spec = presetSpec(name)
    return spec === undefined
      ? []
      : [{ file: spec.command[0] ?? '', agent: createProcessAgent({ ...spec, name, description }, options) }]
  })
  return () => all.flatMap(({ file, agent }) => ('path' in findProgram(file, options.folder) ? [agent] : []))
}

/** Where threads have their folders. */
export const threadsIn = (dataFolder: string): string => join(dataFolder, 'work')
