import { findProgram } from './find-program.ts'

export type SandboxName = 'none' | 'bwrap' | 'bwrap+net'

/** How a command is started. */
interface Launcher {
  /** A sentence if it cannot be used here. */
  problem(): string | undefined
  argv(command: readonly string[], cwd: string, writable: readonly string[]): readonly string[]
}

/** A read-only system, a folder to write in, nothing left when the server ends. */
const bwrapWith = (network: readonly string[]): Launcher => ({
  problem: () => {
    const found = findProgram('bwrap', '/')
    return 'problem' in found ? `Its sandbox is missing. ${found.problem}` : undefined
  },
  argv: (command, cwd, writable) => [
    ...['bwrap', '--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', ...network],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...[...new Set([cwd, ...writable])].flatMap((folder) => ['--bind', folder, folder]),
    ...['--chdir', cwd, '--'],
    ...command,
  ],
})

export const launchers: { readonly [Name in SandboxName]: Launcher } = {
  none: { problem: () => undefined, argv: (command) => command },
  bwrap: bwrapWith(['--unshare-net']),
  'bwrap+net': bwrapWith([]),
}
