import { createContext } from 'react'
import type { CitedSource } from './cited-text.ts'

/** What the text around cites, by its number less one. */
export const CitedSources = createContext<readonly CitedSource[]>([])
