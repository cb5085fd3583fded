import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The server replaces it: the app may be mounted below any path.
  base: './',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Nothing is inlined: the page's policy allows only files of this server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // React and the Markdown renderer, which the first thread needs anyway.
    chunkSizeWarningLimit: 600,
  },
})
