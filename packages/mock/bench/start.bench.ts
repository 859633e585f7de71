import { fileURLToPath } from 'node:url'
import { type Bench, medians, rowsOf } from '@partner-payments/bench'
import { freePort, Program } from '@partner-payments/programs'

const pathOf = (url: string) => fileURLToPath(new URL(url, import.meta.url))
const CONTRACT = pathOf(import.meta.resolve('@partner-payments/spec/openapi.json'))

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  // Its sources: the bundle finds its dependencies only where its tarball is installed.
  'packages/mock': ['--disable-warning=ExperimentalWarning', pathOf('../src/cli.ts')],
  "Prism's own command": [pathOf(import.meta.resolve('@stoplight/prism-cli')), 'mock', CONTRACT],
}

/**
 * How long a mock takes from the start of its process to its first response. A round before fills
 * the caches.
 */
export const bench: Bench = {
  title: 'mock: start',
  run: async () => rowsOf('mock: first response', 's', await medians(COMMANDS, firstResponse, 5)),
}

/** Seconds from the start of the process to a response of 200. */
async function firstResponse(command: readonly string[]): Promise<number> {
  const port = String(await freePort())
  const startedAt = performance.now()
  await using mock = new Program(process.execPath, [...command, '--port', port])
  await mock.printed(/The mock runs on|Prism is listening/)

  const headers = { authorization: 'Bearer any' }
  const response = await fetch(`http://127.0.0.1:${port}/mobile-bff/v1/partner/user`, { headers })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${command[0]} responded with ${response.status}`)

  return (performance.now() - startedAt) / 1000
}
