import { createContext } from 'react'
import type { ThreadWindow } from './thread-window.ts'

/** The window of the thread around; undefined: the thread is drawn whole. */
export const WindowContext = createContext<ThreadWindow | undefined>(undefined)
