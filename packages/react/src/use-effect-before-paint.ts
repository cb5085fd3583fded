import { useEffect, useLayoutEffect } from 'react'

/** A server runs no effects, and React 18 warns there about one that runs before painting. */
export const useEffectBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect
