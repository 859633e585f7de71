/** `pnpm example`: serves the page of examples/web, its back end and a sandbox. */
import { prepare } from './prepare.ts'

await prepare({
  name: 'example',
  about: 'Serves a page that pays and is paid, its back end, and a sandbox.',
  examples: ['', '--port 4031'],
  ports: { port: ['page', 4030] },
  packages: ['example-web'],
})
// It reads `--port` too, because a copy of its folder starts without this file.
await import(new URL('../examples/web/start.ts', import.meta.url).href)
