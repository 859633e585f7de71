import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'page',
  build: { outDir: '../dist', emptyOutDir: true },
  plugins: [react()],
})
