import { findProgram } from './find-program.ts'

export type SandboxName = 'none' | 'bwrap' | 'bwrap+net'

/** What a sandboxed command may reach. */
export interface Reach {
  readonly cwd: string
  /** The folder of its thread: writable like `cwd`. */
  readonly work: string
  /** A folder that it must not see, except for `work`. */
  readonly hidden?: string
}

/** How a command is started. */
interface Launcher {
  /** A sentence if it cannot be used here. */
  problem(): string | undefined
  argv(command: readonly string[], reach: Reach): readonly string[]
}

/** A read-only system, a folder to write in, nothing left when the server ends. */
const bwrapWith = (network: readonly string[]): Launcher => ({
  problem: () => {
    const found = findProgram('bwrap', '/')
    return 'problem' in found ? `Its sandbox is missing. ${found.problem}` : undefined
  },
  argv: (command, { cwd, work, hidden }) => [
    ...['bwrap', '--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', ...network],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    // A socket of a service is as good as its user; only the addresses of name servers are needed.
    ...['--tmpfs', '/run', '--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'],
    ...['--bind', cwd, cwd],
    // Behind `cwd`, which may contain it; and before `work`, which it contains.
    ...(hidden === undefined ? [] : ['--tmpfs', hidden]),
    ...['--bind', work, work, '--chdir', cwd, '--'],
    ...command,
  ],
})

export const launchers: { readonly [Name in SandboxName]: Launcher } = {
  none: { problem: () => undefined, argv: (command) => command },
  bwrap: bwrapWith(['--unshare-net']),
  'bwrap+net': bwrapWith([]),
}
