import '@millrace/react/styles.css'
import '../../src/styles/base.css'
import '../../src/styles/shell.css'
import '../../src/styles/rail.css'
import '../../src/styles/thread.css'
import '../../src/styles/composer.css'
import '../../src/styles/narrow.css'
import { scenes } from '../scenes/index.ts'
import { watchHoldings } from './holdings.ts'
import { mount, play } from './stage.tsx'

declare global {
  /** Plays one scene. Resolves with what went wrong, if anything did. */
  var playScene: (group: string, promise: string) => Promise<string | undefined>
}

// React listens to the document from its first root on.
mount(undefined).unmount()
watchHoldings()

globalThis.playScene = async (group, promise) => {
  const scene = scenes[group]?.[promise]
  if (scene === undefined) return 'There is no such scene.'
  return play(scene).then(
    () => undefined,
    (error) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  )
}
