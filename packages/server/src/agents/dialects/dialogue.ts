import type { Peer } from '../json-rpc.ts'
import type { Line, Pipe } from '../pipe.ts'

/**
 * Plays our part of a JSON-RPC connection while the program's lines are read. Yields the lines that `isKept` lets into the
 * log. When our part is done, the program shall end; if it fails, the run does.
 */
export async function* dialogue(
  pipe: Pipe,
  peer: Peer,
  play: () => Promise<void>,
  isKept: (line: Line) => boolean = () => true,
): AsyncGenerator<Uint8Array> {
  let isGone = false
  void play().then(
    () => pipe.finish(),
    // What fails because the program is gone is explained by its exit.
    (error: unknown) => (isGone ? undefined : pipe.fail(error)),
  )
  for await (const line of pipe.lines) {
    if (isKept(line)) yield line.bytes
    peer.receive(line.value)
  }
  isGone = true
  peer.close()
}
