import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { putBelow } from './put-below.ts'
import './styles/menus.css'

interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  /** Of a menu that sets something: this is what is set. */
  readonly isChecked?: boolean
  readonly isDangerous?: boolean
  readonly onChoose: () => void
}

interface MenuProps {
  /** What the button shows. */
  readonly children: ReactNode
  /** What a screen reader calls the menu, and the button if it shows no text. */
  readonly label: string
  readonly className: string
  readonly items: readonly MenuItem[]
  readonly tabIndex?: number
}

/** A button that opens a menu below it. Arrows move in it, a choice, Escape and a click beside it close it. */
export function Menu({ children, label, className, items, tabIndex }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const popover = list.current
    if (!isOpen || popover === null || button.current === null) return
    popover.showPopover()
    putBelow(popover, button.current.getBoundingClientRect())
    const checked = popover.querySelector<HTMLElement>('[aria-checked="true"]')
    const first = checked ?? popover.querySelector<HTMLElement>('[role^="menuitem"]')
    first?.focus({ preventScroll: true })
  }, [isOpen])
  const close = () => {
    if (list.current?.matches(':popover-open')) list.current.hidePopover()
    button.current?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The list behind it has keys, too.
    event.stopPropagation()
    if (event.key === 'Tab') close()
    const options = [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
    const next = indexAfter(event.key, options.indexOf(document.activeElement as HTMLElement), options.length)
    if (next === undefined) return
    event.preventDefault()
    options[next]?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={typeof children === 'string' ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        tabIndex={tabIndex}
        onClick={() => setIsOpen(true)}
      >
        {children}
        {typeof children === 'string' && <Icon name="chevron" />}
      </button>
      {isOpen && (
        <div
          ref={list}
          id={id}
          className="menu"
          popover="auto"
          role="menu"
          aria-label={label}
          onKeyDown={onKeyDown}
          onToggle={({ newState }) => newState === 'closed' && setIsOpen(false)}
        >
          {items.map((item) => (
            <Item
              key={item.label}
              item={item}
              onChoose={() => {
                close()
                item.onChoose()
              }}
            />
          ))}
        </div>
      )}
    </>
  )
}

function Item({ item, onChoose }: { readonly item: MenuItem; readonly onChoose: () => void }) {
  const { label, icon, isChecked, isDangerous = false } = item
  const role = isChecked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': isChecked }
  return (
    <button
      type="button"
      {...role}
      tabIndex={-1}
      className={isDangerous ? 'menu-item menu-danger' : 'menu-item'}
      onClick={onChoose}
    >
      {isChecked !== undefined && <span className="menu-check">{isChecked && <Icon name="check" />}</span>}
      {icon !== undefined && <Icon name={icon} />}
      {label}
    </button>
  )
}

const moves: { readonly [key: string]: (index: number, count: number) => number } = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Where a key moves to in a list that begins again at its end; undefined for any other key. */
function indexAfter(key: string, index: number, count: number): number | undefined {
  return count === 0 ? undefined : moves[key]?.(index, count)
}
