import type { Stage } from './mutant.ts'

const agents = 'packages/server/src/agents'

/** Bugs in how programs are run as agents. */
export const processes: Stage = {
  name: 'agents',
  tests: [
    'packages/server/test/agents-process.test.ts',
    'packages/server/test/agents-dialects.test.ts',
    'packages/server/test/agents-sandbox.test.ts',
    'packages/server/test/agents-warden.test.ts',
    'packages/server/test/agents-folder.test.ts',
    'packages/server/test/run-sessions.test.ts',
  ],
  mutants: [
    {
      file: `${agents}/child.ts`,
      find: '  warden.watch(mark)\n',
      replace: '',
      promise: 'a process is watched before it is started',
    },
    {
      file: `${agents}/launchers.ts`,
      find: "['--tmpfs', hidden]",
      replace: '[]',
      promise: 'a sandbox hides the data of the server',
    },
    {
      file: `${agents}/launchers.ts`,
      find: "bwrapWith(['--unshare-net'])",
      replace: 'bwrapWith([])',
      promise: 'a sandbox without the network has none',
    },
    {
      file: `${agents}/launchers.ts`,
      find: "'--ro-bind', '/', '/'",
      replace: "'--bind', '/', '/'",
      promise: 'a sandbox has a read-only system',
    },
    {
      file: `${agents}/launchers.ts`,
      find: "'--unshare-pid', ",
      replace: '',
      promise: 'nothing of a sandbox stays when it ends',
    },
    {
      file: `${agents}/environment.ts`,
      find: '!REFUSED.test(entry[0]) && ',
      replace: '',
      promise: 'the settings of the server are never passed on',
    },
    {
      file: `${agents}/stderr-tail.ts`,
      find: "secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), withoutEscapes(kept))",
      replace: 'withoutEscapes(kept)',
      promise: 'secrets do not stand in stderr',
    },
    {
      file: `${agents}/child.ts`,
      find: 'killAll(child.pid, mark)',
      replace: "killGroup(child.pid ?? 0, 'SIGKILL')",
      promise: 'a child in another session does not stay',
    },
    {
      file: `${agents}/dialects/acp.ts`,
      find: 'loading.isUnderWay = !canResume',
      replace: '',
      promise: 'what a loaded session repeats is not logged again',
    },
    {
      file: `${agents}/dialects/acp.ts`,
      find: '    await repetitionsEnd(loading, signal)\n',
      replace: '',
      promise: 'what a loaded session repeats behind its answer is not logged again',
    },
    {
      file: `${agents}/dialects/acp.ts`,
      find: 'return { sessionId, id, modes }',
      replace: 'return { sessionId, id: sessionId, modes }',
      promise: 'the prefix of a loaded session is no part of its id',
    },
    {
      file: `${agents}/dialects/acp.ts`,
      find: 'if (error instanceof RpcError) return load(id)',
      replace: '',
      promise: 'a session is loaded by its own id, too',
    },
    {
      file: `${agents}/dialects/acp.ts`,
      find: 'ask: { name: /^default$/i, isNeeded: false }',
      replace: 'ask: { name: /^none$/, isNeeded: false }',
      promise: 'a person is asked, whatever mode is set in the agent',
    },
    {
      file: `${agents}/dialects/acp.ts`,
      find: ' && !isForEver(option)',
      replace: '',
      promise: 'an answer for the session is not written into the settings of the person',
    },
    {
      file: `${agents}/dialects/codex.ts`,
      find: 'excludeTurns: true',
      replace: 'excludeTurns: false',
      promise: 'the turns that the log has are not asked for',
    },
    {
      file: `${agents}/trace.ts`,
      find: "process.env.MILLRACE_TRACE !== '1'",
      replace: 'process.env.MILLRACE_TRACE === undefined && false',
      promise: 'no connection is kept unless somebody wants it',
    },
    {
      file: `${agents}/trace.ts`,
      find: ', mode: 0o600',
      replace: '',
      promise: 'only its owner reads what was said on a connection',
    },
    {
      file: `${agents}/dialects/codex.ts`,
      find: "params.item.type === 'userMessage'",
      replace: "params.item.type === 'none'",
      promise: 'what a person says is logged once',
    },
    {
      file: `${agents}/dialects/acp.ts`,
      find: "return answer.remember === undefined ? ['allow_once'] : ['allow_always', 'allow_once']",
      replace: "return ['allow_always', 'allow_once']",
      promise: 'a yes is for once',
    },
    {
      file: `${agents}/process-agent.ts`,
      find: 'if (!(error instanceof SessionGone)) throw error',
      replace: 'throw error',
      promise: 'a lost conversation begins anew with the thread',
    },
    {
      file: `${agents}/process-agent.ts`,
      find: ' && !Object.hasOwn(set, variable)',
      replace: '',
      promise: 'a variable that the file itself sets is not missing',
    },
    {
      file: `${agents}/agent-file.ts`,
      find: "needs: (file.env ?? []).filter((variable) => !variable.endsWith('*'))",
      replace: 'needs: []',
      promise: 'a variable that the file names and the server lacks is reported',
    },
    {
      file: `${agents}/expanded.ts`,
      find: "(name.startsWith('MILLRACE_') ? undefined : process.env[name])",
      replace: "(name.startsWith('MILLRACE_') ? name : process.env[name])",
      promise: 'a file does not read the token of the server',
    },
    {
      file: 'packages/server/src/run/agent-session.ts',
      find: "by === 'server' && event.type === 'metadata'",
      replace: "event.type === 'metadata'",
      promise: 'a record cannot claim a session',
    },
    {
      file: 'packages/server/src/run/work-folders.ts',
      find: 'if ((await lstat(folder)).isDirectory()) return folder',
      replace: 'return folder',
      promise: 'a folder that became a link is refused',
    },
  ],
}
