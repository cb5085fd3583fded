import { createRoot, hydrateRoot } from 'react-dom/client'
import '../src/styles.css'
import './gallery.css'
import { Components } from './components.tsx'
import { Custom } from './custom.tsx'
import { Play } from './play.tsx'
import { Thread } from './thread.tsx'

/** `?view=` components, thread, custom or play; `?theme=` light or dark. */
const query = new URLSearchParams(location.search)
const views = { components: <Components />, thread: <Thread />, custom: <Custom />, play: <Play /> }
const view = query.get('view') ?? 'components'
const root = document.getElementById('root')

document.documentElement.dataset.theme = query.get('theme') ?? 'light'
document.documentElement.classList.toggle('still', query.has('still'))
const shown = views[view in views ? (view as keyof typeof views) : 'components']
// A page that a server has drawn is taken over as it is.
if (root?.hasChildNodes()) hydrateRoot(root, shown)
else if (root !== null) createRoot(root).render(shown)
