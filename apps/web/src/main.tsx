import { createApi, createThreadListFeed } from '@millrace/core/client'
import { createThreadListStore, THREADS_PER_PAGE } from '@millrace/react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { basePathOf, createRouter } from './router.ts'
import '@millrace/react/fonts.css'
import '@millrace/react/styles.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/rail.css'
import './styles/thread.css'
import './styles/composer.css'
import './styles/queue.css'
import './styles/agents.css'
import './styles/agent-health.css'
import './styles/agent-detail.css'
import './styles/start.css'
import './styles/first-minute.css'
import './styles/wires.css'
import './styles/details.css'
import './styles/proof.css'
import './styles/work.css'
import './styles/slim-rail.css'
import './styles/narrow.css'
import { applyTheme, storedTheme } from './theme.ts'
import { preloadThreadPage } from './thread/load-thread-page.ts'
import { createOpenThreads } from './threads/open-threads.ts'

applyTheme(storedTheme())

const basePath = basePathOf(document)
const api = createApi({ baseUrl: basePath })
const services = {
  basePath,
  api,
  router: createRouter(window, basePath),
  threadList: createThreadListStore(api, (...parts) =>
    createThreadListFeed({ baseUrl: basePath, limit: THREADS_PER_PAGE }, ...parts),
  ),
  openThreads: createOpenThreads(basePath),
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App services={services} />)
preloadThreadPage()
