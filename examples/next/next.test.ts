import { mountSuite } from '../../packages/server/test/mount-suite.ts'
import { start } from './start.ts'

mountSuite('a route of Next', {
  sockets: 'refused',
  says: 'Seven hives stand on',
  async mount(settings) {
    const started = await start(0, async () => ({ ...settings, token: 'honeycomb' }))
    return { ...started, headers: { authorization: 'Bearer honeycomb' } }
  },
})
