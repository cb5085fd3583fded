import { createRoot } from 'react-dom/client'
import '../src/styles.css'
import './gallery.css'
import { Components } from './components.tsx'
import { Play } from './play.tsx'
import { Thread } from './thread.tsx'

/** `?view=` components, thread or play; `?theme=` light or dark. */
const query = new URLSearchParams(location.search)
const views = { components: <Components />, thread: <Thread />, play: <Play /> }
const view = query.get('view') ?? 'components'
const root = document.getElementById('root')

document.documentElement.dataset.theme = query.get('theme') ?? 'light'
document.documentElement.classList.toggle('still', query.has('still'))
if (root !== null) createRoot(root).render(views[view in views ? (view as keyof typeof views) : 'components'])
