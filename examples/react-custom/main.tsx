import { type ApprovalAnswer, type Components, ThreadView } from '@millrace/react'
import { createRoot } from 'react-dom/client'
import '@millrace/react/styles.css'
import './page.css'
import { conversation, NOW } from './conversation.ts'
import { german } from './german.ts'
import { Letter, OutwardLink } from './letter.tsx'
import { OrderCard } from './order-card.tsx'

/** Outside of the component: the same table each time, so that nothing is drawn again because of it. */
const components: Components = { tool: { track_order: OrderCard }, markdown: Letter, link: OutwardLink }

const now = () => NOW
const send = (approvalId: string, answer: ApprovalAnswer) => console.info(approvalId, answer.state)

function Page() {
  return (
    <main className="shop">
      <header className="shop-head">
        <h1>Lindenhof Tee</h1>
        <p>Kundendienst</p>
      </header>
      <ThreadView events={conversation} components={components} labels={german} now={now} onAnswer={send} />
    </main>
  )
}

/** `?theme=` light or dark; without it, as the system has it. */
const theme = new URLSearchParams(location.search).get('theme')
if (theme !== null) document.documentElement.dataset.theme = theme
const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<Page />)
